import { copyFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { newFolder } from '../support/fixture.js';
import { run } from '../support/programs.js';

const RULE = 'scripts/pure-core.grit';
const BIOME = resolve('node_modules/@biomejs/biome/bin/biome');

const IMPURE = {
  'the wall clock': 'export const nowMs = () => Date.now();',
  'the wall clock, taken apart': 'export const { now } = Date;',
  'a date of this moment': 'export const today = () => new Date();',
  'the date as text': 'export const today = () => Date();',
  'a random number': 'export const draw = () => Math.random();',
  'a random number, taken apart': 'export const { floor, random } = Math;',
  'a variable of the module': 'export let count = 0;',
  'a map of the module': 'const known = new Map<string, number>();\nknown.set("a", 1);',
  'a set of the module': 'export const known = new Set(["a"]);',
  'a weak map of the module': 'export const known = { those: new WeakMap() };',
  'a map of a class': 'export class Known { static all = new Map(); }',
};

const PURE = {
  'a date of a time': 'export const date = (ms: number) => new Date(ms);',
  'arithmetic, taken apart': 'export const { floor } = Math;',
  'a variable of a function':
    'export const count = (by: number) => { let n = 0; n += by; return n; };',
  'a map of a function': 'export const create = () => new Map<string, number>();',
  'a map of an instance': 'export class Known { readonly all = new Map(); }',
  'a map that is only read':
    'export const KNOWN: ReadonlyMap<string, number> = new Map([["a", 1]]);',
};

const sources = Object.entries({ ...IMPURE, ...PURE });
let complaints = '';

beforeAll(async () => {
  const folder = newFolder();
  await copyFile(RULE, join(folder, basename(RULE)));
  const linter = { rules: { recommended: false } };
  await writeFile(
    join(folder, 'biome.json'),
    JSON.stringify({ linter, plugins: [`./${basename(RULE)}`] }),
  );
  for (const [nth, [, source]] of sources.entries()) {
    await writeFile(join(folder, `${nth}.ts`), `${source}\n`);
  }
  const lint = run(process.execPath, [BIOME, 'lint', '--max-diagnostics=none'], {
    cwd: folder,
  });
  complaints = await lint.then(
    ({ stdout, stderr }) => stdout + stderr,
    (failed) => failed.stdout + failed.stderr,
  );
});

function complaintsOf(name: string): string[] {
  const nth = sources.findIndex(([known]) => known === name);
  return complaints.split('\n').filter((line) => line.startsWith(`${nth}.ts:`));
}

// A pattern that Biome cannot run is only mentioned by it, and finds nothing.
describe('the linter, in the modules that decide a response,', () => {
  test.each(Object.keys(IMPURE))('refuses %s', (name) => {
    expect(complaintsOf(name)).toHaveLength(1);
  });

  test.each(Object.keys(PURE))('allows %s', (name) => {
    expect(complaintsOf(name)).toEqual([]);
  });
});
