import { countFlag, numberFlag, readFlags, seedFlag } from '../report/flags.js';
import { report } from '../report/report.js';
import { figure } from '../report/result.js';
import { fuzz, KIND_NAMES, type KindName } from './fuzz.js';

const MAX_GROWTH_MB = 64;

/** In fewer cases, it is chance which operations are called successfully. */
const CASES_FOR_EVERY_OPERATION = 1_000;

const NO_BOUND_OF_CASES = 2 ** 31 - 1;

const flags = readFlags(
  {
    name: 'fuzz',
    summary:
      'Attacks the built command with malformed bytes, generated calls of every operation, deep, blank and large values, streams that nobody reads, and credentials in every place; says how a finding repeats.',
  },
  {
    seed: seedFlag(),
    cases: countFlag('how many cases of each kind', NO_BOUND_OF_CASES),
    seconds: numberFlag('how long at most', 60),
    only: {
      words: 'one kind of case',
      expected: KIND_NAMES.join(', '),
      initial: undefined as KindName | undefined,
      read: (text: string) => KIND_NAMES.find((name) => name === text),
    },
    path: {
      words: 'the one case that a finding names',
      expected: 'numbers with colons between them',
      initial: '',
      read: (text: string) => (/^\d+(:\d+)*$/.test(text) ? text : undefined),
    },
  },
);

const { seed, cases, seconds, only, path } = flags;
const kinds = only ? [only] : KIND_NAMES;
const outcome = await fuzz({ kinds, seed, seconds, path, cases: path === '' ? cases : 1 });
const { found, leftOpen, notSucceeded } = outcome;
const grownMb = outcome.growthBytes / 2 ** 20;
const isChance = (outcome.cases.calls ?? 0) < CASES_FOR_EVERY_OPERATION;

report({
  name: 'fuzz',
  command: `npm run fuzz -- --seed ${seed}${only ? ` --only ${only}` : ''} --seconds ${seconds}`,
  description:
    'No response may be a 5xx that was not arranged, a stack trace, HTML, an error that is not a problem, or data of another account; no connection may stay open without a response; a refused call or a read must leave the account unchanged. What is nested deep is refused, blanks change nothing, what is kept and what is not read is bounded, and no credential is in anything that leaves the mock.',
  seed: `${seed}`,
  figures: [
    ...Object.entries(outcome.cases).map(([kind, count]) => figure(`cases of ${kind}`, count)),
    figure('findings', found.length, '0', found.length === 0),
    figure(
      'growth of the heap, garbage collected',
      `${grownMb.toFixed(1)} MB`,
      `at most ${MAX_GROWTH_MB} MB`,
      grownMb <= MAX_GROWTH_MB,
    ),
    figure('sockets and timers left by clients gone', leftOpen.length, '0', leftOpen.length === 0),
    figure(
      'operations without a success',
      isChance ? 'too few cases' : [...notSucceeded].join(' ') || 'none',
      'none',
      isChance || notSucceeded.size === 0,
    ),
  ],
  limits: [],
  listings: [],
});
for (const one of found) {
  const lines = one.split('\n').map((line) => line.slice(0, 2_000));
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
