import { randomUUID } from 'node:crypto';
import { accessSync, appendFileSync, constants, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Logger } from 'pino';
import { hexHash } from '../../../core/store/hash.js';
import { whyUnwritable } from '../../../core/values/file-error.js';
import { type CoverageLine, coverageLines } from '../../../mock/coverage/coverage.js';
import type { CoverageFile } from '../../../mock/coverage/coverage-counter.js';
import { runName } from '../process/run-environment.js';
import { readRegularFile } from './read-regular-file.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/** Windows lacks `O_NOFOLLOW`. */
const FLAGS = O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0);

/** Systems append this many bytes at once. */
const MAX_LINE_LENGTH = 4_096;

/**
 * Opens the file to which all mocks of one run, in all workers of a test suite, append lines of what
 * they have counted since their last. It needs no lock: the system appends one line after another,
 * whichever process writes. Throws an error if the file cannot be written, or if it is neither empty
 * nor a coverage file; replaces that of an earlier run. Later, logs an error if it cannot write.
 */
export function openCoverageFile(given: string, logger: Logger): CoverageFile {
  const path = resolve(given);
  const run = hexHash(16, runName());
  const sentenceOf = (error: unknown) =>
    `Cannot write the coverage file '${path}': ${whyUnwritable(error)}.`;
  let known: string[] = [];
  try {
    accessSync(dirname(path), constants.W_OK);
    const first = firstLines(path);
    if (first[0]?.run === run) known = first.flatMap(({ counts }) => Object.keys(counts));
    else if (first.length > 0) moveAside(path, run);
    append(path, '');
  } catch (error) {
    throw new Error(sentenceOf(error));
  }
  return {
    known,
    write({ version, counts }) {
      try {
        appendLine(path, { version, run, counts });
        return true;
      } catch (error) {
        logger.error(sentenceOf(error));
        return false;
      }
    },
  };
}

/** Appends a line in parts, which add up like other lines, if it is too long. */
function appendLine(path: string, line: CoverageLine): void {
  const text = `\n${JSON.stringify(line)}`;
  const rows = Object.entries(line.counts);
  if (text.length <= MAX_LINE_LENGTH || rows.length === 1) {
    append(path, text);
    return;
  }
  const half = Math.ceil(rows.length / 2);
  for (const part of [rows.slice(0, half), rows.slice(half)])
    appendLine(path, { ...line, counts: Object.fromEntries(part) });
}

/** A line begins with its line break, because a killed process may have left half of one. */
function append(path: string, text: string): void {
  // The types lack the numbers that `open` takes.
  appendFileSync(path, text, { flag: FLAGS as unknown as string, mode: 0o600 });
}

/**
 * The lines with which the first mock of a run has listed all rows; none if the file is new or
 * empty. Refuses a file that no mock has written.
 */
function firstLines(path: string): readonly CoverageLine[] {
  const content = contentOf(path);
  if (content === '') return [];
  const first = coverageLines(content.slice(0, 3 * MAX_LINE_LENGTH));
  if (first[0]?.run !== undefined) return first;
  throw new Error('it was not written by --coverage. Use another path, or move the file away');
}

function contentOf(path: string): string {
  try {
    return readRegularFile(path, { followsLinks: false }).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Removes the file of an earlier run, unless a mock of this run has replaced it meanwhile. */
function moveAside(path: string, run: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const lines = coverageLines(contentOf(aside));
  if (lines[0]?.run === run) for (const line of lines) appendLine(path, line);
  rmSync(aside, { force: true });
}
