import { countFlag, numberFlag, readFlags, seedFlag } from '../report/flags.js';
import { report } from '../report/record.js';
import { type Figure, figure, type Result } from '../report/result.js';
import { type FuzzOutcome, fuzz } from './fuzz.js';

const MOST_GROWTH_MB = 64;

/** In fewer cases it is chance which operations are called as they want to be. */
const CASES_FOR_EVERY_OPERATION = 2_000;

const NO_BOUND_OF_CASES = 2 ** 31 - 1;

/** What a fuzz never tries, and so says nothing of. */
const LIMITS = [
  'HTTP/2 (but its preface as bytes of another protocol) and TLS are not tried: every connection is HTTP/1.1 in plain text.',
  'The mock is started in one way: with its default dataset and decisions, without a control token, a base path or a state file, with a journal file and 512 MB of heap, and without limits of rate.',
  'What the command reads before it serves (flags, environment, fixtures) gets no generated values.',
  'Of a success only its form and whose data it has is checked: what it has to say is up to the tests and the soak.',
  'No data of another account means none that has its token: a count, or the existence of a record, could be told.',
  'Generated calls wait for each answer or are made at once in one account; two accounts at once are up to the soak.',
];

const { seed, cases, seconds, record } = readFlags(
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
report(resultOf(outcome), record);
for (const { finding } of outcome.found) process.stdout.write(`\n${finding.pasted.join('\n')}\n`);

function resultOf(outcome: FuzzOutcome): Result {
  const { found, heapGrowthBytes, leftOpen } = outcome;
  const growthMb = heapGrowthBytes / 2 ** 20;
  return {
    name: 'fuzz',
    command: `npm run fuzz -- --seed ${seed}${cases === NO_BOUND_OF_CASES ? '' : ` --cases ${cases}`} --seconds ${seconds}`,
    description:
      'Sends the built command malformed bytes over raw sockets (methods, targets, header fields, framings, other protocols, each mutated, cut into pieces, pipelined, half-closed or reset), and well-formed calls of every operation of both documents, whose parameters, bodies and header fields are generated from the schemas and then changed. No answer may be a 5xx that was not arranged, a stack trace, HTML, an error without a problem, or data of another account; no connection may stay open without an answer; and an account must be the same before and after a call that was refused, or that reads. Calls of a case are made one after the other, with a look at the account after each, or all at once, in which case only their answers are checked. The heap may grow by 64 MB, since the mock keeps up to 200 documents of decisions, which the cases switch at random.',
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
