import { randomUUID } from 'node:crypto';
import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { hexHash } from '../../../core/store/hash.js';
import { whyUnwritable } from '../../../core/values/file-error.js';
import { parseJson } from '../../../core/values/parse-json.js';
import type { Coverage, CoverageRow } from '../../../mock/coverage/coverage.js';
import { checkSameDocument, parseCoverage } from '../../../mock/coverage/merge.js';
import { runName } from '../process/run-environment.js';
import { readRegularFile } from './read-regular-file.js';
import { writeWholeFile } from './write-whole-file.js';

/** The file to which all mocks of one run, in all workers of a test suite, add their coverage. */
export interface CoverageFile {
  /** Replaces what this mock has written to the file before. Logs an error if it cannot. */
  write(coverage: Coverage, calls: number): void;
}

/** The line with which a mock announces itself, before it has counted anything. */
type Started = Pick<Part, 'writer'>;

/** What a mock has counted so far: a line of the parts file, which only grows during a run. */
interface Part {
  readonly writer: string;
  readonly document: string;
  /** How many calls it received, refused ones included. */
  readonly calls: number;
  /** The numbers of all rows, one row after the other. */
  readonly numbers: readonly number[];
}

export interface MocksOfRun {
  /** How many calls they received, refused ones included. */
  readonly calls: number;
  /** How many have started but never reported. */
  readonly unwritten: number;
}

export function mocksOfRun(path: string, run: string): MocksOfRun {
  const parts = partsOf(path, run);
  const lines = existsSync(parts) ? partsIn(readFileSync(parts, 'utf8')) : [];
  const last = [...new Map(lines.map((part) => [part.writer, part])).values()];
  return {
    calls: last.reduce((sum, part) => sum + (isWritten(part) ? part.calls : 0), 0),
    unwritten: last.filter((part) => !isWritten(part)).length,
  };
}

/** Throws an error if the file cannot be written, or is neither empty nor a coverage file. */
export function openCoverageFile(given: string, logger: Logger): CoverageFile {
  const path = resolve(given);
  const sentenceOf = (error: unknown) =>
    `Cannot write the coverage file '${path}': ${whyUnwritable(error)}.`;
  const run = runName();
  const writer = randomUUID();
  const parts = partsOf(path, run);
  try {
    accessSync(dirname(path), constants.W_OK);
    refuseReplacing(path);
    removeOtherParts(path, parts);
    // Shows that this mock exists, even if it is killed before it writes.
    appendPart(parts, { writer });
  } catch (error) {
    throw new Error(sentenceOf(error));
  }
  return {
    write(coverage, calls) {
      try {
        const { document } = coverage;
        const numbers = coverage.rows.flatMap(numbersOf);
        appendPart(parts, { writer, document, calls, numbers });
        writeSum(path, run, parts, coverage);
      } catch (error) {
        logger.error(sentenceOf(error));
      }
    },
  };
}

/**
 * The file to which the mocks of a run append what they have counted. It needs no lock: the system
 * appends one line after another, whichever process writes.
 */
function partsOf(path: string, run: string): string {
  return join(dirname(path), `.${basename(path)}.${hexHash(16, run)}.parts`);
}

/** Appends a line, on a new line even if a killed process has left half of one. */
function appendPart(parts: string, part: Part | Started): void {
  appendFileSync(parts, `\n${JSON.stringify(part)}`, { mode: 0o600 });
}

function removeOtherParts(path: string, own: string): void {
  const isParts = (name: string) =>
    name.startsWith(`.${basename(path)}.`) && name.endsWith('.parts');
  for (const name of readdirSync(dirname(path)).filter(isParts)) {
    const parts = join(dirname(path), name);
    if (parts !== own) rmSync(parts, { force: true });
  }
}

/** Refuses to replace a file that no mock has written, unless it is empty. */
function refuseReplacing(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile()) {
    const code = stats.isSymbolicLink() ? 'ELOOP' : stats.isDirectory() ? 'EISDIR' : 'ENXIO';
    throw Object.assign(new Error(), { code });
  }
  if (stats.size === 0) return;
  try {
    const written = parseCoverage(readRegularFile(path).toString());
    if (!('run' in written)) throw new Error('it was not written by --coverage');
  } catch (error) {
    throw new Error(`${(error as Error).message}. Use another path, or move the file away`);
  }
}

/** Writes the sum of all mocks; repeats that if one of them has added counts meanwhile. */
function writeSum(path: string, run: string, parts: string, like: Coverage): void {
  let size: number | undefined;
  while (size !== statSync(parts).size) {
    const content = readFileSync(parts);
    size = content.length;
    const sum = sumOf(partsIn(content.toString()), like);
    writeWholeFile(path, `${JSON.stringify({ run, ...sum }, undefined, 1)}\n`, 0o600);
  }
}

/** Ignores the incomplete lines of killed processes. */
function partsIn(lines: string): (Part | Started)[] {
  return lines.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [parseJson(line) as Part | Started];
    } catch {
      return [];
    }
  });
}

function sumOf(parts: readonly (Part | Started)[], like: Coverage): Coverage {
  const last = new Map(parts.filter(isWritten).map((part) => [part.writer, part]));
  const sums = new Array<number>(like.rows.length * MEMBERS).fill(0);
  for (const { document, numbers } of last.values()) {
    checkSameDocument(like, document);
    for (const [nth, number] of numbers.entries()) sums[nth] = (sums[nth] ?? 0) + number;
  }
  const rows = like.rows.map((row, nth) => withNumbers(row, sums.slice(MEMBERS * nth)));
  return { ...like, rows };
}

function isWritten(part: Part | Started): part is Part {
  return 'numbers' in part;
}

/** How many numbers a row has. */
const MEMBERS = 4;

function numbersOf({ count, isReachable, triedAgain = 0, noFurther = 0 }: CoverageRow): number[] {
  return [count, Number(isReachable), triedAgain, noFurther];
}

function withNumbers(row: CoverageRow, numbers: readonly number[]): CoverageRow {
  const [count = 0, reachable = 0, triedAgain = 0, noFurther = 0] = numbers;
  const again = row.triedAgain === undefined ? {} : { triedAgain, noFurther };
  return { ...row, count, isReachable: reachable > 0, ...again };
}
