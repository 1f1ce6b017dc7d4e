import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { whyUnwritable } from '../messages/file-error.js';
import { isAnotherProcess } from '../server/another-process.js';
import { packageVersion } from '../server/package-files.js';
import { EXIT, fail } from './exit.js';

/** What the ready file contains for those who wait for the mock. */
interface Running {
  readonly url: string;
  readonly token: string;
  /** The token that the control plane requires, if it requires one. */
  readonly controlToken: string | undefined;
}

/** More bytes than a ready file ever has. */
const MOST_BYTES = 10_000;

/**
 * A file that exists, and is complete, from when the mock can be called until it ends. The file of a
 * mock that has crashed is removed at once, that of a running one is replaced when this one is ready.
 * Fails if the path is anything else.
 */
export function createReadyFile(file: string): { write(running: Running): void } {
  attempt(file, () => {
    accessSync(dirname(file), constants.W_OK);
    const pid = pidIn(file);
    if (pid !== undefined && !isAnotherProcess(pid)) rmSync(file);
  });
  return {
    write(running) {
      const content = { ...running, pid: process.pid, version: packageVersion() };
      const text = `${JSON.stringify(content)}\n`;
      attempt(file, () => put(file, text));
      process.once('exit', () => {
        if (textOf(file) === text) rmSync(file, { force: true });
      });
    },
  };
}

/** Written under another name and renamed, so that nobody reads half of it. */
function put(file: string, text: string): void {
  const unfinished = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    // It contains the control token; and an existing file or link is not written through.
    writeFileSync(unfinished, text, { flag: 'wx', mode: 0o600 });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** The process whose ready file this is; nothing if there is none or it is empty. */
function pidIn(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return undefined;
  const pid = stats.isFile() && stats.size < MOST_BYTES ? pidOf(textOf(file)) : undefined;
  if (pid !== undefined) return pid;
  throw new Error('it exists and is not a ready file. Use another path, or remove it');
}

function pidOf(text = ''): number | undefined {
  try {
    const { url, token, pid, version } = JSON.parse(text);
    const isReadyFile = [url, token, version].every((member) => typeof member === 'string');
    return isReadyFile && Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function attempt(file: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    fail(EXIT.wrongUse, `Cannot write the ready file '${file}': ${whyUnwritable(error)}.`);
  }
}
