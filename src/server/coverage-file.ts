import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Coverage } from '../coverage/coverage.js';
import { addCoverage, parseCoverage } from '../coverage/merge.js';
import { whyUnwritable } from '../values/file-error.js';
import { isObject } from '../values/json-value.js';
import { runName } from './run-environment.js';
import { writeWholeFile } from './write-whole-file.js';

/** A file that has the coverage of one run: of all mocks of a suite, whatever its workers. */
export interface CoverageFile {
  /** Replaces in the file what this mock has written before. Reports that it cannot. */
  write(coverage: Coverage): void;
}

const OLDEST_LOCK_MS = 5_000;
const POLL_MS = 5;

/** Opens a coverage file. Throws an error of one sentence if it could not be written. */
export function openCoverageFile(given: string, logger: Logger): CoverageFile {
  const path = resolve(given);
  const sentenceOf = (error: unknown) =>
    `Cannot write the coverage file '${path}': ${whyUnwritable(error)}.`;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false) {
      throw Object.assign(new Error(), { code: 'EISDIR' });
    }
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new Error(sentenceOf(error));
  }
  const run = runName();
  let before: Coverage | undefined;
  return {
    write(coverage) {
      try {
        withLock(`${path}.lock`, () => {
          const written = coverageOfRun(path, run);
          const whole = written ? addCoverage(written, coverage, before) : coverage;
          writeWholeFile(path, `${JSON.stringify({ run, ...whole }, undefined, 1)}\n`);
        });
        before = coverage;
      } catch (error) {
        logger.error(sentenceOf(error));
      }
    },
  };
}

/** What mocks of this run have written; nothing if the file is of another one. */
function coverageOfRun(path: string, run: string): Coverage | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const value: unknown = JSON.parse(text);
    return isObject(value) && value.run === run ? parseCoverage(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Waits until no other process writes; a lock that a killed one has left behind is removed. */
function withLock(path: string, act: () => void): void {
  for (;;) {
    try {
      closeSync(openSync(path, 'wx'));
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const lockedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - lockedAtMs > OLDEST_LOCK_MS) rmSync(path, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
  }
  try {
    act();
  } finally {
    rmSync(path, { force: true });
  }
}
