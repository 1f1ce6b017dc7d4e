import { accessSync, constants, lstatSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { packageVersion } from '../server/package-files.js';
import { isAnotherProcess } from '../server/running-process.js';
import { writeWholeFile } from '../server/write-whole-file.js';
import { attempt } from './output-file.js';

/** A ready file may contain the control token. */
const OWNER_ONLY = 0o600;

/** A ready file is never larger. */
const MOST_BYTES = 10_000;

/**
 * Creates a file that exists, and is complete, from when the mock can be called until it ends.
 * Removes the file of a crashed mock at once, and replaces that of a running one when this mock is
 * ready. Fails if anything else is at the path, except an empty file.
 */
export function createReadyFile(file: string) {
  const what = `the ready file '${file}'`;
  attempt(what, () => {
    accessSync(dirname(file), constants.W_OK);
    const pid = pidIn(file);
    if (pid !== undefined && !isAnotherProcess(pid)) rmSync(file);
  });
  return {
    /** Writes what is needed to call the mock. */
    write(mock: { url: string; token: string; controlToken: string | undefined }): void {
      const content = { ...mock, pid: process.pid, version: packageVersion() };
      const text = `${JSON.stringify(content)}\n`;
      attempt(what, () => writeWholeFile(file, text, OWNER_ONLY));
      process.once('exit', () => {
        if (textOf(file) === text) rmSync(file, { force: true });
      });
    },
  };
}

/** The process that wrote this ready file; undefined if the file is missing or empty. */
function pidIn(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return undefined;
  try {
    const content = stats.isFile() && stats.size < MOST_BYTES ? textOf(file) : undefined;
    const { url, token, pid, version } = JSON.parse(content ?? '');
    const isReadyFile = [url, token, version].every((member) => typeof member === 'string');
    if (isReadyFile && Number.isInteger(pid) && pid > 0) return pid;
  } catch {
    // Invalid JSON is refused below.
  }
  throw new Error('it exists, but is not a ready file. Use another path, or remove the file');
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
