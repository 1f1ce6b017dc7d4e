import fc from 'fast-check';
import { type AccountControl, createMockServer, UnknownIdError } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { fetchAs, until } from '../support/fetching.js';

const CONTRACTS = ['written-contract-1', 'written-contract-2'] as const;
const [CONTRACT] = CONTRACTS;
const NOW = '2030-01-02T03:04:05.000Z';
const CUSTOMER = '/customers/written';
const PATH = `/contracts/${CONTRACT}`;
const server = await createMockServer({ dataset: 'test/support/records-with-scenario.yaml' });
await server.start();
afterAll(() => server.stop());

/** A new account, whose clock stands still, and what calls it. */
function openAccount(of = server) {
  const control = controlOf(of);
  const account = of.account(control.token);
  account.clock.freeze(NOW);
  return { control, account, service: control.service };
}

type Opened = ReturnType<typeof openAccount>;

/** One thing that happens to an account; `words` shows it in a run that fails. */
interface Deed {
  readonly words: string;
  /** True for what changes records without a request, unless it returns false. */
  readonly isBarrier: boolean;
  act(opened: Opened): unknown;
}

const harmless = (words: string, act: Deed['act']): Deed => ({ words, act, isBarrier: false });
const other = (words: string, act: Deed['act']): Deed => ({ words, act, isBarrier: true });

const deletes: fc.Arbitrary<Deed> = fc.oneof(
  fc
    .constantFrom(...CONTRACTS, 'new', 'nobody')
    .map((id) => harmless(`delete ${id}`, ({ service }) => service.delete(`/contracts/${id}`))),
  fc
    .subarray(['shared-ref', 'other-ref', 'no-such-ref'], { minLength: 1 })
    .map((refs) => harmless(`delete ${refs}`, ({ service }) => service.deleteEvents(refs))),
);
const changesElsewhere = fc.constantFrom(
  harmless('list', ({ service }) => service.get('/measurements?limit=2')),
  harmless('advance', ({ account }) => account.clock.advance(1_000)),
  harmless('stamp', ({ account }) =>
    account.decisions.change({ 'updated-at-on-delete': 'deletion-time' }),
  ),
  harmless('repeat', ({ account }) =>
    account.decisions.change({ 'repeat-delete': 'same-result', 'repeat-event-delete': 'include' }),
  ),
  harmless('take a snapshot', ({ account }) => account.snapshot('kept')),
);
const changesOfRecords = fc.constantFrom(
  other('add a contract', ({ account }) => account.contracts.put({ id: 'new', name: 'New' })),
  other('replace a contract', ({ account }) => account.contracts.put({ id: CONTRACT })),
  other('remove a contract', ({ account }) => account.contracts.remove(CONTRACTS[1])),
  other('add an event', ({ account }) => account.events.add({ ref: 'other-ref' })),
  other('import nothing', ({ account }) => account.importState({})),
  other('import an event', ({ account }) =>
    account.importState({ events: [{ id: 'alone', ref: 'shared-ref' }] }),
  ),
  other('restore', ({ account }) => {
    account.restore('opening');
    account.clock.freeze(NOW);
  }),
);

/** How far a way back leads: to which part of the requests until then. */
const back = fc.double({ min: 0, max: 1, noNaN: true });
const courses: fc.Arbitrary<(Deed | number)[]> = fc
  .tuple(
    // So that deletes meet records of the account's own.
    fc.array(changesOfRecords, { maxLength: 3 }),
    fc.array(
      fc.oneof(
        { weight: 8, arbitrary: deletes },
        { weight: 3, arbitrary: changesElsewhere },
        { weight: 1, arbitrary: changesOfRecords },
        { weight: 3, arbitrary: back },
      ),
      { maxLength: 20, size: 'max' },
    ),
  )
  .map(([first, ...others]) => [first, others].flat(2));

/** All records, what differs from the dataset, and the hash of both. */
const recordsOf = (account: AccountControl): string =>
  JSON.stringify([account.exportState(), account.changes(), account.fingerprint()]);

