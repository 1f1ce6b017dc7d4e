import { accessSync, constants, realpathSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { OptionError } from '../../core/errors/option-error.js';
import { whyUnwritable } from '../../core/values/file-error.js';
import { writeWholeFile } from '../server/files/write-whole-file.js';
import { EXIT, fail } from './exit.js';

/** Written at the end of a run: whole or not at all, unless it is a pipe or a device. */
export interface OutputFile {
  readonly write: (text: string) => void;
}

/** Refuses a path that is given twice or looks like a flag. */
export function createOutputFiles(
  ...paths: readonly (string | undefined)[]
): readonly (OutputFile | undefined)[] {
  const given = paths.filter((path) => path !== undefined);
  const flag = given.find((path) => path.startsWith('-'));
  if (flag !== undefined) {
    throw new OptionError(
      `The file to write is '${flag}'; expected a path. Did you leave the path out? For a file of that name, write './${flag}'.`,
    );
  }
  const twice = given.find((path, index) => given.indexOf(path) !== index);
  if (twice !== undefined)
    throw new OptionError(`Two flags name the file ${twice}; expected different files.`);
  return paths.map((path) => (path === undefined ? undefined : createOutputFile(path)));
}

/** Ends the command before the run if the file could not be written after it. */
function createOutputFile(file: string): OutputFile {
  attempt(`'${file}'`, () => {
    const stats = statsOf(file);
    if (stats?.isDirectory()) throw new Error('it is a folder; name a file in it');
    accessSync(isReplaced(stats) ? dirname(pathOf(file, stats)) : file, constants.W_OK);
    if (stats) accessSync(file, constants.W_OK);
  });
  return {
    write(text) {
      attempt(`'${file}'`, () => {
        const stats = statsOf(file);
        if (isReplaced(stats)) writeWholeFile(pathOf(file, stats), text, stats?.mode ?? OWNER_ONLY);
        else writeFileSync(file, text);
      });
    },
  };
}

function statsOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** False for pipes and devices (/dev/stdout is often one), which are written to in place. */
function isReplaced(stats: Stats | undefined): boolean {
  return stats === undefined || stats.isFile();
}

/** The mode of new files, which may contain private data; an existing file keeps its mode. */
const OWNER_ONLY = 0o600;

/** The path to write: for a link its target, so that the link stays, unless that is missing. */
function pathOf(file: string, stats: Stats | undefined): string {
  return stats === undefined ? file : realpathSync(file);
}

/** Runs `act`, which writes a file; ends the command with the reason if it throws. */
export function attempt(file: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    fail(EXIT.wrongUse, `Cannot write ${file}: ${whyUnwritable(error)}.`);
  }
}
