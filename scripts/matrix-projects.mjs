// The projects into which the packed package is installed, with the commands that must pass there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the projects. */
export const SOURCES = fileURLToPath(new URL('../test/package/projects', import.meta.url));

/** The rehearsal of a release, with a registry of its own. */
export const RELEASE = {
  name: 'release',
  source: fileURLToPath(new URL('../test/package/release', import.meta.url)),
  attw: ['node_modules/@arethetypeswrong/cli/dist/index.js', '--no-definitely-typed'],
  /**
   * Flags of attw for the entries that are code: first for those of both module systems, then for
   * those that only ES modules can import, like the tools that they extend.
   *
   * @param {Record<string, string | object>} exports
   */
  flagsFor(exports) {
    const isCode = (/** @type {string} */ entry) => typeof exports[entry] === 'object';
    const isForBoth = (/** @type {string} */ entry) => 'require' in Object(exports[entry]);
    const code = Object.keys(exports).filter(isCode);
    return [
      ['--entrypoints', ...code.filter(isForBoth)],
      ['--profile=esm-only', '--entrypoints', ...code.filter((entry) => !isForBoth(entry))],
    ];
  },
};

const JEST = ['../node_modules/jest/bin/jest.js', '--ci'];
const JEST_OF_MODULES = ['--experimental-vm-modules', ...JEST];
const JEST_FAILS = ['fails', '--testPathIgnorePatterns=/x/'];
const VITEST = ['../node_modules/vitest/vitest.mjs', 'run', '--testTimeout=60000'];
const PLAYWRIGHT = ['../node_modules/@playwright/test/cli.js', 'test', '--reporter=list'];
const NEXT_BUILD = ['../node_modules/next/dist/bin/next', 'build'];
const TSC = ['../node_modules/typescript/bin/tsc'];
const VITE = '../node_modules/vite/bin/vite.js';
const STORYBOOK = ['../node_modules/storybook/dist/bin/dispatcher.js'];
const OXLINT = ['../node_modules/oxlint/bin/oxlint'];
const NODE_TEST = ['--test'];
const DOCUMENT = '../node_modules/usage-billing-mock/dist/control.openapi.json';
const TYPES = ['typescript', '@types/node'];
/** The native TypeScript compiler. */
const TYPESCRIPT_7 = 'typescript@7.0.2';
const BABEL = '@babel/plugin-transform-modules-commonjs';
const JEST_29 = ['jest@29', '@types/jest@29'];

/** The browser for the projects that have pages. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

const VITEST_PASSES = [[...VITEST, '--exclude=fails*']];
const VITEST_FAILS = [[...VITEST, 'fails']];

/**
 * The dependencies in a project's manifest, with their versions.
 *
 * @param {string} name
 */
function dependenciesOf(name) {
  const manifest = JSON.parse(readFileSync(join(SOURCES, name, 'package.json'), 'utf8'));
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  return all.map(([dependency, version]) => `${dependency}@${version}`);
}

/**
 * The projects below test/package/projects. The commands in `once` must pass on one version of Node,
 * those in `run` on each; those in `fails` must fail with the texts in `TOLD`. A tool without a
 * version gets the one that this package is developed with; projects with the same `beside` share a
 * folder of their own. `oldestNode` is the first version of Node on which the tools run. With `--every`
 * alone, those with `isWeekly` are run, and each with the `older` tools in place of its own.
 */
