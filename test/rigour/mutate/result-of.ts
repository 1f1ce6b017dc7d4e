import type { Figure, Listing, Result } from '../report/result.js';
import { type Selection, USUAL_PATIENCE_S } from './flags.js';
import { isNoticed, type Verdict } from './mutant.js';
import { disprovedBy, isNotPromised, type Reasons, scoreFigure, scoreOf } from './score.js';

export interface Summary {
  readonly verdicts: readonly Verdict[];
  readonly reasons: Reasons;
  readonly mutantCount: number;
  readonly testCount: number;
  /** How many tests fail in a worker without any mutant. */
  readonly unusable: number;
  /** How many fail without a mutant where they run without others of their file. */
  readonly needOthers: number;
  /** What the run was asked for; that of the first, if this one tried again what it had missed. */
  readonly selection: Selection;
  readonly isAgain: boolean;
}

const roomOf = ({ mutant }: Verdict) => mutant.file.split('/')[1] ?? '';

/** A piece of code in a cell: on one line, and not for ever. */
function codeOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', '´');
  return `\`${line.length > 70 ? `${line.slice(0, 69)}…` : line}\``;
}

function rowOf({ mutant }: Verdict, ...more: string[]): string[] {
  const { file, line, before, after } = mutant;
  return [`${file}:${line}`, codeOf(before), codeOf(after), ...more];
}

/** What anybody can run for the same mutants. */
export function commandOf({ selection, isAgain }: Pick<Summary, 'selection' | 'isAgain'>): string {
  const { sample, seed, files, since, patienceS } = selection;
  const flags = [
    ...(since === undefined ? [] : [`--since ${since}`]),
    ...files.map((path) => `--files ${path}`),
    ...(sample === undefined ? [] : [`--sample ${sample} --seed ${seed}`]),
    ...(patienceS === USUAL_PATIENCE_S ? [] : [`--patience ${patienceS}`]),
  ];
  const first = ['npm run mutate', ...(flags.length > 0 ? ['--', ...flags] : [])].join(' ');
  return isAgain ? `${first}; npm run mutate -- --again` : first;
}

/** Tests that were written for the very mutants say little of others. */
function limitOfTestsSince({ verdicts, reasons }: Summary): string[] {
  const later = verdicts.filter((verdict) => isNoticed(verdict) && verdict.wasMissed).length;
  if (later === 0) return [];
  const missed = verdicts.map(
    (verdict): Verdict => (verdict.wasMissed ? { ...verdict, fate: 'survived' } : verdict),
  );
  return [
    `Missed at first, and noticed by tests that were written since: ${later}. Before, the score was ${scoreOf(missed, reasons).value}. Another seed tells of those for which no test was written.`,
  ];
}

function limitsOf(summary: Summary): string[] {
  const { verdicts, mutantCount, unusable, needOthers, isAgain } = summary;
  return [
    ...(verdicts.length < mutantCount
      ? [`A part: ${verdicts.length} of ${mutantCount} mutants.`]
      : []),
    ...(isAgain ? ['With `--again`: what no test had noticed at first was tried once more.'] : []),
    ...limitOfTestsSince(summary),
    'Lone calls, `return` and `await` are not taken away, and no condition of a loop becomes `true`.',
    `Tests, or files of tests, that were not used because they fail without a mutant: ${unusable}; because they fail without others of their file: ${needOthers}.`,
  ];
}

const DESCRIPTION =
  `Mutation testing: the code of seven rooms is changed in one place at a time, and
the tests that reach that place are run until one fails. A change that no test notices is listed.
Tests that start the built command are not among them. Not changed are types, generated code, numbers,
and texts with a blank in them (messages for people).`.replaceAll('\n', ' ');

function figuresOf(summary: Summary): Figure[] {
  const { verdicts, reasons, mutantCount, testCount, selection } = summary;
  const spentMs = verdicts.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const countOf = (fate: Verdict['fate']) =>
    String(verdicts.filter((verdict) => verdict.fate === fate).length);
  const isWhole = verdicts.length === mutantCount;
  const disproved = disprovedBy(verdicts, reasons).length;
  const rooms = [...new Set(verdicts.map(roomOf))].sort();
  return [
    {
      name: 'mutants',
      value: isWhole ? String(mutantCount) : `${verdicts.length} of ${mutantCount}`,
    },
    { name: 'tests', value: String(testCount) },
    { name: 'time per mutant', value: `${(spentMs / 1000 / verdicts.length).toFixed(1)} s` },
    { name: 'noticed by a test that failed', value: countOf('killed') },
    { name: 'noticed by a timeout, a loop or a crash', value: countOf('timed out') },
    {
      name: 'reasons that a test disproves',
      value: String(disproved),
      bound: '0',
      isWithin: disproved === 0,
    },
    ...rooms.map((room) => {
      const own = verdicts.filter((verdict) => roomOf(verdict) === room);
      return scoreFigure(`noticed in ${room}`, own, reasons);
    }),
    scoreFigure('noticed in all', verdicts, reasons, selection.sample !== undefined && !isWhole),
  ];
}

function listingsOf({ verdicts, reasons }: Summary): Listing[] {
  const reasonOf = ({ mutant }: Verdict) => reasons.get(mutant.id);
  const lost = verdicts
    .filter((verdict) => !isNoticed(verdict))
    .sort((one, other) => one.mutant.id - other.mutant.id);
  const withReason = (title: string, isListed: (reason: string) => boolean): Listing => ({
    title,
    columns: ['place', 'before', 'after', 'reason'],
    rows: lost.flatMap((verdict) => {
      const reason = reasonOf(verdict);
      return reason !== undefined && isListed(reason) ? [rowOf(verdict, reason)] : [];
    }),
  });
  return [
    {
      title: 'Not noticed by a test',
      columns: ['place', 'before', 'after', 'fate'],
      rows: lost
        .filter((verdict) => reasonOf(verdict) === undefined)
        .map((verdict) => rowOf(verdict, verdict.fate)),
    },
    withReason('Equal: no test can notice them', (reason) => !isNotPromised(reason)),
    withReason('Noticeable, but promised to nobody', isNotPromised),
  ];
}

/** What a run found, as it is kept. */
export function resultOf(summary: Summary): Result {
  const { sample, seed } = summary.selection;
  return {
    name: 'mutate',
    command: commandOf(summary),
    description: DESCRIPTION,
    ...(sample !== undefined && { seed: String(seed) }),
    figures: figuresOf(summary),
    limits: limitsOf(summary),
    listings: listingsOf(summary),
  };
}
