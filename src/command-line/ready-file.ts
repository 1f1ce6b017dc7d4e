import { accessSync, constants, lstatSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { packageVersion } from '../server/package-files.js';
import { isAnotherProcess } from '../server/running-process.js';
import { writeWholeFile } from '../server/write-whole-file.js';
import { attempt } from './output-file.js';

/** It contains the control token. */
const OWNER_ONLY = 0o600;

/** A ready file is never larger. */
const MOST_BYTES = 10_000;

/**
 * A file that exists, and is complete, from when the mock can be called until it ends. The file of a
 * mock that has crashed is removed at once, that of a running one is replaced when this one is ready.
 * Fails if the path is anything else.
 */
export function createReadyFile(file: string) {
  const what = `the ready file '${file}'`;
  attempt(what, () => {
    accessSync(dirname(file), constants.W_OK);
    const pid = pidIn(file);
    if (pid !== undefined && !isAnotherProcess(pid)) rmSync(file);
  });
  return {
    /** Writes where the mock is, and what those need who wait for it. */
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

/** The process whose ready file this is; nothing if there is none or it is empty. */
function pidIn(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return undefined;
  try {
    const content = stats.isFile() && stats.size < MOST_BYTES ? textOf(file) : undefined;
    const { url, token, pid, version } = JSON.parse(content ?? '');
    const isReadyFile = [url, token, version].every((member) => typeof member === 'string');
    if (isReadyFile && Number.isInteger(pid) && pid > 0) return pid;
  } catch {
    // Refused in the same way.
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
