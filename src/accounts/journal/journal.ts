import { InvalidInputError } from '../../errors/invalid-input.js';
import { ProblemError } from '../../errors/problem-error.js';
import { unknownRequest } from '../../errors/unknown-id.js';
import { mapEach } from '../../store/work-in-steps.js';
import { shown } from '../../values/received-value.js';
import type { JournalControl } from '../account-control.js';
import type { AccountOwner } from '../account-name.js';
import { explain } from './explain.js';
import { type Har, type HarParts, harOf, wholeHar } from './har.js';
import { checkFilter, type JournalFilter, passes, type WaitOptions } from './journal-filter.js';
import {
  type Arrival,
  describeRequest,
  type JournalRequest,
  type NotedAnswer,
  type NotedRequest,
  type Refusal,
  refusalOf,
  sizeOf,
} from './journal-request.js';
import type { JournalRules, JournalState } from './journal-rules.js';
import type { NotedBody } from './redact-request.js';
import type { Redaction } from './redact-secrets.js';
import type { FollowedJournal } from './request-feed.js';

/** The last requests of one account, or those that reached none. */
export class Journal implements JournalControl, FollowedJournal {
  readonly #rules: JournalRules;
  readonly #owner: AccountOwner | undefined;
  #requests: Map<number, NotedRequest> | undefined;
  #evicted = 0;
  #nextId = 1;
  #lastReceivedAtMs: number | undefined;

  /** Keeps at most as many requests as the rules say, and fewer when all journals together outgrow the budget. */
  constructor(rules: JournalRules, owner?: AccountOwner) {
    this.#rules = rules;
    this.#owner = owner;
  }

  get accountId(): string | undefined {
    return this.#owner?.id;
  }

  /** How many requests it was opened for, those it does not keep included. */
  get received(): number {
    return this.#nextId - 1;
  }

  /** When the last of them was received, in real time. */
  get lastReceivedAt(): Date | undefined {
    return this.#lastReceivedAtMs === undefined ? undefined : new Date(this.#lastReceivedAtMs);
  }

  get evicted(): number {
    return this.#evicted;
  }

  list(filter?: JournalFilter): JournalRequest[] {
    return [...this.listing(filter)];
  }

