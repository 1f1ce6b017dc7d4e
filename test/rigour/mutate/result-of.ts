import type { Figure, Result } from '../report/result.js';
import type { Flags } from './flags.js';
import { isNoticed, type Verdict } from './mutant.js';

/** The share of mutants that tests have to notice. */
const BOUND = 0.9;

export interface Summary {
  readonly verdicts: readonly Verdict[];
  /** Why a mutant cannot be noticed, by its number. */
  readonly reasons: ReadonlyMap<number, string>;
  readonly mutantCount: number;
  readonly testCount: number;
  readonly flags: Flags;
}

const roomOf = ({ mutant }: Verdict) => mutant.file.split('/')[1] ?? '';

/** Equal ones count neither way, unless a test notices one: then its reason is wrong. */
function score(name: string, { reasons }: Summary, verdicts: readonly Verdict[]): Figure {
  const counted = verdicts.filter(
    (verdict) => isNoticed(verdict) || !reasons.has(verdict.mutant.id),
  );
  const killed = counted.filter(isNoticed).length;
  const share = counted.length === 0 ? 1 : killed / counted.length;
  const equal = verdicts.length - counted.length;
  const value = `${(share * 100).toFixed(1)} % (${killed} of ${counted.length}; ${equal} equal)`;
  return { name, value, bound: `≥ ${BOUND * 100} %`, isWithin: share >= BOUND };
}

/** A piece of code in a cell: on one line, and not for ever. */
function codeOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', '´');
  return `\`${line.length > 70 ? `${line.slice(0, 69)}…` : line}\``;
}

function rowOf({ mutant }: Verdict, ...more: string[]): string[] {
  const { file, line, before, after } = mutant;
  return [`${file}:${line}`, codeOf(before), codeOf(after), ...more];
}

/** What anybody can run for the same mutants; `--again` needs the verdicts of an earlier run. */
function commandOf({ sample, seed, files, since }: Flags): string {
  const flags = [
    since === undefined ? '' : `--since ${since}`,
    ...files.map((path) => `--files ${path}`),
    sample === undefined ? '' : `--sample ${sample} --seed ${seed}`,
  ].filter(Boolean);
  return flags.length > 0 ? `npm run mutate -- ${flags.join(' ')}` : 'npm run mutate';
}

/** Tests that were written for the very mutants say little of others. */
function limitOfTestsSince(summary: Summary): string[] {
  const later = summary.verdicts.filter(
    (verdict) => isNoticed(verdict) && verdict.wasMissed,
  ).length;
  if (later === 0) return [];
  const missed = summary.verdicts.map(
    (verdict): Verdict => (verdict.wasMissed ? { ...verdict, fate: 'survived' } : verdict),
  );
  return [
    `${later} of them were missed at first and led to tests: before, the score was ${score('', summary, missed).value}. Another seed tells of those for which no test was written.`,
  ];
}

const DESCRIPTION = `Mutation testing: the code of six rooms is changed in one place at a time, and
the tests that reach that place are run until one fails. A change that no test notices is listed.
Tests that start the built command are not among them. Not changed are types, generated code, numbers,
and texts with a blank in them (messages for people).`.replaceAll('\n', ' ');

/** What a run found, as it is kept. */
export function resultOf(summary: Summary): Result {
  const { verdicts, reasons, flags, mutantCount, testCount } = summary;
  const lost = verdicts.filter((verdict) => !isNoticed(verdict));
  const byPlace = lost.toSorted((one, other) => one.mutant.id - other.mutant.id);
  const spentMs = verdicts.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const isSample = verdicts.length < mutantCount;
  return {
    name: 'mutate',
    command: commandOf(flags),
    description: DESCRIPTION,
    ...(flags.sample !== undefined && { seed: String(flags.seed) }),
    figures: [
      {
        name: 'mutants',
        value: isSample ? `${verdicts.length} of ${mutantCount}` : String(mutantCount),
      },
      { name: 'tests', value: String(testCount) },
      { name: 'time per mutant', value: `${(spentMs / 1000 / verdicts.length).toFixed(1)} s` },
      ...[...new Set(verdicts.map(roomOf))].sort().map((room) =>
        score(
          `noticed in ${room}`,
          summary,
          verdicts.filter((verdict) => roomOf(verdict) === room),
        ),
      ),
      score('noticed in all', summary, verdicts),
    ],
    limits: [
      ...(isSample ? [`A sample: ${verdicts.length} of ${mutantCount} mutants.`] : []),
      ...limitOfTestsSince(summary),
    ],
    listings: [
      {
        title: 'Not noticed by a test',
        columns: ['place', 'before', 'after', 'fate'],
        rows: byPlace
          .filter(({ mutant }) => !reasons.has(mutant.id))
          .map((verdict) => rowOf(verdict, verdict.fate)),
      },
      {
        title: 'Equal: no test can notice them',
        columns: ['place', 'before', 'after', 'reason'],
        rows: byPlace
          .filter(({ mutant }) => reasons.has(mutant.id))
          .map((verdict) => rowOf(verdict, reasons.get(verdict.mutant.id) ?? '')),
      },
    ],
  };
}
