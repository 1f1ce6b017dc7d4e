import { judge } from './judge.js';
import type { Mutant } from './mutant.js';
import { Planner } from './plan.js';
import type { Order } from './worker-messages.js';
import type { Outcome, WorkerProcess } from './worker-process.js';

const FILE = 'test/example.test.js';
const MUTANT: Mutant = {
  ...{ id: 1, file: 'src/store/example.ts', line: 1, nth: 1 },
  ...{ before: 'a < b', after: 'a <= b', code: 'return a < b;' },
};
const OUTSIDE = { name: '', durationMs: 0, reached: [] };
const DONE: Outcome = { kind: 'done', files: [], hits: 1 };

/** Judges the mutant with a worker that obeys like this, and tells which mutants were ordered. */
async function judged(obey: (order: Order) => Outcome, reached = [1, 5], atLoad: number[] = []) {
  const tests = [{ name: 'works', durationMs: 1, reached }];
  const covered = { file: FILE, tests, outside: OUTSIDE, atLoad, unusable: [] };
  const planner = new Planner([MUTANT], [covered], 1_000);
  const orders: Order[] = [];
  const worker: Pick<WorkerProcess, 'obey' | 'stop'> = {
    stop: () => undefined,
    obey: async (order) => {
      orders.push(order);
      return obey(order);
    },
  };
  const { fate, by } = await judge(worker as WorkerProcess, planner, MUTANT);
  return { fate, by, orders };
}

test.each(['stuck', 'crashed'] as const)(
  'a worker that is %s has noticed the mutant',
  async (kind) => {
    const { orders, ...rest } = await judged(({ mutant }) =>
      mutant === 1 ? { kind, test: `${FILE} > works` } : DONE,
    );
    expect(rest).toEqual({ fate: 'timed out', by: `${FILE} > works` });
    expect(orders.map(({ mutant, files }) => [mutant, files])).toEqual([
      [1, [{ file: FILE, tests: ['works'] }]],
      [0, [{ file: FILE, tests: ['works'] }]],
    ]);
  },
);

test.each(['stuck', 'crashed'] as const)('one that is %s without it has not', async (kind) => {
  const { fate } = await judged(({ files }) =>
    files.length > 0 ? { kind, test: `${FILE} > works` } : DONE,
  );
  expect(fate).toBe('survived');
});

test('a mutant that only the load of the code reaches may be reached as often as then', async () => {
  const { orders } = await judged(() => DONE, [], [1, 70_000]);
  expect(orders.map(({ mutant, mostHits }) => [mutant, mostHits > 70_000])).toEqual([[1, true]]);
});
