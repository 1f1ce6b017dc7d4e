import fc from 'fast-check';
import { type AccountControl, createMockServer, type MockServer } from '../../src/index.js';
import { until } from '../support/fetching.js';

const CONTRACTS = ['written-contract-1', 'written-contract-2'] as const;
const NOW = '2030-01-02T03:04:05.000Z';

/** So few requests are kept that a course pushes deletions out, or so many that it does not. */
const SIZES = [6, 1_000] as const;

/** A request that a fault holds, before or after its operation runs. */
interface Held {
  readonly id: number;
  readonly fault: number;
  readonly isBefore: boolean;
  readonly response: Promise<Response>;
  /** True once the account went back meanwhile, so that its operation does not run. */
  isStale: boolean;
}

/** When a request was received, or its operation ran. */
interface Moment {
  readonly id: number;
  /** The records before it, or where a way back led to that passed it. */
  before: string;
  hasDeleted: boolean;
}

/** One thing that happens to an account; `words` shows it in a run that fails. */
interface Deed {
  readonly words: string;
  act(course: Course): unknown;
}

/** An account whose clock stands still, and a model of where each way back leads. */
class Course {
  readonly account: AccountControl;
  readonly undone = new Set<number>();
  readonly #server: MockServer;
  readonly #size: number;
  readonly #token: string;
  /** In order, and how many of the first no way back passes. */
  readonly #moments: Moment[] = [];
  #barred = 0;
  #held: Held[] = [];
  #received = 0;

