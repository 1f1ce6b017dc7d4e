import { InvalidInputError } from '../errors/invalid-input.js';
import { ProblemError } from '../errors/problem-error.js';
import { deepFreeze } from '../store/freeze.js';
import { Kept } from '../store/kept.js';
import type { Mistake } from '../values/mistake.js';
import { stubKeyOf } from './combine-stubs.js';
import type { Stub, StubRequest, StubResponse } from './stub.js';

/**
 * The stubs of one account, or of the whole server, for a test to add and remove.
 *
 * @example
 * const { id } = account.stubs.add({ method: 'GET', path: '/me', body: { name: 'Robin' } });
 * account.stubs.remove(id);
 */
export interface StubsControl {
  /**
   * Adds a stub. Refuses a stub whose calls would all reach an operation, a stub with the method
   * and path of another in the list, and an account's stub that needs no token, because the token
   * names the account.
   */
  add(request: StubRequest): Stub;
  /** The stubs in the order in which they were added. */
  list(): Stub[];
  /** Removes a stub and returns it; returns undefined if there is none with this id. */
  remove(id: number): Stub | undefined;
  /** Removes all stubs; returns how many there were. */
  clear(): number;
}

export interface StubsState {
  readonly entries: readonly Entry[];
  readonly nextId: number;
  /** How many of its `responses` each stub has given, by its owner and id. */
  readonly turns: Readonly<Record<string, number>>;
}

interface Entry {
  readonly stub: Stub;
  /** Whether a fixture or an option declares it, so that reloading these replaces it. */
  readonly isDeclared: boolean;
}

const NONE: StubsState = { entries: [], nextId: 1, turns: {} };

export interface StubsParts {
  readonly check: (request: unknown) => readonly Mistake[];
  /** Throws if the list may not have so many more. */
  readonly admit: (more: number) => void;
}

export class Stubs extends Kept<StubsState> implements StubsControl {
  readonly #owner: Stub['for'];
  readonly #check: StubsParts['check'];
  readonly #admit: StubsParts['admit'];

  constructor(owner: Stub['for'], { check, admit }: StubsParts) {
    super(NONE);
    this.#owner = owner;
    this.#check = check;
    this.#admit = admit;
  }

  /** How many were added, besides those that a fixture or an option of the server declares. */
  get added(): number {
    return this.state.entries.filter(({ isDeclared }) => !isDeclared).length;
  }

  add(request: StubRequest): Stub {
    const given = copyOf(request);
    const mistakes = [...this.#check(given), ...this.#tokenMistakes(given)];
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    this.#refuseConflict(given);
    this.#admit(1);
    return this.#append(given, false);
  }

  list(): Stub[] {
    return this.state.entries.map(({ stub }) => stub);
  }

  remove(id: number): Stub | undefined {
    const { entries } = this.state;
    const entry = entries.find(({ stub }) => stub.id === id);
    if (entry) this.#keepEntries(entries.filter((other) => other !== entry));
    return entry?.stub;
  }

  clear(): number {
    const { length } = this.state.entries;
    this.#keepEntries([]);
    return length;
  }

  /**
   * Replaces the declared stubs. A stub that was added wins over a declared one with its method and
   * path.
   */
  declare(requests: readonly StubRequest[]): void {
    this.#keepEntries(this.state.entries.filter(({ isDeclared }) => !isDeclared));
    const added = new Set(this.list().map(stubKeyOf));
    for (const request of requests) {
      if (!added.has(stubKeyOf(request))) this.#append(copyOf(request), true);
    }
  }

  /**
   * The next response of a stub. Each account counts its own turns, even for the server's stubs;
   * calls without an account share the server's count.
   */
  responseOf(stub: Stub): StubResponse {
    const { responses } = stub;
    return responses?.[this.#turnOf(stub)] ?? responses?.at(-1) ?? stub;
  }

  /**
   * Counts a response, so that the next call gets the next one. Forgets the turns of stubs that
   * neither it nor the server has any more.
   */
  countResponse(stub: Stub, ofServer: Stubs): void {
    if (!stub.responses || this.#turnOf(stub) === stub.responses.length) return;
    let turns = { ...this.state.turns, [turnsKeyOf(stub)]: this.#turnOf(stub) + 1 };
    const stubs = [...this.list(), ...(ofServer === this ? [] : ofServer.list())];
    if (Object.keys(turns).length > stubs.length) {
      const present = new Set(stubs.map(turnsKeyOf));
      turns = Object.fromEntries(Object.entries(turns).filter(([key]) => present.has(key)));
    }
    this.keep({ ...this.state, turns });
  }

  #turnOf(stub: Stub): number {
    return this.state.turns[turnsKeyOf(stub)] ?? 0;
  }

  #append(request: StubRequest, isDeclared: boolean): Stub {
    const { nextId, entries } = this.state;
    const stub: Stub = deepFreeze({
      id: nextId,
      for: this.#owner,
      ...(!request.responses && { status: 200 }),
      needsToken: this.#owner === 'account',
      ...request,
    });
    const added = { entries: [...entries, { stub, isDeclared }], nextId: nextId + 1 };
    this.keep({ ...this.state, ...added });
    return stub;
  }

  #keepEntries(entries: readonly Entry[]): void {
    this.keep({ ...this.state, entries });
  }

  #tokenMistakes(request: StubRequest): Mistake[] {
    if (this.#owner === 'server' || request?.needsToken !== false) return [];
    const expected = "true for an account's stub, because the token names the account";
    const fix = 'Leave out needsToken, or call server.stubs.add (POST with "for": "server").';
    return [{ path: ['needsToken'], expected, received: false, fix }];
  }

  #refuseConflict(request: StubRequest): void {
    const known = this.list().find((stub) => stubKeyOf(stub) === stubKeyOf(request));
    if (!known) return;
    const { id, method, path } = known;
    throw new ProblemError(
      'conflict',
      `The ${this.#owner} already has stub ${id} for ${method} ${path}; expected another method or path. Remove that stub first.`,
    );
  }
}

/** The key of a stub among the turns. */
export function turnsKeyOf({ for: owner, id }: Pick<Stub, 'for' | 'id'>): string {
  return `${owner} ${id}`;
}

/**
 * The request as JSON would keep it. A request that JSON cannot express is unchanged, for the check
 * to refuse.
 */
function copyOf(request: StubRequest): StubRequest {
  try {
    return JSON.parse(JSON.stringify(request)) as StubRequest;
  } catch {
    return request;
  }
}
