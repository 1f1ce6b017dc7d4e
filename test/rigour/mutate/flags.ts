import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { hasMutants } from './mutated-files.js';

/** Which mutants a run is asked for, and how long each is tried. */
export interface Selection {
  readonly since: string | undefined;
  readonly files: readonly string[];
  readonly sample: number | undefined;
  readonly seed: number;
  readonly patienceS: number;
}

/** What is asked of a run. */
export interface Flags extends Selection {
  readonly workers: number;
  readonly isAgain: boolean;
  readonly isRecorded: boolean;
}

/** What is wrong with a command line, in one sentence. */
export class UsageError extends Error {}

export const USUAL_PATIENCE_S = 120;

const OPTIONS = {
  since: { type: 'string' },
  files: { type: 'string', multiple: true },
  sample: { type: 'string' },
  seed: { type: 'string' },
  workers: { type: 'string' },
  patience: { type: 'string' },
  again: { type: 'boolean' },
  record: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export const HELP = `Usage: npm run mutate -- [flags]

Changes the code in one place at a time, and tells which changes no test notices.

  --since REF      only the lines changed since this commit (default: all)
  --files PATH     only this file or folder (repeatable), such as src/billing (default: all)
  --sample N       only so many, drawn by the seed (default: all)
  --seed N         of the sample (default: 1)
  --workers N      processes at a time (default: one a processor, ${cpus().length} here)
  --patience S     seconds of tests that a mutant may take (default: ${USUAL_PATIENCE_S})
  --again          only what no test noticed in the last run, whose other results are kept,
                   and which says which mutants: with --workers and --record at most
  --record         writes the result and docs/rigour.md
`;

function numberOf(flag: string, text: string | undefined, initial: number): number {
  if (text === undefined) return initial;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--${flag} was '${text}'; expected a whole number above 0.`);
}

/** The values of the flags; refuses what is none, and a value that is missing. */
function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function isCommit(ref: string): boolean {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
    execFileSync('git', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function checkSelection({ since, files }: Selection): void {
  if (since !== undefined && !isCommit(since)) {
    throw new UsageError(`--since was '${since}'; expected a commit of this repository.`);
  }
  const without = files.find((path) => !hasMutants(path));
  if (without !== undefined) {
    throw new UsageError(
      `--files was '${without}'; expected a file or folder with code of the rooms that are changed, such as src/billing.`,
    );
  }
}

/** Reads the command line; `undefined` if only help was asked for. */
export function readFlags(args: readonly string[]): Flags | undefined {
  const values = valuesOf(args);
  if (values.help) return undefined;
  const flags: Flags = {
    since: values.since,
    files: values.files ?? [],
    sample: values.sample === undefined ? undefined : numberOf('sample', values.sample, 1),
    seed: numberOf('seed', values.seed, 1),
    workers: numberOf('workers', values.workers, cpus().length),
    patienceS: numberOf('patience', values.patience, USUAL_PATIENCE_S),
    isAgain: values.again ?? false,
    isRecorded: values.record ?? false,
  };
  if (flags.isAgain) {
    const other = (['since', 'files', 'sample', 'seed', 'patience'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (other) throw new UsageError(`--${other} was given with --again; expected one of them.`);
  }
  checkSelection(flags);
  return flags;
}
