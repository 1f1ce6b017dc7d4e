// Writes the suite for each runner and each way to mock, with the packages that they need.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Data } from '../harness/data.js';
import { ROOT } from '../harness/targets.js';

/** A test runner; `args` are the arguments of node. */
export interface SuiteRunner {
  name: string;
  kit: 'jest' | 'vitest';
  type: 'commonjs' | 'module';
  args: string[];
  /** Why its goals may not be reached. */
  obstacle?: string;
  config: object;
}

/** A way to mock in the suite; `setUp` is the file that the tests import. */
export interface SuiteTarget {
  name: string;
  folder?: string;
  setUp(kit: SuiteRunner['kit']): string;
}

const FILES = 20;
const HERE = fileURLToPath(new URL('.', import.meta.url));
const JEST = `${ROOT}node_modules/jest/bin/jest.js`;
const TO_COMMONJS = `${HERE}files/to-commonjs.mjs`;
const JEST_CONFIG = {
  maxWorkers: 2,
  // Without it, jest would run a few fast files in its own process.
  workerIdleMemoryLimit: '4GB',
  watchman: false,
  cacheDirectory: '.cache',
};

export const RUNNERS: SuiteRunner[] = [
  {
    name: 'jest CommonJS',
    kit: 'jest',
    type: 'commonjs',
    args: [JEST],
    config: {
      ...JEST_CONFIG,
      transform: { '\\.m?js$': TO_COMMONJS },
      // MSW and most of its packages are ES modules only; every team has to transform them.
      transformIgnorePatterns: [],
    },
  },
  {
    name: 'jest ESM',
    kit: 'jest',
    type: 'module',
    args: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', JEST],
    config: { ...JEST_CONFIG, transform: {} },
  },
  {
    name: 'vitest',
    obstacle: 'vitest starts a process for each file, and the code of the kit with it',
    kit: 'vitest',
    type: 'module',
    args: [`${ROOT}node_modules/vitest/vitest.mjs`, 'run'],
    config: { test: { globals: true, maxWorkers: 2 } },
  },
];

export const TARGETS: SuiteTarget[] = [
  { name: 'MSW', setUp: () => `${ROOT}bench/peers/msw/set-up.js`, folder: 'msw' },
  { name: 'ours', setUp: (kit) => `${HERE}files/set-up-${kit}.js` },
];

/** The suite as in any language. */
export const BY_URL: SuiteTarget = { name: 'by URL', setUp: () => `${HERE}files/set-up-url.js` };

/** Puts this package, packed as it is published, and the others where the projects find them. */
export function writePackages({ folder }: Data) {
  const modules = join(folder, 'suite/node_modules');
  const own = join(modules, 'usage-billing-mock');
  mkdirSync(own, { recursive: true });
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const output = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' });
  const tarball = join(folder, output.trim().split('\n').at(-1) ?? '');
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components', '1']);
  symlinkSync(`${ROOT}node_modules/vitest`, join(modules, 'vitest'));
  symlinkSync(`${ROOT}bench/peers/msw/node_modules/msw`, join(modules, 'msw'));
}

/** Writes a project, and returns its folder. */
export function writeProject(
  { folder, fixtures }: Data,
  { name, kit, type, config }: SuiteRunner,
  target: SuiteTarget,
) {
  const project = join(folder, 'suite', `${name} ${target.name}`.replace(/\W+/g, '-'));
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), content);
  };
  write('package.json', JSON.stringify({ private: true, type }));
  write(`${kit}.config.mjs`, `export default ${JSON.stringify(config)};\n`);
  write('fixtures.js', `export const fixtures = ${JSON.stringify(fixtures)};\n`);
  cpSync(target.setUp(kit), join(project, 'set-up.js'));
  for (let nth = 1; nth <= FILES; nth += 1) {
    cpSync(`${HERE}files/billing.test.js`, join(project, `billing-${nth}.test.js`));
  }
  return project;
}
