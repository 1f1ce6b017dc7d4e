import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { instrument } from './instrument.js';
import type { Mutant } from './mutant.js';

/** The project compiled elsewhere, with all mutants in it. */
export interface Sandbox {
  readonly folder: string;
  readonly mutants: readonly Mutant[];
}

/** What imports `@jest/globals` outside jest gets those of the worker. */
const JEST_GLOBALS = {
  'package.json': '{"name":"@jest/globals","type":"module","exports":"./index.js"}',
  'index.js':
    'export const { jest, expect, describe, it, test, afterAll, afterEach, beforeAll, beforeEach } = globalThis;',
};

/** All files below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

function compile(code: string): string {
  return transformSync(code, { loader: 'ts', target: 'es2022' }).code;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function isCode(file: string): boolean {
  return file.endsWith('.ts') && !file.startsWith('src/page/');
}

/** Compiles `src` and `test` into a folder, the files to be mutated with their mutants. */
export function createSandbox(isMutated: (file: string) => boolean): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'));
  const mutants: Mutant[] = [];
  for (const file of [...filesBelow('src'), ...filesBelow('test')]) {
    if (!isCode(file)) {
      if (!file.startsWith('src/page/')) cpSync(file, join(folder, file));
      continue;
    }
    const text = readFileSync(file, 'utf8');
    const mutated = isMutated(file) ? instrument(file, text, mutants.length + 1) : undefined;
    mutants.push(...(mutated?.mutants ?? []));
    write(join(folder, file.replace(/\.ts$/, '.js')), compile(mutated?.code ?? text));
  }
  for (const [name, text] of Object.entries(JEST_GLOBALS)) {
    for (const from of ['src', 'test']) {
      write(join(folder, from, 'node_modules/@jest/globals', name), text);
    }
  }
  linkTheRest(folder);
  return { folder, mutants };
}

function linkTheRest(folder: string): void {
  for (const name of readdirSync('.')) {
    if (['src', 'test', '.git'].includes(name)) continue;
    // The nearest package.json says that the code is of ES modules.
    if (name === 'package.json') cpSync(name, join(folder, name));
    else symlinkSync(resolve(name), join(folder, name));
  }
}

export function removeSandbox({ folder }: Sandbox): void {
  rmSync(folder, { recursive: true, force: true });
}
