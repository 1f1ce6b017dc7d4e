import { numberFlag, readFlags, seedFlag } from '../report/flags.js';
import { recordResult } from '../report/record.js';
import type { Result } from '../report/result.js';
import { isWithinBounds, textOf } from '../report/text.js';
import { type FuzzOutcome, fuzz } from './fuzz.js';

/** The mock keeps up to 200 documents of decisions, which the cases switch at random. */
const MOST_GROWTH_MB = 64;

const flags = readFlags(
  {
    name: 'fuzz',
    summary:
      'Attacks the built command with malformed bytes and with generated calls of every operation,\nand says with which seed, and with which bytes, a finding repeats.',
  },
  {
    seed: seedFlag(),
    cases: numberFlag('how many cases; the nth has the seed plus n', 2 ** 31 - 1),
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
  return {
    name: 'fuzz',
    command: `npm run fuzz -- --seconds ${flags.seconds}`,
    description:
      'Sends the built command malformed bytes over raw sockets (methods, targets, header fields, framings, other protocols, each mutated, cut into pieces, pipelined, half-closed or reset), and well-formed calls of every operation of both documents, whose parameters, bodies and header fields are generated from the schemas and then changed. No answer may be a 5xx that was not arranged, a stack trace, HTML, an error without a problem, or data of another account; no connection may stay open without an answer; and an account must be the same before and after a call that was refused.',
    seed: String(flags.seed),
    figures: [
      { name: 'cases of malformed bytes', value: String(rawCases) },
      { name: 'cases of generated calls', value: String(callCases) },
      { name: 'calls in them, each with a look at its account', value: String(calls) },
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
    limits: [],
    listings: [
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
