import { numberFlag, readFlags, seedFlag } from '../report/flags.js';
import { report } from '../report/report.js';
import type { Result } from '../report/result.js';
import { figuresOf, JUDGED_FROM_MINUTES, listingsOf } from './figures.js';
import { type SoakOutcome, soak } from './soak.js';

const DATASETS = ['default', 'large'];

const { minutes, rate, seed, dataset } = readFlags(
  {
    name: 'soak',
    summary:
      'Loads the built command at a fixed rate, a process for each dataset at the same time, holds every response against a model, and says what memory, latency, sockets and accounts have become.',
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
report(resultOf(outcomes));

function resultOf(all: readonly SoakOutcome[]): Result {
  return {
    name: 'soak',
    command: `npm run soak -- --minutes ${minutes} --rate ${rate} --seed ${seed}${dataset.length > 1 ? '' : ` --dataset ${dataset[0]}`}`,
    description:
      'Loads the built command at a fixed rate, each dataset in a process of its own: every operation, control call, fault, decision, stream and limit, by clients with their own tokens. Every response is compared with a model of its account. Ten times the load pauses, garbage is collected, and memory is read; the first tenth is warm-up. The heap may grow by 25 MB an hour (fifty bytes a call), resident memory by 5 MB a run on top; the p99, counted from when a call was due, may double.',
    seed: String(seed),
    figures: all.flatMap((outcome) => figuresOf(outcome, plan)),
    limits: ['The seed fixes the calls of each client, not how those of several interleave.'],
    listings: listingsOf(all),
  };
}
