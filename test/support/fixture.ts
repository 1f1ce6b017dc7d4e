import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endPrograms } from './programs.js';

/**
 * A folder for fixture files, which goes when the tests of a file have run. By its real path, as that of
 * the current folder is: on macOS a link leads to the temporary files, on Windows a short name.
 */
export const fixtureFolder = mkdtempSync(join(realpathSync.native(tmpdir()), 'fixtures-'));

afterAll(async () => {
  // They may write into it as long as they run.
  await endPrograms();
  rmSync(fixtureFolder, { recursive: true });
});

/** Creates an empty folder, which goes with the others. */
export function newFolder(): string {
  return mkdtempSync(join(fixtureFolder, 'folder-'));
}

let written = 0;

/** Writes a fixture file and returns its path; under a name of its own unless told one. */
export function writeFixture(text: string, name?: string): string {
  written += 1;
  const file = join(fixtureFolder, name ?? `fixture-${written}.yaml`);
  writeFileSync(file, text);
  return file;
}
