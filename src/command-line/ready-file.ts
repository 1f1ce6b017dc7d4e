import { accessSync, constants, lstatSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { packageVersion } from '../host/server/documents/package-files.js';
import { writeWholeFile } from '../host/server/files/write-whole-file.js';
import { isAnotherProcess } from '../host/server/process/other-processes.js';
import { attempt } from '../host/terminal/output-file.js';

/** A ready file may contain the control token. */
const OWNER_ONLY = 0o600;

/** A larger file is not read: a ready file usually has a few hundred bytes. */
const MAX_BYTES = 100_000;

/**
 * Prepares the ready file: it appears, complete, once the mock can be called, and is removed when
 * the process exits. A file that a killed mock left there is removed at once; that of a running
 * mock is replaced when this one is ready. Ends the command if anything else is at the path, except
 * an empty file.
 */
export function createReadyFile(file: string) {
  const what = `the ready file '${file}'`;
  attempt(what, () => {
    accessSync(dirname(file), constants.W_OK);
    const pid = pidIn(file);
    if (pid !== undefined && !isAnotherProcess(pid)) rmSync(file);
  });
  return {
    /** Also removes the file at exit, unless another mock has replaced it. */
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

/** The process that wrote the file; undefined if it is missing or empty. Throws for other files. */
function pidIn(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return undefined;
  try {
    const content = stats.isFile() && stats.size < MAX_BYTES ? textOf(file) : undefined;
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
