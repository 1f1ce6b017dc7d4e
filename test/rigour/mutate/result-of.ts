import { type Figure, figure, type Listing, type Result } from '../report/result.js';
import type { Verdict } from './verdicts.js';

/** The share of mutants that tests must notice. */
const BOUND = 0.9;

const DESCRIPTION = `Mutation testing by StrykerJS: the code of the core is changed in one place at a time, and the tests of src/ that reach that place are run until one fails. A change that no test notices is listed. Tests that start the built command are not among them. Not changed are types, generated code, and texts with a blank in them (messages for people).`;

/** The share that tests noticed, without mutants that are excused by a reason. */
export function scoreOf(name: string, verdicts: readonly Verdict[]): Figure {
  const noticed = verdicts.filter(({ isNoticed }) => isNoticed).length;
  const equal = verdicts.filter(({ isNoticed, reason }) => !isNoticed && reason).length;
  const counted = verdicts.length - equal;
  const share = counted === 0 ? 1 : noticed / counted;
  const value = `${(share * 100).toFixed(1)} % (${noticed} of ${counted}; ${equal} equal)`;
  return figure(name, value, `≥ ${BOUND * 100} %`, share >= BOUND);
}

/** A piece of code in a cell of a table: on one line, and cut if it is long. */
function cellOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', '´');
  return `\`${line.length > 70 ? `${line.slice(0, 69)}…` : line}\``;
}

function listing(title: string, verdicts: readonly Verdict[]): Listing {
  return {
    title,
    columns: ['place', 'before', 'after', 'why'],
    rows: verdicts.map(({ file, line, before, after, status, reason }) => [
      ...[`${file}:${line}`, cellOf(before), cellOf(after), reason ?? status],
    ]),
  };
}

/** What a run found, for the report. */
export function resultOf(
  verdicts: readonly Verdict[],
  mistakes: readonly string[],
  command: string,
): Result {
  const folders = new Set(verdicts.map(({ file }) => file.split('/').slice(1, 3).join('/')));
  const lost = verdicts.filter(({ isNoticed }) => !isNoticed);
  return {
    name: 'mutate',
    command,
    description: DESCRIPTION,
    figures: [
      figure('mutants', verdicts.length),
      figure('reasons that are wrong', mistakes.length, '0', mistakes.length === 0),
      ...[...folders].sort().map((folder) =>
        scoreOf(
          `noticed in ${folder}`,
          verdicts.filter(({ file }) => file.startsWith(`src/${folder}/`)),
        ),
      ),
      scoreOf('noticed in all', verdicts),
    ],
    limits: [],
    listings: [
      listing(
        'Not noticed by a test',
        lost.filter(({ reason }) => !reason),
      ),
      listing(
        'Equal, or promised to nobody',
        lost.filter(({ reason }) => reason),
      ),
    ],
  };
}
