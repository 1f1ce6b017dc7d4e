import fc from 'fast-check';
import { AccountStore, type Bases, type StoreUndo } from '../../src/core/billing/account-store.js';
import { type Customer, INDEXES, OLDEST_FIRST } from '../../src/core/billing/resources.js';
import { Base } from '../../src/core/store/base.js';
import type { Indexes } from '../../src/core/store/indexed-records.js';

const AT = '2026-01-01T00:00:00.000Z';
const CONTRACT = { id: 'a', createdAt: AT, updatedAt: AT };
const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const customer = (id: string, name: string): Customer => ({
  id,
  name,
  createdAt: AT,
  updatedAt: AT,
});
const baseOf = <T extends { readonly id: string }>(indexes: Indexes<T>, ...records: readonly T[]) =>
  new Base(indexes, () => new Map(records.map((record) => [record.id, record])));
const BASES: Bases = {
  ...{ name: 'base', source: 'base', fingerprint: 'base', seed: 0, keepsUndocumented: false },
  customers: baseOf(
    INDEXES.customers,
    ...[customer('a', 'x'), customer('b', 'x'), customer('c', 'y')],
  ),
  contracts: baseOf(INDEXES.contracts, CONTRACT),
  measurements: baseOf(INDEXES.measurements),
  events: baseOf(INDEXES.events),
};

/** A store over these bases. */
function openStore() {
  return { store: new AccountStore(BASES) };
}

type Opened = ReturnType<typeof openStore>;

/** Everything that can be read of a store. */
function seen({ store }: Opened) {
  const { customers, contracts } = store;
  return {
    records: [...customers, ...contracts],
    places: [...customers.from(2)].map(([, { id }]) => id),
    inOrder: customers.page(OLDEST_FIRST, undefined, 10).records,
    before: IDS.map((one) => customers.countUpTo(OLDEST_FIRST, [Date.parse(AT), one])),
    found: ['x', 'y', 'z'].map((name) =>
      customers
        .find('name', name)
        .map(({ id }) => id)
        .sort(),
    ),
    changes: [...customers.changedFrom(0), ...contracts.changedFrom(0)],
    sizes: [store.sizes, store.changeCount, store.deletions],
    fingerprint: store.fingerprint(),
  };
}

type Change = readonly [words: string, act: (opened: Opened) => unknown];

const id = fc.constantFrom(...IDS);
const name = fc.constantFrom('x', 'y', 'z', 'long '.repeat(400));
const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(id, name)
      .map(
        ([one, now]): Change => [
          `put ${one} ${now}`,
          ({ store }) => store.customers.put(customer(one, now)),
        ],
      ),
  },
  {
    weight: 3,
    arbitrary: id.map(
      (one): Change => [
        `delete ${one}`,
        ({ store: { customers } }) => {
          const known = customers.get(one);
          if (known) customers.softDelete(known, { updatedAt: '2026-02-02T00:00:00.000Z' });
        },
      ],
    ),
  },
  {
    weight: 3,
    arbitrary: id.map(
      (one): Change => [`remove ${one}`, ({ store }) => store.customers.remove(one)],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Change>(
      ['put a contract', ({ store }) => store.contracts.put({ ...CONTRACT, id: 'k' })],
      ['remove a contract', ({ store }) => store.contracts.remove('a')],
      ['remove every customer', ({ store }) => store.customers.clear()],
      ['read', seen],
      ['take a snapshot', ({ store }) => store.snapshot()],
    ),
  },
);

/** Operations, each of several changes, and numbers of operations to undo. */
const courses = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.array(changes, { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: fc.nat(3) },
  ),
  { maxLength: 12, size: 'max' },
);

const run = (opened: Opened, acts: readonly Change[]) =>
  opened.store.recording(() => {
    for (const [, act] of acts) act(opened);
  });

test('whatever operations have changed, undoing the latest leaves what was before them', () => {
  let undone = 0;
  fc.assert(
    fc.property(courses, (course) => {
      const opened = openStore();
      const past: { before: object; undo: StoreUndo | undefined }[] = [];
      for (const step of course) {
        if (typeof step !== 'number') {
          const before = seen(opened);
          const { undo } = run(opened, step);
          if (!undo) expect(seen(opened)).toEqual(before);
          past.push({ before, undo });
          continue;
        }
        const latest = past.splice(Math.max(0, past.length - step)).reverse();
        opened.store.undo(latest.flatMap(({ undo }) => undo ?? []));
        undone += latest.length;
        const [expected] = latest.slice(-1);
        if (expected) expect(seen(opened)).toEqual(expected.before);
      }
    }),
    { seed: 20_260_101, numRuns: 500 },
  );
  expect(undone).toBeGreaterThan(500);
});

test('an operation that throws has changed nothing', () => {
  const opened = openStore();
  const before = seen(opened);
  const act = () =>
    run(opened, [
      ['put', ({ store }) => store.customers.put(customer('d', 'new'))],
      ['remove', ({ store }) => store.customers.remove('a')],
      ['throw', () => expect(opened.store.customers.size).toBe(4)],
    ]);
  expect(act).toThrow('toBe');
  expect(seen(opened)).toEqual(before);
  expect(opened.store.recording(() => 1)).toEqual({ result: 1, undo: undefined });
});

test('what undoes an operation counts its records', () => {
  const { store } = openStore();
  const { undo: fresh } = store.recording(() => {
    for (const one of ['a', 'b', 'd']) store.customers.put(customer(one, 'new'));
    store.contracts.remove('a');
  });
  expect(fresh?.count).toBe(4);
  const { undo: again } = store.recording(() => store.customers.remove('d'));
  expect(again?.count).toBe(1);
  const { undo: all } = store.recording(() => store.customers.clear());
  expect(all?.count).toBe(3);
});
