import { countFlag, numberFlag, readFlags, seedFlag } from '../report/flags.js';
import { report } from '../report/report.js';
import { type Figure, figure, type Result } from '../report/result.js';
import { type FuzzOutcome, fuzz } from './fuzz.js';

const MOST_GROWTH_MB = 64;

/** In fewer cases it is chance which operations are called as they want to be. */
const CASES_FOR_EVERY_OPERATION = 2_000;

const NO_BOUND_OF_CASES = 2 ** 31 - 1;

/** What a fuzz never tries, and so says nothing of. */
const LIMITS = [
  'The command starts in one way: default dataset with a scenario, default decisions, no control token, base path or state file, no rate limits.',
  'No HTTP/2, no TLS; flags, environment variables and fixtures get no generated values.',
  'The content of successes is left to the tests and the soak, and so are two accounts at once.',
  'Data of another account is recognised by its token.',
];

const { seed, cases, seconds } = readFlags(
  {
    name: 'fuzz',
    summary:
      'Attacks the built command with malformed bytes and with generated calls of every operation, and says with which seed, and with which bytes, a finding repeats.',
  },
  {
    seed: seedFlag(),
    cases: countFlag('how many cases; the nth has the seed plus n', NO_BOUND_OF_CASES),
    seconds: numberFlag('how long at most', 60),
  },
);

const outcome = await fuzz({ seed, mostCases: cases, mostMs: seconds * 1_000 });
report(resultOf(outcome));
for (const { finding } of outcome.found) process.stdout.write(`\n${finding.pasted.join('\n')}\n`);

function resultOf(outcome: FuzzOutcome): Result {
  const { found, heapGrowthBytes, leftOpen } = outcome;
  const growthMb = heapGrowthBytes / 2 ** 20;
  return {
    name: 'fuzz',
    command: `npm run fuzz -- --seed ${seed}${cases === NO_BOUND_OF_CASES ? '' : ` --cases ${cases}`} --seconds ${seconds}`,
    description:
      'Sends malformed bytes over raw sockets, and calls of every operation of both documents, generated from the schemas and then changed. No response may be a 5xx that was not arranged, a stack trace, HTML, an error that is not a problem, or data of another account; no connection may stay open without a response; a refused call or a read must leave the account unchanged.',
    seed: String(seed),
    figures: [
      figure('cases of malformed bytes', outcome.rawCases),
      figure('cases of generated calls', outcome.callCases),
      figure('calls in them', outcome.calls),
      successes(outcome),
      figure('findings', found.length, '0', found.length === 0),
      figure(
        'growth of the heap, garbage collected',
        `${growthMb.toFixed(1)} MB`,
        `at most ${MOST_GROWTH_MB} MB`,
        growthMb <= MOST_GROWTH_MB,
      ),
      figure(
        'sockets and timers left by clients gone',
        leftOpen.length,
        '0',
        leftOpen.length === 0,
      ),
    ],
    limits: LIMITS,
    listings: [
      {
        title: 'Operations that no call succeeded in',
        columns: ['operation'],
        rows: outcome.notSucceeded.map((operationId) => [operationId]),
      },
      {
        title: 'Findings',
        columns: ['repeat with', 'expected', 'received'],
        rows: found.map(({ seed, finding: { expected, received }, repeats }) => [
          `npm run fuzz -- --seed ${seed} --cases 1${repeats ? '' : ' (did not repeat alone)'}`,
          expected,
          received,
        ]),
      },
    ],
  };
}

function successes({ rawCases, callCases, succeeded, notSucceeded }: FuzzOutcome): Figure {
  const all = succeeded + notSucceeded.length;
  const [name, value] = ['operations answered with a success', `${succeeded} of ${all}`];
  if (rawCases + callCases < CASES_FOR_EVERY_OPERATION) return figure(name, value);
  return figure(name, value, `${all} of ${all}`, notSucceeded.length === 0);
}
