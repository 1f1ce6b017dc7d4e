import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

/** What is asked of a run. */
export interface Flags {
  readonly since: string | undefined;
  readonly files: readonly string[];
  readonly sample: number | undefined;
  readonly seed: number;
  readonly workers: number;
  readonly patienceS: number;
  readonly isAgain: boolean;
  readonly isRecorded: boolean;
}

const HELP = `Usage: npm run mutate -- [flags]

Changes the code in one place at a time, and tells which changes no test notices.

  --since REF      only the lines changed since this commit
  --files PATH     only below this path (repeatable), such as src/billing
  --sample N       only so many, drawn by the seed
  --seed N         of the sample (default 1)
  --workers N      processes at a time (default: one a processor)
  --patience S     seconds of tests that a mutant may take (default 120)
  --again          only what no test noticed in the last run, whose other results are kept
  --record         writes the result and docs/rigour.md
`;

function numberOf(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${flag}: received '${text}', expected a whole number above 0.`);
}

/** Reads the command line; `undefined` if only help was asked for. */
export function readFlags(args: readonly string[]): Flags | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      since: { type: 'string' },
      files: { type: 'string', multiple: true },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(cpus().length) },
      patience: { type: 'string', default: '120' },
      again: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return undefined;
  }
  return {
    since: values.since,
    files: values.files ?? [],
    sample: values.sample === undefined ? undefined : numberOf('sample', values.sample),
    seed: numberOf('seed', values.seed),
    workers: numberOf('workers', values.workers),
    patienceS: numberOf('patience', values.patience),
    isAgain: values.again,
    isRecorded: values.record,
  };
}
