import { numberFlag, readFlags, seedFlag } from '../report/flags.js';
import { report } from '../report/record.js';
import type { Result } from '../report/result.js';
import { figuresOf, JUDGED_FROM_MINUTES, listingsOf } from './figures.js';
import { type SoakOutcome, soak } from './soak.js';

const DATASETS = ['default', 'large'];

const { minutes, rate, seed, dataset, record } = readFlags(
  {
    name: 'soak',
    summary:
      'Loads the built command at a fixed rate, a process for each dataset at the same time, holds every answer against a model, and says what memory, latency, sockets and accounts have become.',
  },
  {
    minutes: numberFlag(`how long; memory is judged from ${JUDGED_FROM_MINUTES} on`, 10),
    rate: numberFlag('calls a second, of all datasets together', 300, 9),
    seed: seedFlag(),
    dataset: {
      words: `one of ${DATASETS.join(', ')}; all of them if left out`,
      initial: DATASETS,
      expected: DATASETS.join(' or '),
      read: (text) => (DATASETS.includes(text) ? [text] : undefined),
    },
  },
);

const plan = { minutes, seed, rate: rate / dataset.length };
const outcomes = await Promise.all(dataset.map((one) => soak({ ...plan, dataset: one })));
report(resultOf(outcomes), record);

function resultOf(all: readonly SoakOutcome[]): Result {
  return {
    name: 'soak',
    command: `npm run soak -- --minutes ${minutes} --rate ${rate} --seed ${seed}${dataset.length > 1 ? '' : ` --dataset ${dataset[0]}`}`,
    description:
      'Loads the built command at a fixed rate, over each dataset in a process of its own, by clients that each act one call at a time under tokens of their own: all five operations, records, snapshots, imports, stubs, faults, decisions, clocks, latency, journals whose limits are reached, streams that are followed, left or never read, calls broken off, accounts reset, closed, and left until they are closed as idle. Every answer is held against a model of its account: status, totals and counts, what was deleted, whole customers and the first 300 measurements of the dataset, ids and names of what was put. Ten times the load pauses for a second, garbage is collected, and memory is read; the first tenth is warm-up. Memory may grow by 25 MB an hour, which is fifty bytes for each of 150 calls a second; resident memory by 5 MB a run beside, since a process keeps what it once needed. Latency is counted from when a call was due; it may double from the second tenth to the last.',
    seed: String(seed),
    figures: all.flatMap((outcome) => figuresOf(outcome, plan)),
    limits: [
      'The seed gives each client the same calls in the same order; how those of several clients interleave depends on the machine.',
    ],
    listings: listingsOf(all),
  };
}
