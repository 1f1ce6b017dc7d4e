import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for fixture files, which goes when the tests of a file have run. */
export const fixtureFolder = mkdtempSync(join(tmpdir(), 'fixtures-'));

// A program that a test has started may write into it meanwhile.
afterAll(() => rmSync(fixtureFolder, { recursive: true, maxRetries: 20 }));

let written = 0;

/** Writes a fixture file and returns its path; under a name of its own unless told one. */
export function writeFixture(text: string, name?: string): string {
  written += 1;
  const file = join(fixtureFolder, name ?? `fixture-${written}.yaml`);
  writeFileSync(file, text);
  return file;
}