  constructor(server: MockServer, size: number, token: string) {
    [this.#server, this.#size, this.#token] = [server, size, token];
    this.account = server.account(token);
    this.account.clock.freeze(NOW);
  }

  async send(method: string, path: string, body?: object): Promise<void> {
    const [id, before] = this.#receive();
    await this.#call(method, path, body);
    this.#run(id, before);
  }

  /** Sends a deletion that waits until it is released, and that others overtake. */
  async hold(contract: string, phase: 'before' | 'after'): Promise<void> {
    const { faults } = this.account;
    const { id: fault } = faults.add({ kind: 'hold', operationId: 'deleteContract', phase });
    const [id, before] = this.#receive();
    let isRefused = false;
    const response = this.#call('DELETE', `/contracts/${contract}`).finally(() => {
      isRefused = true;
    });
    await until(() => isRefused || faults.list().some((one) => one.id === fault && one.fired > 0));
    if (phase === 'after') this.#run(id, before);
    if (isRefused) faults.remove(fault);
    else this.#held.push({ id, fault, response, isBefore: phase === 'before', isStale: false });
  }

  async release(nth: number): Promise<void> {
    const held = this.#held[nth % this.#held.length];
    if (!held) return;
    const before = recordsOf(this.account);
    this.account.faults.remove(held.fault);
    await held.response;
    this.#held = this.#held.filter((one) => one !== held);
    if (held.isBefore && !held.isStale) this.#run(held.id, before);
  }

  /** Changes records without a request, which no way back passes; `false` means nothing to change. */
  change(act: (account: AccountControl) => unknown): void {
    if (act(this.account) !== false) this.#barred = this.#moments.length;
  }

  /** Removes the faults too, which releases what they hold. */
  async restore(): Promise<void> {
    this.change((account) => account.restore('opening'));
    this.account.clock.freeze(NOW);
    await Promise.all(this.#held.map(({ response }) => response));
    this.#held = [];
  }

  /** Goes back to before one of the kept requests; says how many were undone, or -1 if it may not. */
  goBack(part: number): number {
    const kept = Math.min(this.#size, this.#received);
    const id = this.#received - kept + Math.ceil(part * kept);
    if (kept === 0 || id === this.#received - kept) return 0;
    const expected = this.#goBack(id);
    const [current, rest] = [recordsOf(this.account), restOf(this.account)];
    const count = (() => {
      try {
        return this.account.rewind(id);
      } catch {
        return -1;
      }
    })();
    expect([id, count]).toEqual([id, expected?.count ?? -1]);
    expect(recordsOf(this.account)).toBe(expected?.records ?? current);
    expect(restOf(this.account)).toEqual(rest);
    return count;
  }

  async end(): Promise<void> {
    while (this.#held.length > 0) await this.release(0);
    const requests = this.account.journal.list();
    expect(requests.filter(({ undone }) => undone).map(({ id }) => id)).toEqual(
      requests.map(({ id }) => id).filter((id) => this.undone.has(id)),
    );
    this.#server.closeAccount(this.#token);
  }

  #call(method: string, path: string, body?: object): Promise<Response> {
    const headers = {
      Authorization: `Bearer ${this.#token}`,
      'Content-Type': 'application/json',
    };
    return this.#server.fetch(path, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  #receive(): readonly [id: number, before: string] {
    const before = recordsOf(this.account);
    this.#received += 1;
    this.#moments.push({ id: this.#received, before, hasDeleted: false });
    this.#barEvicted();
    return [this.#received, before];
  }

  #run(id: number, before: string): void {
    this.#moments.push({ id, before, hasDeleted: before !== recordsOf(this.account) });
    this.#barEvicted();
  }

  /** A deletion that is no longer kept bars itself and what ran before it. */
  #barEvicted(): void {
    const last = this.#moments.findLastIndex(
      ({ id, hasDeleted }) => hasDeleted && id <= this.#received - this.#size,
    );
    this.#barred = Math.max(this.#barred, last + 1);
  }

  #goBack(id: number): { readonly records: string; readonly count: number } | undefined {
    const index = this.#moments.findLastIndex((moment) => moment.id === id);
    const { before = '' } = this.#moments[index] ?? {};
    if (index < this.#barred) return undefined;
    const passed = this.#moments.slice(index);
    const undone = passed.filter(({ hasDeleted }) => hasDeleted);
    for (const moment of undone) this.undone.add(moment.id);
    for (const moment of passed) Object.assign(moment, { before, hasDeleted: false });
    for (const held of this.#held) held.isStale = true;
    return { records: before, count: undone.length };
  }
}

/** All records, what differs from the dataset, and the hash of both. */
function recordsOf(account: AccountControl): string {
  return JSON.stringify([account.exportState(), account.changes(), account.fingerprint()]);
}

/** What going back leaves alone. */
function restOf({ clock, decisions, journal }: AccountControl) {
  const requests = journal.list().map(({ undone: _mark, deleted: _count, ...request }) => request);
  return structuredClone([clock.now(), decisions.inForce, requests]);
}

const deletes: fc.Arbitrary<Deed> = fc.oneof(
  fc.constantFrom(...CONTRACTS, 'new', 'nobody').map((id) => ({
    words: `delete ${id}`,
    act: (course: Course) => course.send('DELETE', `/contracts/${id}`),
  })),
  fc.subarray(['shared-ref', 'other-ref', 'no-such-ref'], { minLength: 1 }).map((refs) => ({
    words: `delete ${refs}`,
    act: (course: Course) => course.send('POST', '/events/delete-by-refs', { refs }),
  })),
);

const holds: fc.Arbitrary<Deed> = fc
  .tuple(fc.constantFrom(...CONTRACTS, 'new'), fc.constantFrom('before', 'before', 'after'))
  .map(([id, phase]) => ({
    words: `hold the deletion of ${id} ${phase} it runs`,
    act: (course) => course.hold(id, phase as 'before' | 'after'),
  }));

const releases: fc.Arbitrary<Deed> = fc.nat(9).map((nth) => ({
  words: `release ${nth}`,
  act: (course) => course.release(nth),
}));

const changesElsewhere = fc.constantFrom<Deed>(
  { words: 'list', act: (course) => course.send('GET', '/measurements?limit=2') },
  { words: 'advance', act: ({ account }) => account.clock.advance(1_000) },
  {
    words: 'stamp',
    act: ({ account }) => account.decisions.change({ 'updated-at-on-delete': 'deletion-time' }),
  },
  {
    words: 'repeat',
    act: ({ account }) =>
      account.decisions.change({
        'repeat-delete': 'same-result',
        'repeat-event-delete': 'include',
      }),
  },
  { words: 'take a snapshot', act: ({ account }) => account.snapshot('kept') },
);

const change = (words: string, act: (account: AccountControl) => unknown): Deed => ({
  words,
  act: (course) => course.change(act),
});
const changesOfRecords = fc.constantFrom<Deed>(
  change('add a contract', ({ contracts }) => contracts.put({ id: 'new', name: 'New' })),
  change('replace a contract', ({ contracts }) => contracts.put({ id: CONTRACTS[0] })),
  change('remove a contract', ({ contracts }) => contracts.remove(CONTRACTS[1])),
  change('add an event', ({ events }) => events.add({ ref: 'other-ref' })),
  change('import nothing', (account) => account.importState({})),
  change('import an event', (account) =>
    account.importState({ events: [{ id: 'alone', ref: 'shared-ref' }] }),
  ),
  { words: 'restore', act: (course) => course.restore() },
);

/** How far a way back leads: to which part of the kept requests. */
const back = fc.double({ min: 0, max: 1, noNaN: true });

const courses = fc.record({
  size: fc.constantFrom(...SIZES),
  // So that deletes meet records of the account's own.
  first: fc.array(changesOfRecords, { maxLength: 3 }),
  others: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: deletes },
      { weight: 5, arbitrary: holds },
      { weight: 5, arbitrary: releases },
      { weight: 3, arbitrary: changesElsewhere },
      { weight: 2, arbitrary: changesOfRecords },
      { weight: 5, arbitrary: back },
    ),
    { maxLength: 24, size: 'max' },
  ),
});

/**
 * Checks that going back to before a request leads to what the records were, and marks what it
 * undid, or is refused; returns how often it did either.
 */
export async function compareCourses(numRuns: number) {
  const seen = { undone: 0, refused: 0 };
  const servers = new Map<number, MockServer>();
  for (const journalSize of SIZES) {
    const dataset = 'test/support/records-with-scenario.yaml';
    servers.set(journalSize, await createMockServer({ dataset, journalSize }));
  }
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(courses, async ({ size, first, others }) => {
      const server = servers.get(size) as MockServer;
      const course = new Course(server, size, `course-${opened++}`);
      for (const deed of [...first, ...others]) {
        if (typeof deed !== 'number') {
          await deed.act(course);
          continue;
        }
        const count = course.goBack(deed);
        seen[count < 0 ? 'refused' : 'undone'] += Math.abs(count);
      }
      await course.end();
    }),
    { seed: 20_260_101, numRuns },
  );
  return seen;
}
