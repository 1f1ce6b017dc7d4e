import type { StoreUndo } from '../../../core/billing/account-store.js';
import type { RecordChecks } from '../../../core/datasets/fixture/schema-checks.js';
import { InvalidInputError } from '../../../core/errors/invalid-input.js';
import { unknownRequest } from '../../../core/errors/unknown-id.js';
import type { AccountOwner } from '../account-name.js';
import { explain } from './explain.js';
import { type Har, type HarParts, type HarRules, harOf, wholeHar } from './har.js';
import type { Known } from './hide-credentials.js';
import { checkFilter, type JournalFilter, passes } from './journal-filter.js';
import { describeRequest, type JournalRequest, refusalOf } from './journal-request.js';
import type { Keeper, KeptEvidence, Standing } from './kept-evidence.js';
import {
  type Arrival,
  type NotedBody,
  type NotedRequest,
  type NotedResponse,
  placesOfRequest,
  type Refusal,
} from './noted-request.js';
import { type Barrier, barrierOfEvicted, NO_BARRIER, refuseBarrier } from './rewind-barrier.js';
import { type WaitOptions, waitForEnded } from './wait-for-requests.js';

/** What all journals of a server share. */
export interface JournalRules extends HarRules {
  /** How many requests each journal keeps. */
  readonly size: number;
  /** What all journals keep together. */
  readonly kept: KeptEvidence;
  readonly checks: RecordChecks;
  readonly followers: Followers;
  /** What is a credential in whichever request has it. */
  readonly known: Known;
  /** Calls `act` once after a delay in real time; returns a function that cancels it. */
  readonly after: (delayMs: number, act: () => void) => () => void;
}

/** Everything that follows the requests of a server, such as event streams. */
export type Followers = Set<Follower>;

/** Follows the requests of one journal, or of all. */
export interface Follower {
  readonly journal: Journal | 'all';
  /** Whether journals must keep responses while it follows. */
  readonly wantsResponses?: boolean;
  /**
   * Called for requests in any journal: when one is received, when it has ended, and when its
   * deletions are undone.
   */
  note(journal: Journal, noted: NotedRequest): void;
  /** Called when any journal that has received requests is cleared. */
  noteCleared?(journal: Journal): void;
  /** Called when there will be no more requests. */
  end(): void;
}

/**
 * The requests that an account received, or those that reached no account, for a test to inspect.
 *
 * @example
 * console.log(account.journal.count({ operationId: 'deleteContract' }));
 * console.log(account.journal.explain(1).join('\n'));
 */
export interface JournalControl {
  /** The requests that match the filter, oldest first. */
  list(filter?: JournalFilter): JournalRequest[];
  /** How many requests match the filter. */
  count(filter?: JournalFilter): number;
  /**
   * Waits until enough matching requests have ended; resolves to all that have, oldest first.
   * Rejects with a `ProblemError` on timeout, or when the mock stops or the account is closed. Fake
   * timers do not affect it.
   */
  waitFor(filter?: JournalFilter, options?: WaitOptions): Promise<JournalRequest[]>;
  /** Explains a response in sentences. Throws an `UnknownIdError` if the request is not kept. */
  explain(id: number): string[];
  /**
   * The matching requests that have ended, as an HTTP archive without credentials. It has the
   * response bodies that the options `captureBodies` and `recentBodies` keep.
   */
  toHar(filter?: JournalFilter): Har;
  /** How many older requests were dropped to make room. */
  readonly evicted: number;
  /**
   * Drops all requests; returns how many there were.
   */
  clear(): number;
}

/** The latest requests of one account. The server's journal has those that reached no account. */
export class Journal implements JournalControl, Keeper {
  readonly #rules: JournalRules;
  readonly #owner: AccountOwner | undefined;
  #requests: Map<number, NotedRequest> | undefined;
  #evicted = 0;
  #nextId = 1;
  /** How many operations and changes without a request have taken a place. */
  #places = 0;
  /** How many requests that have ended were refused. */
  #refused = 0;
  readonly #underWay = new Set<NotedRequest>();
  #lastReceivedAtMs: number | undefined;
  #isClosed = false;
  /** Called when nothing of a closed account is kept any more. */
  #forget: (() => void) | undefined;
  #barrier = NO_BARRIER;
  /** What undoes the changes of requests since the barrier, in the order in which they ran. */
  #undos: { readonly noted: NotedRequest; readonly undo: StoreUndo }[] = [];

  /** Keeps up to `rules.size` requests; fewer if all journals together have too many. */
  constructor(rules: JournalRules, owner?: AccountOwner) {
    this.#rules = rules;
    this.#owner = owner;
  }

  /** The public id of its account; undefined for the server's journal. */
  get accountId(): string | undefined {
    return this.#owner?.id;
  }

  /** How many requests were received, including those that are not kept. */
  get received(): number {
    return this.#nextId - 1;
  }

