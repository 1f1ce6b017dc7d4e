import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import config from '../../jest.config.mjs';

/** What starts other processes, a browser or a compiler: modules, and files of test/support. */
const STARTING =
  /'(?:node:child_process|node:worker_threads|playwright-core|vite|typescript)'|support\/(?:compile-modules|doors)\.js'/;
/** It imports how to end programs, and starts none. */
const ENDING = 'test/support/fixture.ts';

/** Whether a file of the tests, or one of them that it imports, starts others. */
function startsOthers(file: string, seen = new Set<string>()): boolean {
  if (file === ENDING || seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/(?:from|import) '(\.[^']+)\.js'/g)]
    .map(([, path = '']) => `${join(file, '..', path)}.ts`.replaceAll('\\', '/'))
    .filter((path) => path.startsWith('test/'));
  return STARTING.test(text) || imported.some((path) => startsOthers(path, seen));
}

/** The files of tests whose names end so. */
function testsOf(stage: RegExp): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => stage.test(file) && !file.startsWith('test/package/projects/'));
}

test('a file that starts others is called .process.test.ts or .weekly.test.ts, and no other process.test.ts', () => {
  const inProcess = testsOf(/\/[\w-]+(?:\.ci)?\.test\.ts$/);
  const others = testsOf(/\.process\.test\.ts$/);
  expect(inProcess.filter((file) => startsOthers(file))).toEqual([]);
  expect(others.filter((file) => !startsOthers(file))).toEqual([]);
});

test('every file of tests belongs to one of the four stages', () => {
  const stages = config.projects.map(({ testRegex }) => new RegExp(testRegex.join('|')));
  const all = testsOf(/\.(?:test|spec)\.ts$/);
  expect(
    all.filter((file) => stages.filter((stage) => stage.test(`/${file}`)).length !== 1),
  ).toEqual([]);
});
