import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endPrograms } from './programs.js';

/**
 * A folder for fixture files, which is removed after the tests of a file. Its path is real, like
 * that of the current folder: the temporary folder is a link on macOS, a short name on Windows.
 */
export const fixtureFolder = mkdtempSync(join(realpathSync.native(tmpdir()), 'fixtures-'));

afterAll(async () => {
  // Running programs may write into it.
  await endPrograms();
  rmSync(fixtureFolder, { recursive: true });
});

/** Creates an empty folder, which is removed with `fixtureFolder`. */
export function newFolder(): string {
  return mkdtempSync(join(fixtureFolder, 'folder-'));
}

let written = 0;

/** Writes a fixture file and returns its path; under a new name unless one is given. */
export function writeFixture(text: string, name?: string): string {
  written += 1;
  const file = join(fixtureFolder, name ?? `fixture-${written}.yaml`);
  writeFileSync(file, text);
  return file;
}