  /** How many of them got a status from 400 to 499. */
  get refused(): number {
    return this.#refused + [...this.#underWay].filter(isRefused).length;
  }

  /** Whether a request is under way. */
  get isInUse(): boolean {
    return this.#underWay.size > 0;
  }

  /** When the latest request was received, by `Date` rather than by the account's clock. */
  get lastReceivedAt(): Date | undefined {
    return this.#lastReceivedAtMs === undefined ? undefined : new Date(this.#lastReceivedAtMs);
  }

  /** How many requests are kept. */
  get size(): number {
    return this.#requests?.size ?? 0;
  }

  get evicted(): number {
    return this.#evicted;
  }

  get standing(): Standing {
    if (this.#owner?.hasFailed) return 'failed';
    return this.#isClosed ? 'closed' : 'open';
  }

  /** Notes that its account was marked or closed, which decides when it makes room. */
  noteStanding(): void {
    this.#rules.kept.rank(this);
  }

  list(filter?: JournalFilter): JournalRequest[] {
    return [...this.listing(filter)];
  }

  /**
   * The requests as they are now. Describing one is slow, so each is described only when the
   * iterator reaches it.
   */
  *listing(filter?: JournalFilter, isReceived = false): Generator<JournalRequest, void> {
    for (const noted of this.#passing(filter))
      yield isReceived ? this.describeReceived(noted) : this.describe(noted);
  }

  toHar(filter?: JournalFilter): Har {
    return wholeHar(this.har(filter));
  }

  /** `toHar` with entries that are made one at a time. */
  har(filter?: JournalFilter): HarParts {
    return harOf(this.#passing(filter), this.#rules, this.#rules.known);
  }

  count(filter?: JournalFilter): number {
    return this.#passing(filter).length;
  }

  async waitFor(
    filter: JournalFilter = {},
    options: WaitOptions = {},
    signal?: AbortSignal,
  ): Promise<JournalRequest[]> {
    const { checks, followers, after } = this.#rules;
    checkFilter(filter, checks);
    const found = await waitForEnded(filter, options, {
      checks,
      after,
      signal,
      ended: () =>
        this.#all().filter((noted) => noted.outcome !== undefined && passes(filter, noted)),
      size: () => this.size,
      follow: (note, end) => {
        const follower: Follower = {
          ...{ journal: this, end },
          note: (journal) => journal === this && note(),
        };
        followers.add(follower);
        return () => followers.delete(follower);
      },
    });
    return found.map((noted) => this.describe(noted));
  }

  /** `waitFor` with the filter and the options in one object, as in the body of a request. */
  async waitForRequests(
    request: JournalFilter & WaitOptions,
    signal: AbortSignal,
  ): Promise<JournalRequest[]> {
    const mistakes = this.#rules.checks.value('RequestWait', request);
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    const { count, timeoutMs, ...filter } = request;
    return this.waitFor(filter, { count, timeoutMs }, signal);
  }

  explain(id: number): string[] {
    return explain(this.describe(this.#known(id)));
  }

  /** Throws an `UnknownIdError` if the request is not kept. */
  get(id: number): JournalRequest {
    return this.describe(this.#known(id));
  }

  harOfOne(id: number): Har {
    return wholeHar(harOf([this.#known(id)], this.#rules, this.#rules.known));
  }

  clear(): number {
    const all = this.#all();
    for (const noted of all) this.#countPlaces(noted, 0);
    this.#requests = undefined;
    this.#undos = [];
    if (this.received > 0) {
      for (const follower of this.#rules.followers) follower.noteCleared?.(this);
    }
    return all.length;
  }

  /** Ends the followers, because its account is closed; its requests stay until they make room. */
  end(): void {
    this.#isClosed = true;
    this.#undos = [];
    this.noteStanding();
    for (const follower of this.#rules.followers) {
      if (follower.journal === this) follower.end();
    }
  }

  /** Counts its closed account as kept until it makes room after its requests. */
  keepAccount(forget: () => void): void {
    this.#forget = forget;
    this.#rules.kept.change(this, 1);
  }

  /** Drops the oldest request, or its closed account if there is none. */
  evictOldest(): void {
    const [oldest] = this.#requests?.values() ?? [];
    if (oldest) {
      this.evict(oldest);
    } else {
      this.#rules.kept.change(this, -1);
      this.#forget?.();
    }
  }

  /** Records a request when it is received. Facts known later go into the returned object. */
  open(arrival: Arrival): NotedRequest {
    const receivedAtMs = Date.now();
    const noted = { id: this.#nextId, place: this.#places + 1, receivedAtMs, ...arrival };
    this.#nextId += 1;
    this.#underWay.add(noted);
    this.#lastReceivedAtMs = receivedAtMs;
    const { size } = this.#rules;
    this.#tellFollowers(noted);
    if (size === 0) return noted;
    this.#requests ??= new Map();
    this.#requests.set(noted.id, noted);
    this.#keep(noted);
    const [oldest] = this.#requests?.values() ?? [];
    if (oldest && this.size > size) this.evict(oldest);
    return noted;
  }

  noteBody(noted: NotedRequest, body: NotedBody): void {
    this.#grow(noted, { body });
  }

  noteRefusal(noted: NotedRequest, status: number, refusal: Refusal): void {
    this.#grow(noted, { status, refusal: refusalOf(refusal, noted, this.#rules.known) });
  }

  noteResponse(noted: NotedRequest, response: NotedResponse): void {
    this.#grow(noted, { response });
  }

  /** Records that the operation of a request runs now. */
  noteRun(noted: NotedRequest): void {
    this.#places += 1;
    noted.place = this.#places;
  }

  /** Records what undoes the changes of a request, which can be done while the request is kept. */
  noteUndo(noted: NotedRequest, undo: StoreUndo): void {
    noted.deleted = undo.count;
    this.#undos.push({ noted, undo });
    if (!this.#keeps(noted)) this.#setBarrier(barrierOfEvicted(noted));
  }

  /** Records a change of the records that cannot be undone: no rewind passes it. */
  noteBarrier(what: string): void {
    this.#places += 1;
    this.#setBarrier({ place: this.#places, what });
  }

  /**
   * Hands over what undoes a request and all that ran after it, the latest first; the caller must
   * do it.
   */
  takeUndos(id: number): StoreUndo[] {
    const { place } = this.#known(id);
    refuseBarrier(this.#barrier, id, place);
    const taken = this.#undos.filter(({ noted }) => noted.place >= place).reverse();
    this.#undos = this.#undos.filter(({ noted }) => noted.place < place);
    for (const { noted } of taken) {
      delete noted.deleted;
      noted.undone = true;
      this.#tellFollowers(noted);
    }
    return taken.map(({ undo }) => undo);
  }

  /** Tells followers that a request has ended. */
  close(noted: NotedRequest): void {
    // One that a restart has forgotten is counted no more.
    if (this.#underWay.delete(noted) && isRefused(noted)) this.#refused += 1;
    this.#tellFollowers(noted);
    if (!this.#keeps(noted)) delete noted.response;
  }

  /**
   * Drops a request to make room. Releases a response even if a slow follower still holds its
   * request.
   */
  evict(noted: NotedRequest): void {
    this.#countPlaces(noted, 0);
    if (this.#requests?.delete(noted.id)) this.#evicted += 1;
    if (this.#undos.some((one) => one.noted === noted)) this.#setBarrier(barrierOfEvicted(noted));
    if (noted.outcome !== undefined) delete noted.response;
  }

  /** Clears the journal and starts its numbers at 1 again. */
  restart(): void {
    this.clear();
    this.#evicted = 0;
    this.#nextId = 1;
    this.#places = 0;
    this.#refused = 0;
    this.#underWay.clear();
    this.#barrier = NO_BARRIER;
    this.#lastReceivedAtMs = undefined;
  }

  #setBarrier(barrier: Barrier): void {
    if (barrier.place < this.#barrier.place) return;
    this.#barrier = barrier;
    this.#undos = this.#undos.filter(({ noted }) => noted.place > barrier.place);
  }

  /** Copies of the matching requests, because the originals may lose their responses meanwhile. */
  #passing(filter: JournalFilter = {}): NotedRequest[] {
    checkFilter(filter, this.#rules.checks);
    return this.#all()
      .filter((noted) => passes(filter, noted))
      .map((noted) => ({ ...noted }));
  }

  describe(noted: NotedRequest): JournalRequest {
    return describeRequest(noted, this.#rules.known);
  }

  /** With the real time, which differs whenever the same requests are sent again. */
  describeReceived(noted: NotedRequest): JournalRequest {
    const receivedAt = new Date(noted.receivedAtMs).toISOString();
    return { ...this.describe(noted), receivedAt };
  }

  #tellFollowers(noted: NotedRequest): void {
    for (const follower of this.#rules.followers) follower.note(this, noted);
  }

  #known(id: number): NotedRequest {
    const noted = this.#requests?.get(id);
    if (noted) return noted;
    throw unknownRequest(id);
  }

  #grow(noted: NotedRequest, facts: Partial<NotedRequest>): void {
    Object.assign(noted, facts);
    if (this.#keeps(noted)) this.#keep(noted);
  }

  #keeps(noted: NotedRequest): boolean {
    return this.#requests?.get(noted.id) === noted;
  }

  #all(): NotedRequest[] {
    return [...(this.#requests?.values() ?? [])];
  }

  #keep(noted: NotedRequest): void {
    this.#countPlaces(noted, placesOfRequest(noted));
  }

  #countPlaces(noted: NotedRequest, places: number): void {
    const before = noted.places ?? 0;
    noted.places = places;
    this.#rules.kept.change(this, places - before);
  }
}

function isRefused({ status = 0 }: NotedRequest): boolean {
  return status >= 400 && status < 500;
}