  /** The requests as they are now, each described when it is asked for: that takes time. */
  listing(filter?: JournalFilter): Iterable<JournalRequest> {
    return mapEach(this.#passing(filter), (noted) => describeRequest(noted));
  }

  toHar(filter?: JournalFilter): Har {
    return wholeHar(this.har(filter));
  }

  /** The same in parts. */
  har(filter?: JournalFilter): HarParts {
    return this.#harOf(this.#passing(filter));
  }

  count(filter?: JournalFilter): number {
    return this.#passing(filter).length;
  }

  async waitFor(filter: JournalFilter = {}, options: WaitOptions = {}): Promise<JournalRequest[]> {
    const { checks, feed, after } = this.#rules;
    const mistakes = checks.value('RequestWait', { ...options, filter });
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    checkFilter(filter, checks);
    const { count = 1, timeoutMs = 1_000 } = options;
    const ended = () =>
      this.#all().filter((noted) => noted.outcome !== undefined && passes(filter, noted));
    let leave = () => {};
    await new Promise<void>((resolve) => {
      const noteNews = () => ended().length >= count && resolve();
      const follower = feed.follow(this, { wantsAnswers: false, noteNews, end: resolve });
      const cancel = after(timeoutMs, resolve);
      leave = () => [follower.leave(), cancel()];
      noteNews();
    });
    leave();
    const found = ended();
    if (found.length >= count) return found.map(describeRequest);
    throw new ProblemError(
      'conflict',
      `Expected ${count} requests with ${shown(filter)} within ${timeoutMs} ms; received and answered: ${found.length}, of ${this.#all().length} in the journal.`,
    );
  }

  explain(id: number): string[] {
    return explain(describeRequest(this.#known(id)));
  }

  /** One request. Throws an `UnknownIdError` if it is not kept. */
  get(id: number): JournalRequest {
    return describeRequest(this.#known(id));
  }

  /** One request as an archive. */
  harOfOne(id: number): Har {
    return wholeHar(this.#harOf([this.#known(id)]));
  }

  /** A request as those who follow them see it: without the answer, which may be long. */
  show(noted: NotedRequest): JournalRequest {
    const { answer: _long, ...others } = noted;
    return describeRequest(others);
  }

  clear(): number {
    const all = this.#all();
    for (const noted of all) this.#rules.budget.release(noted);
    this.#requests = undefined;
    if (this.received > 0) this.#rules.feed.noteCleared(this);
    return all.length;
  }

  /** Drops all requests, for good. */
  end(): void {
    this.clear();
    this.#rules.feed.noteEnded(this);
  }

  /** Records a request when it is received; what follows is recorded in the returned object. */
  open(arrival: Arrival): NotedRequest {
    const noted = { id: this.#nextId, ...arrival };
    this.#nextId += 1;
    this.#lastReceivedAtMs = Date.now();
    const { size, feed } = this.#rules;
    feed.note(this, noted);
    if (size === 0) return noted;
    this.#keep(noted);
    const [oldest] = this.#requests?.values() ?? [];
    if (oldest && (this.#requests?.size ?? 0) > size) this.evict(oldest);
    return noted;
  }

  /** Records the body of a request. */
  noteBody(noted: NotedRequest, body: NotedBody): void {
    this.#grow(noted, { body });
  }

  /** Records why a request was refused, and with which status. */
  noteRefusal(noted: NotedRequest, status: number, refusal: Refusal, redaction: Redaction): void {
    this.#grow(noted, { status, refusal: refusalOf(refusal, redaction) });
  }

  /** Records an answer. */
  noteAnswer(noted: NotedRequest, answer: NotedAnswer): void {
    this.#grow(noted, { answer });
  }

  /** Notes that a request has ended. */
  close(noted: NotedRequest): void {
    const { record, feed } = this.#rules;
    feed.note(this, noted);
    if (record) {
      const { name } = this.#owner ?? {};
      record({ ...(name !== undefined && { account: name }), ...describeRequest(noted) });
    }
    if (!this.#keeps(noted)) delete noted.answer;
  }

  /** Drops a request to make room, and its answer at once: a slow follower may still hold the request. */
  evict(noted: NotedRequest): void {
    this.#rules.budget.release(noted);
    if (this.#requests?.delete(noted.id)) this.#evicted += 1;
    if (noted.outcome !== undefined) delete noted.answer;
  }

  snapshot(): JournalState {
    return { requests: this.#all(), evicted: this.#evicted, nextId: this.#nextId };
  }

  restore(saved: JournalState): void {
    this.clear();
    for (const noted of saved.requests) this.#keep(noted);
    this.#evicted = saved.evicted;
    this.#nextId = saved.nextId;
    this.#lastReceivedAtMs = undefined;
  }

  /** Copies of the requests that match the filter: what is kept may be dropped meanwhile. */
  #passing(filter: JournalFilter = {}): NotedRequest[] {
    checkFilter(filter, this.#rules.checks);
    return this.#all()
      .filter((noted) => passes(filter, noted))
      .map((noted) => ({ ...noted }));
  }

  #known(id: number): NotedRequest {
    const noted = this.#requests?.get(id);
    if (noted) return noted;
    throw unknownRequest(id);
  }

  #harOf(requests: readonly NotedRequest[]): HarParts {
    return harOf(requests, this.#rules);
  }

  #grow(noted: NotedRequest, facts: Partial<NotedRequest>): void {
    Object.assign(noted, facts);
    if (this.#keeps(noted)) this.#rules.budget.keep(noted, this, sizeOf(noted));
  }

  #keeps(noted: NotedRequest): boolean {
    return this.#requests?.get(noted.id) === noted;
  }

  #all(): NotedRequest[] {
    return [...(this.#requests?.values() ?? [])];
  }

  #keep(noted: NotedRequest): void {
    this.#requests ??= new Map();
    this.#requests.set(noted.id, noted);
    this.#rules.budget.keep(noted, this, sizeOf(noted));
  }
}
