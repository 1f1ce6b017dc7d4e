import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { whyUnwritable } from '../messages/file-error.js';
import { OptionError } from '../options/complete-options.js';
import { EXIT, fail } from './exit.js';

/** A file that is written at the end of a run; nobody ever reads half of it. */
export interface WrittenFile {
  readonly write: (text: string) => void;
}

/** The files that flags name, in their order; refuses two with one path, and what is a flag itself. */
export function createWrittenFiles(
  ...paths: readonly (string | undefined)[]
): readonly (WrittenFile | undefined)[] {
  const given = paths.filter((path) => path !== undefined);
  const flag = given.find((path) => path.startsWith('-'));
  if (flag !== undefined) {
    throw new OptionError(
      `The file to write is '${flag}'; expected a path. Was it left out? A file of that name is './${flag}'.`,
    );
  }
  const twice = given.find((path, index) => given.indexOf(path) !== index);
  if (twice !== undefined)
    throw new OptionError(`Two flags name the file ${twice}; expected two files.`);
  return paths.map((path) => (path === undefined ? undefined : createWrittenFile(path)));
}

/** Fails, before the run, if the file could not be written after it. */
function createWrittenFile(file: string): WrittenFile {
  attempt(file, () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new Error('it is a folder; name a file in it');
    accessSync(stats === undefined || stats.isFile() ? dirname(pathOf(file, stats)) : file, WRITE);
    if (stats) accessSync(file, WRITE);
  });
  return {
    write: (text) =>
      attempt(file, () => put(file, text, statSync(file, { throwIfNoEntry: false }))),
  };
}

const WRITE = constants.W_OK;

/** Written under another name and renamed; what is no file, such as /dev/stdout, is written to. */
function put(file: string, text: string, stats: Stats | undefined): void {
  if (stats !== undefined && !stats.isFile()) {
    writeFileSync(file, text);
    return;
  }
  const path = pathOf(file, stats);
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    writeFileSync(unfinished, text, { flag: 'wx', ...(stats && { mode: stats.mode }) });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** A link stays one: the file that it leads to is replaced. */
function pathOf(file: string, stats: Stats | undefined): string {
  return stats === undefined ? file : realpathSync(file);
}

function attempt(file: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    fail(EXIT.wrongUse, `Cannot write '${file}': ${whyUnwritable(error)}.`);
  }
}
