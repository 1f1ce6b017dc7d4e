import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** By what a test tries what is built: its files, its page in a browser, or an import of the package. */
const BUILT =
  /(?<!-validator\/)\bdist['/]|\/__control\/ui|playwright-core|(?:from |\()['"`]usage-billing-mock['/]|'npm'/;
/** By what a test starts other processes, the command or a browser, which takes most of its time. */
const STARTS_OTHERS =
  /support\/(?:browser|chromium|command|compile-modules|matrix|programs|runner|vite)\.js|vitest\.mjs|'(?:npm|python3|typescript)'/;
/** What the tests of these folders are about; those of others, the folder of that name in src/. */
const ABOUT = new Map([
  ['test/chaos/', ['src/server/']],
  ['test/documentation/', ['README.md', 'docs/']],
  ['test/examples/', ['examples/']],
  ['test/http/', ['src/doors/']],
  ['test/journal/', ['src/accounts/journal/']],
  ['test/kit/', ['src/kits/']],
  ['test/library/', ['src/doors/']],
  ['test/package/', ['package.json', 'scripts/']],
]);
const OWN_IMPORTS = /from '(\.{1,2}\/(?:support\/)?[\w-]+)\.js'/g;

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => join('test', file).replaceAll('\\', '/'))
  // These are projects of their own, to be run where the package is installed.
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/package/projects/'));
const isSlow = (/** @type {string} */ file) => file.endsWith('.slow.test.ts');
/** Whether a file of tests, or one of test/support that it imports, tries what is built. */
function isBuilt(/** @type {string} */ file) {
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(OWN_IMPORTS)].map(([, path]) => join(file, '..', `${path}.ts`));
  return BUILT.test(text) || imports.some(isBuilt);
}
const startsOthers = (/** @type {string} */ file) =>
  !isSlow(file) && STARTS_OTHERS.test(readFileSync(file, 'utf8'));

/** What differs from the commit that was fetched last. */
const changed = ['origin/HEAD', 'HEAD']
  .map((commit) => spawnSync('git', ['diff', '--name-only', commit], { encoding: 'utf8' }))
  .find(({ status }) => status === 0)
  ?.stdout.split('\n');
// The scripts have --ci after the projects: a path there would be taken for one of them.
const named = process.argv.slice(2).filter((argument) => /^[^-].*[./]/.test(argument));
/** Whether something was changed that a test is about, or the command line has the test. */
function isWanted(/** @type {string} */ file) {
  const folder = file.slice(0, file.indexOf('/', 'test/'.length) + 1);
  const about = [folder, ...(ABOUT.get(folder) ?? [folder.replace('test/', 'src/')])];
  return (
    named.some((path) => file.includes(path)) ||
    changed?.some((path) => about.some((start) => path.startsWith(start)))
  );
}

const quick = tests.filter((file) => !isSlow(file) && (!startsOthers(file) || isWanted(file)));

const shared = {
  // What a file leaves in its globals leads to its tests, and through these to all of its modules.
  testEnvironmentOptions: { globalsCleanup: 'on' },
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript names the compiled file in an import; jest wants the source.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$|/@faker-js/faker/dist/': '<rootDir>/test/support/transform.mjs' },
  transformIgnorePatterns: ['/node_modules/(?!@faker-js/faker/)'],
  // The same for CommonJS: its modules name such a global in no time.
  sandboxInjectedGlobals: ['Array', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Set', 'String'],
};

/**
 * Some of the tests; dist/ is built before the first of them, if they try it.
 * @param {string} displayName
 * @param {string[]} files
 * @param {boolean} needsBuild
 */
function project(displayName, files, needsBuild) {
  return {
    ...shared,
    displayName,
    testMatch: files.length > 0 ? files.map((file) => `<rootDir>/${file}`) : ['<rootDir>/none'],
    ...(needsBuild && { globalSetup: '<rootDir>/test/support/build.mjs' }),
  };
}

export default {
  // Most tests wait for servers that they start: a core would be lost while they do.
  maxWorkers: availableParallelism() + 1,
  // Tests of settle wait for services: 3 s to ask again, side by side.
  maxConcurrency: 20,
  // No test is about how fast the machine is: this ends one that hangs.
  testTimeout: 300_000,
  // Node 20 frees the modules of a file one level of imports at each full collection, 12 MB a file.
  workerIdleMemoryLimit: '300MB',
  projects: [
    project(
      'source',
      quick.filter((file) => !isBuilt(file)),
      false,
    ),
    project('built', quick.filter(isBuilt), true),
    // CI runs all of these; `npm test` only those about something that was changed.
    project('processes', tests.filter(startsOthers), true),
    // So that the gate has one case of each kind, `npm run test:slow` runs these.
    project('slow', tests.filter(isSlow), true),
  ],
};
