import { type Command, Option } from 'commander';
import { invalidValue, OptionError } from '../core/errors/option-error.js';
import { whyUnreadable } from '../core/values/file-error.js';
import { escapeControls } from '../core/values/received-value.js';
import { readDocuments } from '../host/server/documents/package-files.js';
import { readRegularFile } from '../host/server/files/read-regular-file.js';
import { EXIT, tell } from '../host/terminal/exit.js';
import { FAULT_KINDS } from '../mock/accounts/fault-kinds.js';
import { type Coverage, lostRows, parseCoverage, sumOf } from '../mock/coverage/coverage.js';
import { possibleRows } from '../mock/coverage/rows.js';
import { type CoverageFormat, FORMATS, shareOf } from './coverage-formats.js';

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
        'exit with 1 if less than this percentage of the rows is touched',
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
  const { service } = readDocuments('');
  const { version } = service.info;
  const coverage = sumOf(
    version,
    files.map((file) => readCoverage(file, version)),
  );
  const lost = baseline === undefined ? [] : lostRows(coverage, readCoverage(baseline, version));
  const share = shareOf(coverage.counts);
  const isBelow = 100 * share.touched < min * share.rows;
  const possible = possibleRows(service, FAULT_KINDS);
  const reported = { coverage, files: files.length, share, lost, possible, min, isBelow };
  process.stdout.write(FORMATS[format](reported));
  if (isBelow) {
    tell(
      'info',
      `Only ${share.touched} of ${share.rows} rows were touched; expected at least ${min}% (--min).`,
    );
  }
  if (lost.length > 0) {
    tell(
      'info',
      lost.length === 1
        ? `A row of the baseline is no longer touched: '${lost[0]}'.`
        : `${lost.length} rows of the baseline are no longer touched; the first is '${lost[0]}'.`,
    );
  }
  process.exitCode = isBelow || lost.length > 0 ? EXIT.somethingDiffers : 0;
}

/** The sum of a file, which this version of the mock must have written. */
function readCoverage(file: string, version: string): Coverage {
  try {
    return sumOf(version, [parseCoverage(readRegularFile(file).toString())]);
  } catch (error) {
    // The message may quote from the file.
    throw new OptionError(`Cannot use '${file}': ${escapeControls(whyUnreadable(error))}.`);
  }
}

function percentOf(text: string): number {
  const percent = /^\d{1,3}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (percent <= 100) return percent;
  throw invalidValue('--min', text, { expected: 'a percentage from 0 to 100, such as 80' });
}