export const PROJECTS = [
  {
    name: 'jest-commonjs-babel',
    tools: ['jest', BABEL],
    run: [JEST],
    fails: [[...JEST, ...JEST_FAILS]],
    isCommon: true,
  },
  {
    name: 'jest-esm',
    tools: ['jest'],
    run: [JEST_OF_MODULES],
    fails: [[...JEST_OF_MODULES, ...JEST_FAILS]],
    isCommon: true,
  },
  {
    name: 'jest-jsdom',
    tools: ['jest', 'jest-environment-jsdom@30'],
    run: [JEST],
    isCommon: true,
  },
  {
    name: 'jest-commonjs-swc',
    tools: ['jest', '@swc/core@1.16.18', '@swc/jest@0.2.39'],
    run: [JEST],
  },
  {
    name: 'jest-fake-timers',
    tools: ['jest'],
    older: [JEST_29],
    run: [JEST],
    isCommon: true,
  },
  {
    name: 'ts-jest',
    tools: ['jest', '@types/jest', 'ts-jest@29', ...TYPES],
    older: [JEST_29],
    once: [TSC],
    run: [JEST],
    isCommon: true,
  },
  {
    name: 'vitest',
    tools: ['vitest', ...TYPES],
    older: [['vitest@~3.0']],
    once: [TSC],
    run: VITEST_PASSES,
    fails: VITEST_FAILS,
    isCommon: true,
  },
  {
    name: 'vitest',
    beside: 'vitest-5',
    tools: ['vitest@5', 'vite', 'typescript', '@types/node@22'],
    once: [TSC],
    run: VITEST_PASSES,
    fails: VITEST_FAILS,
    oldestNode: 22,
  },
  {
    name: 'vitest-browser',
    beside: 'vitest-5',
    isWeekly: true,
    tools: ['@vitest/browser-playwright@5', 'playwright'],
    run: [VITEST],
    hasPages: true,
    oldestNode: 22,
  },
  {
    name: 'playwright',
    tools: ['@playwright/test', ...TYPES],
    older: [['@playwright/test@1.50']],
    once: [TSC],
    run: [PLAYWRIGHT],
    fails: [[...PLAYWRIGHT, '--config=fails.config.ts']],
    hasPages: true,
    isCommon: true,
  },
  // Without types of other packages: the library's own must compile alone.
  ...['typescript', TYPESCRIPT_7].map((compiler) => ({
    name: 'types',
    beside: compiler,
    tools: [compiler],
    once: [TSC],
    isCommon: true,
  })),
  // The types of the kits import those of the tools that they extend.
  {
    name: 'types',
    beside: `kits-${TYPESCRIPT_7}`,
    tools: [TYPESCRIPT_7, 'vite', 'vitest', '@playwright/test', 'jest', 'jest-environment-node'],
    once: [[...TSC, '--project', 'tsconfig.kits.json']],
  },
  { name: 'node-test', tools: ['@sinonjs/fake-timers@15'], run: [NODE_TEST], isCommon: true },
  {
    name: 'vite',
    tools: ['vite', ...TYPES],
    older: [['vite@5'], ['vite@6'], ['vite@7']],
    once: [TSC],
    run: [NODE_TEST],
    isCommon: true,
  },
  // An app made by `npm create vite@9.3.0 -- --template react-ts`, with the template's packages.
  {
    name: 'react',
    beside: 'react',
    tools: [...dependenciesOf('react'), '@playwright/test'],
    once: [
      [...TSC, '-b'],
      OXLINT,
      [VITE, 'build'],
      [VITE, 'build', '--mode', 'tab', '--outDir', 'node_modules/.in-tab'],
    ],
    run: [
      [...PLAYWRIGHT, '--config=chromium.config.ts', '--workers=2'],
      [...PLAYWRIGHT, '--config=tab.config.ts', '--workers=2'],
    ],
    hasPages: true,
  },
  // Its compiler follows every import of the app; `next build` checks types without strict null checks.
  {
    name: 'next',
    beside: 'next',
    isWeekly: true,
    tools: [...dependenciesOf('next'), '@playwright/test'],
    run: [PLAYWRIGHT, NEXT_BUILD, [...PLAYWRIGHT, '--config=built.config.ts']],
    hasPages: true,
  },
  {
    name: 'storybook',
    beside: 'storybook',
    isWeekly: true,
    tools: [...dependenciesOf('storybook'), '@playwright/test'],
    once: [[...STORYBOOK, 'build', '--quiet', '-o', 'node_modules/.static']],
    run: [[...PLAYWRIGHT, '--pass-with-no-tests']],
    hasPages: true,
  },
  // Only client generators from npm. hey-api needs Node 22.
  {
    name: 'generated-clients',
    beside: 'generated-clients',
    tools: [
      ...['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.99.0'],
      ...['swagger-typescript-api@13.13.0', ...TYPES],
    ],
    once: [
      ['../node_modules/openapi-typescript/bin/cli.js', DOCUMENT, '-o', 'generated/paths.ts'],
      ['../node_modules/@hey-api/openapi-ts/bin/run.js', '-f', 'openapi-ts.config.mjs'],
      [
        ...['../node_modules/swagger-typescript-api/dist/cli.mjs', 'generate', '-p', DOCUMENT],
        ...['-o', 'generated'],
      ],
      TSC,
    ],
    run: [['node_modules/.compiled/clients.test.js']],
    oldestNode: 22,
  },
  // The last MSW that runs on Node 20.
  { name: 'msw', tools: ['msw@^2'], run: [NODE_TEST] },
  {
    name: 'msw',
    beside: 'msw-3',
    tools: ['msw@3'],
    run: [NODE_TEST],
    oldestNode: 22,
    isWeekly: true,
  },
];

/** What a failing test prints besides its own failure. */
export const TOLD = [
  // In a terminal, Playwright prints the name in its own form.
  /fails\.(test|spec)\.js(:\d+:\d+)? › an expectation of its own is wrong/,
  /1\. GET \/customers\/nobody -> 404/,
  /Fault 1: .*; it has fired 0 of 1 times/,
];
