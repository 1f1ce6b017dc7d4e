/** The members of Stryker's report that are read. */
export interface Report {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>
  >;
}

interface ReportedMutant {
  readonly location: { readonly start: Place; readonly end: Place };
  readonly replacement: string;
  readonly status: string;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A mutant that no test can notice, or need not notice because nothing is promised, and why. */
export interface EqualMutant {
  readonly file: string;
  /** The line that the mutant begins on, without its indentation: code may move. */
  readonly code: string;
  readonly before: string;
  readonly after: string;
  /** Begins with `Not promised: ` if a test could notice it. */
  readonly reason: string;
}

/** What happened to a mutant. */
export interface Verdict extends Omit<EqualMutant, 'reason'> {
  readonly line: number;
  readonly status: string;
  readonly isNoticed: boolean;
  readonly reason: string | undefined;
}

const NOTICED = ['Killed', 'Timeout', 'RuntimeError'];
/** The statuses of mutants that were tried, or that no test reaches. */
const TRIED = [...NOTICED, 'Survived', 'NoCoverage'];

/** The text between two places, whose lines and columns count from 1. */
function textBetween(lines: readonly string[], start: Place, end: Place): string {
  const part = lines.slice(start.line - 1, end.line);
  const last = part.length - 1;
  part[last] = (part[last] ?? '').slice(0, end.column - 1);
  part[0] = (part[0] ?? '').slice(start.column - 1);
  return part.join('\n');
}

/** Every mutant that was tried, with the reason why it does not count, if there is one. */
export function verdictsOf({ files }: Report, equal: readonly EqualMutant[]): Verdict[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants
      .filter(({ status }) => TRIED.includes(status))
      .map(({ location: { start, end }, replacement: after, status }) => {
        const code = (lines[start.line - 1] ?? '').trim();
        const before = textBetween(lines, start, end);
        const reason = equal.find(
          (one) =>
            one.file === file && one.code === code && one.before === before && one.after === after,
        )?.reason;
        const isNoticed = NOTICED.includes(status);
        return { file, code, before, after, line: start.line, status, isNoticed, reason };
      });
  });
}

/** The wrong reasons: those whose mutant a test notices, or which no longer exists. */
export function mistakesIn(
  equal: readonly EqualMutant[],
  verdicts: readonly Verdict[],
  isWhole: (file: string) => boolean,
): string[] {
  return equal.flatMap(({ file, code, before, after, reason }) => {
    const found = verdicts.filter((one) => one.reason === reason && one.after === after);
    const what = `equal-mutants.json: '${before}' → '${after}' in '${code}' of ${file}`;
    if (found.length === 0) return isWhole(file) ? [`${what} is no mutant.`] : [];
    return found.some(({ isNoticed }) => isNoticed) ? [`${what} is noticed by a test.`] : [];
  });
}