/** What going back leaves alone. */
function restOf({ clock, decisions, journal, coverage }: AccountControl, account: AccountControl) {
  const requests = journal.list().map(({ undone: _mark, deleted: _count, ...request }) => request);
  return structuredClone([clock.now(), decisions.inForce, requests, coverage.call(account)]);
}

/** Keeps what an account was before each request, and so knows where a way back leads. */
class Model {
  readonly #opened: Opened;
  /** The requests that were not undone, oldest first. */
  #past: { readonly id: number; readonly before: string; readonly hasDeleted: boolean }[] = [];
  readonly undone: number[] = [];
  #barrier = 0;

  constructor(opened: Opened) {
    this.#opened = opened;
  }

  async follow({ act, isBarrier }: Deed): Promise<void> {
    const { account } = this.#opened;
    const [before, count] = [recordsOf(account), account.journal.count()];
    const done = await act(this.#opened);
    const id = account.journal.count();
    if (isBarrier && done !== false) this.#barrier = id;
    if (id > count) this.#past.push({ id, before, hasDeleted: before !== recordsOf(account) });
  }

  /** The records where a way back leads, and how many deletes it undoes; undefined if it is refused. */
  goBack(id: number): { readonly records: string; readonly count: number } | undefined {
    if (id <= this.#barrier) return undefined;
    const later = this.#past.filter((request) => request.id >= id);
    const undone = later.filter(({ hasDeleted }) => hasDeleted);
    this.#past = this.#past.filter((request) => request.id < id);
    this.undone.push(...undone.map((request) => request.id));
    return { records: later[0]?.before ?? recordsOf(this.#opened.account), count: undone.length };
  }
}

test('going back to before a request leads to what the records were, or is refused', async () => {
  const seen = { undone: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(courses, async (course) => {
      const opened = openAccount();
      const { account, control } = opened;
      const model = new Model(opened);
      for (const deed of course) {
        if (typeof deed !== 'number') {
          await model.follow(deed);
          continue;
        }
        const id = Math.ceil(deed * account.journal.count());
        if (id === 0) continue;
        const [current, rest, expected] = [
          recordsOf(account),
          restOf(account, account),
          model.goBack(id),
        ];
        const { status, body } = await control.post(`/requests/${id}/rewind`);
        expect([status, body.count]).toEqual(expected ? [200, expected.count] : [409, undefined]);
        expect(recordsOf(account)).toBe(expected?.records ?? current);
        expect(restOf(account, account)).toEqual(rest);
        seen[expected ? 'undone' : 'refused'] += expected?.count ?? 1;
      }
      const marked = account.journal.list().filter(({ undone }) => undone);
      expect(marked.map(({ id }) => id)).toEqual(model.undone.toSorted((one, two) => one - two));
      server.closeAccount(control.token);
    }),
    { seed: 20_260_101, numRuns: 60 },
  );
  expect(Math.min(seen.undone, seen.refused)).toBeGreaterThan(15);
});

/** What stands in the way back, and how the refusal names it. */
const BARRIERS: readonly [words: string, Deed['act']][] = [
  [`'${CONTRACT}' in contracts was added, edited or removed after it`, changeByLibrary],
  [
    `'${CONTRACT}' in contracts was added, edited or removed after it`,
    ({ control }) => control.patch(PATH, {}),
  ],
  [
    "'written' in customers was added, edited or removed after it",
    ({ control }) => control.delete(CUSTOMER),
  ],
  [
    'records were imported after it',
    ({ control }) => control.put('/state', { events: [{ ref: 'shared-ref' }] }),
  ],
  ["the snapshot 'opening' was restored", ({ account }) => account.restore('opening')],
  [
    "the scenario 'quiet' was applied",
    ({ control }) => control.put('/scenario', { name: 'quiet' }),
  ],
];

function changeByLibrary({ account }: Opened): void {
  account.contracts.patch(CONTRACT, { name: 'Changed' });
}

describe('a way back', () => {
  test.each(BARRIERS)('is refused if %s, and leads to later requests', async (words, act) => {
    const opened = openAccount();
    const { account, control, service } = opened;
    await service.delete(PATH);
    await act(opened);
    const records = recordsOf(account);
    const { status, body } = await control.post('/requests/1/rewind');
    expect(status).toBe(409);
    expect(body.detail).toContain(`cannot go back to before request 1, because`);
    expect(body.detail).toContain(words);
    expect(body.detail).toContain('Go back to a later request, or restore a snapshot.');
    expect(recordsOf(account)).toBe(records);

    await service.deleteEvents(['shared-ref']);
    expect(recordsOf(account)).not.toBe(records);
    expect(account.rewind(2)).toBe(1);
    expect(recordsOf(account)).toBe(records);
  });

  test('is refused to requests that the journal does not have', async () => {
    const { account, control, service } = openAccount();
    await service.delete(PATH);
    expect(() => account.rewind(2)).toThrow(UnknownIdError);
    expect((await control.post('/requests/2/rewind')).status).toBe(404);
    account.journal.clear();
    expect((await control.post('/requests/1/rewind')).status).toBe(404);
    expect(account.contracts.get(CONTRACT)?.deletedAt).toBeDefined();
  });

  test('leaves alone what was deleted by a request that was no longer kept', async () => {
    const { account, service } = openAccount();
    account.faults.add({ kind: 'delay', delayMs: 50 });
    const late = fetchAs(server, service.token, PATH, { method: 'DELETE' });
    await until(() => account.faults.list()[0]?.fired === 1);
    account.journal.clear();
    expect((await late).status).toBe(200);
    await service.deleteEvents(['shared-ref']);
    expect(account.rewind(2)).toBe(1);
    expect(account.changes().map(({ id }) => id)).toEqual([CONTRACT]);
  });

  test('stops requests that are under way', async () => {
    const { account, service } = openAccount();
    await service.delete(PATH);
    account.faults.add({ kind: 'delay', delayMs: 50 });
    const late = fetchAs(server, service.token, '/contracts/written-contract-2', {
      method: 'DELETE',
    });
    await until(() => account.faults.list()[0]?.fired === 1);
    account.rewind(1);
    expect((await late).status).toBe(409);
    expect(account.changes()).toEqual([]);
  });
});

describe('what a delete keeps to be undone', () => {
  test('counts against the bound of the journal, and is shown nowhere', async () => {
    const { account, service } = openAccount(await createMockServer({ journalBytes: 100_000 }));
    for (const id of ['first', 'second', 'third']) {
      account.contracts.put({ id, name: `${id} ${'long '.repeat(10_000)}` });
      await service.delete(`/contracts/${id}`);
      expect(JSON.stringify([account.journal.list(), account.journal.toHar()])).not.toMatch(
        /replaced|long long/,
      );
    }
    expect(account.journal.list().map(({ id }) => id)).toEqual([3]);
  });

  test('is gone with its request, which the refusal names', async () => {
    const { account, control, service } = openAccount(
      await createMockServer({ journalBytes: 60_000 }),
    );
    const long = () => service.deleteEvents(['x'.repeat(15_000)]);
    await service.get('/measurements');
    // The requests of a failed test are kept when later ones are not.
    account.markTest({ outcome: 'failed', message: 'expected 1 to be 2' });
    for (let times = 0; times < 4; times += 1) await long();
    await service.delete('/contracts/65b000000000000000000001');
    for (let times = 0; times < 4; times += 1) await long();
    const kept = account.journal.list().map(({ id }) => id);
    expect(kept).toContain(5);
    expect(kept).not.toContain(6);
    const { status, body } = await control.post('/requests/5/rewind');
    expect(status).toBe(409);
    expect(body.detail).toContain('because the journal no longer has request 6, which deleted');
    expect((await control.post('/requests/9/rewind')).body).toEqual({ count: 0 });
  });
});
