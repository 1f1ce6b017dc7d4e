import { countFlag, numberFlag, readFlags, seedFlag } from '../report/flags.js';
import { recordResult } from '../report/record.js';
import type { Figure, Result } from '../report/result.js';
import { isWithinBounds, textOf } from '../report/text.js';
import { type FuzzOutcome, fuzz } from './fuzz.js';
import { LIMITS } from './limits.js';

const MOST_GROWTH_MB = 64;

/** In fewer cases it is chance which operations are called as they want to be. */
const CASES_FOR_EVERY_OPERATION = 2_000;

const NO_BOUND_OF_CASES = 2 ** 31 - 1;

const flags = readFlags(
  {
    name: 'fuzz',
    summary:
      'Attacks the built command with malformed bytes and with generated calls of every operation,\nand says with which seed, and with which bytes, a finding repeats.',
  },
  {
    seed: seedFlag(),
    cases: countFlag('how many cases; the nth has the seed plus n', NO_BOUND_OF_CASES),
    seconds: numberFlag('how long at most', 60),
  },
);

const outcome = await fuzz({
  seed: flags.seed,
  mostCases: flags.cases,
  mostMs: flags.seconds * 1_000,
});
const result = resultOf(outcome);
process.stdout.write(`${textOf(result)}\n`);
if (flags.record) recordResult(result);
process.exitCode = isWithinBounds(result) ? 0 : 1;

function resultOf(outcome: FuzzOutcome): Result {
  const { rawCases, callCases, calls, found, heapGrowthBytes, leftOpen } = outcome;
  const growthMb = heapGrowthBytes / 2 ** 20;
  const cases = flags.cases === NO_BOUND_OF_CASES ? '' : ` --cases ${flags.cases}`;
  return {
    name: 'fuzz',
    command: `npm run fuzz -- --seed ${flags.seed}${cases} --seconds ${flags.seconds}`,
    description:
      'Sends malformed bytes over raw sockets, and calls of every operation of both documents, generated from the schemas and then changed. No response may be a 5xx that was not arranged, a stack trace, HTML, an error that is not a problem, or data of another account; no connection may stay open without a response; a refused call or a read must leave the account unchanged.',
    seed: String(flags.seed),
    figures: [
      { name: 'cases of malformed bytes', value: String(rawCases) },
      { name: 'cases of generated calls', value: String(callCases) },
      { name: 'calls in them', value: String(calls) },
      successes(outcome),
      { name: 'findings', value: String(found.length), bound: '0', isWithin: found.length === 0 },
      {
        name: 'growth of the heap, garbage collected',
        value: `${growthMb.toFixed(1)} MB`,
        bound: `at most ${MOST_GROWTH_MB} MB`,
        isWithin: growthMb <= MOST_GROWTH_MB,
      },
      {
        name: 'sockets and timers left by clients gone',
        value: String(leftOpen.length),
        bound: '0',
        isWithin: leftOpen.length === 0,
      },
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
        columns: ['repeat with', 'expected', 'received', 'sent'],
        rows: found.map(({ seed, finding, repeats }) => [
          `npm run fuzz -- --seed ${seed} --cases 1${repeats ? '' : ' (did not repeat alone)'}`,
          finding.expected,
          finding.received,
          `${finding.pasted.join('\n')}\n`,
        ]),
      },
    ],
  };
}

function successes({ rawCases, callCases, succeeded, notSucceeded }: FuzzOutcome): Figure {
  const all = succeeded + notSucceeded.length;
  const figure = { name: 'operations answered with a success', value: `${succeeded} of ${all}` };
  if (rawCases + callCases < CASES_FOR_EVERY_OPERATION) return figure;
  return { ...figure, bound: `${all} of ${all}`, isWithin: notSucceeded.length === 0 };
}
