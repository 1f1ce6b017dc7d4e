import { type Command, Option } from 'commander';
import { invalidValue, OptionError } from '../core/errors/option-error.js';
import { whyUnreadable } from '../core/values/file-error.js';
import { escapeControls } from '../core/values/received-value.js';
import { readRegularFile } from '../host/server/files/read-regular-file.js';
import { EXIT, tell } from '../host/terminal/exit.js';
import type { Coverage } from '../mock/coverage/coverage.js';
import { addCoverage, lostRows, parseCoverage, shareOf } from '../mock/coverage/merge.js';
import { type CoverageFormat, FORMATS, type ReportedCoverage } from './coverage-formats.js';

interface CoverageFlags {
  readonly min?: number;
  readonly format: CoverageFormat;
  readonly baseline?: string;
}

export function addCoverageCommand(program: Command): void {
  const command = program
    .command('coverage')
    .description('add up coverage files, and print which parts of the document were touched')
    .argument('<file...>', 'the files that --coverage wrote')
    .addOption(
      new Option(
        '--min <percent>',
        'exit with 1 if less than this percentage of the reachable rows is touched',
      ).argParser(percentOf),
    )
    .addOption(
      new Option('--format <format>', 'how to print the coverage')
        .choices(Object.keys(FORMATS))
        .default('text'),
    )
    .option('--baseline <file>', 'exit with 1 if a row touched in this file is no longer touched')
    .action((files: string[]) => run(files, command.opts()));
}

function run(files: readonly string[], { min = 0, format, baseline }: CoverageFlags): void {
  const [first = '', ...others] = files;
  const coverage = others.reduce((sum, file) => added(sum, file), readCoverage(first));
  const before = baseline === undefined ? undefined : readCoverage(baseline);
  if (before) using(String(baseline), () => addCoverage(coverage, before));
  const lost = before ? lostRows(coverage, before) : [];
  const share = shareOf(coverage.rows);
  const isBelow = 100 * share.touched < min * share.reachable;
  const reported: ReportedCoverage = { coverage, files: files.length, share, lost, min, isBelow };
  process.stdout.write(FORMATS[format](reported));
  if (isBelow) {
    tell(
      'info',
      `Only ${share.touched} of ${share.reachable} rows were touched; expected at least ${min}% (--min).`,
    );
  }
  if (lost.length > 0) {
    const row = `'${lost[0]?.of}: ${lost[0]?.row}'`;
    tell(
      'info',
      lost.length === 1
        ? `A row of the baseline is no longer touched: ${row}.`
        : `${lost.length} rows of the baseline are no longer touched; the first is ${row}.`,
    );
  }
  process.exitCode = isBelow || lost.length > 0 ? EXIT.somethingDiffers : 0;
}

function added(sum: Coverage, file: string): Coverage {
  const coverage = readCoverage(file);
  return using(file, () => addCoverage(sum, coverage));
}

function readCoverage(file: string): Coverage {
  return using(file, () => {
    try {
      return parseCoverage(readRegularFile(file).toString());
    } catch (error) {
      throw new Error(whyUnreadable(error));
    }
  });
}

/** Adds the name of the file to errors about its coverage. */
function using<Result>(file: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    // The message may quote from the file.
    throw new OptionError(`Cannot use '${file}': ${escapeControls((error as Error).message)}.`);
  }
}

function percentOf(text: string): number {
  const percent = /^\d{1,3}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (percent <= 100) return percent;
  throw invalidValue('--min', text, { expected: 'a percentage from 0 to 100, such as 80' });
}
