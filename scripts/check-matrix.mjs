// Installs the packed package into small projects of every kind, with the tools that they name, and
// runs their tests on every version of Node that is supported; with --quick a few on this one.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(TOP, 'test/package/projects');
const VERSIONS = ['20', '22', '24', '26'];

const JEST = ['../node_modules/jest/bin/jest.js', '--ci'];
const JEST_OF_MODULES = ['--experimental-vm-modules', ...JEST];
const JEST_SHARED = '--globalSetup=usage-billing-mock/jest/global-setup';
const JEST_FAILS = ['fails', '--testPathIgnorePatterns=/x/'];
const VITEST = ['../node_modules/vitest/vitest.mjs', 'run'];
const VITEST_SHARED = '--config=shared.config.mjs';
const PLAYWRIGHT = ['../node_modules/@playwright/test/cli.js', 'test', '--reporter=list'];
const PLAYWRIGHT_SHARED = '--config=shared.config.ts';
const TSC = ['../node_modules/typescript/bin/tsc'];
const VITE = '../node_modules/vite/bin/vite.js';
const OXLINT = ['../node_modules/oxlint/bin/oxlint'];
const NODE_TEST = ['--test'];
const TYPES = ['typescript', '@types/node'];
const BABEL = '@babel/plugin-transform-modules-commonjs';
const TS_JEST = ['ts-jest@29', ...TYPES];

/** Where the projects that have pages look for a browser. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A command with a mock a file, and the same with one mock for all files. */
const inBothModes = (command, shared) => [command, [...command, shared]];

/** What the manifest of a project lists, with its versions. */
function dependenciesOf(name) {
  const manifest = JSON.parse(readFileSync(join(SOURCES, name, 'package.json'), 'utf8'));
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  return all.map(([dependency, version]) => `${dependency}@${version}`);
}

/**
 * The projects below test/package/projects. `run` are commands that must pass, `fails` are those that
 * must fail and tell what was asked. A tool without a version has the one that this package is
 * developed with; projects that name another are installed beside the others, in a folder of theirs.
 */
const PROJECTS = [
  {
    name: 'jest-commonjs-babel',
    tools: ['jest', BABEL],
    run: inBothModes(JEST, JEST_SHARED),
    fails: inBothModes([...JEST, ...JEST_FAILS], JEST_SHARED),
    isQuick: true,
  },
  {
    name: 'jest-esm',
    tools: ['jest'],
    run: inBothModes(JEST_OF_MODULES, JEST_SHARED),
    fails: inBothModes([...JEST_OF_MODULES, ...JEST_FAILS], JEST_SHARED),
    isQuick: true,
  },
  {
    name: 'jest-jsdom',
    tools: ['jest', 'jest-environment-jsdom@30'],
    run: inBothModes(JEST, JEST_SHARED),
    isQuick: true,
  },
  {
    name: 'jest-commonjs-swc',
    tools: ['jest', '@swc/core', '@swc/jest'],
    run: inBothModes(JEST, JEST_SHARED),
  },
  {
    name: 'jest-fake-timers',
    tools: ['jest'],
    run: inBothModes(JEST, JEST_SHARED),
    isQuick: true,
  },
  {
    name: 'jest-fake-timers',
    beside: 'jest-29',
    tools: ['jest@29'],
    run: inBothModes(JEST, JEST_SHARED),
  },
  {
    name: 'ts-jest',
    tools: ['jest', '@types/jest', ...TS_JEST],
    run: [TSC, ...inBothModes(JEST, JEST_SHARED)],
    isQuick: true,
  },
  {
    name: 'ts-jest',
    beside: 'jest-29',
    tools: ['jest@29', '@types/jest@29', ...TS_JEST],
    run: [TSC, ...inBothModes(JEST, JEST_SHARED)],
  },
  {
    name: 'vitest',
    tools: ['vitest'],
    run: inBothModes([...VITEST, '--exclude=fails*'], VITEST_SHARED),
    fails: inBothModes([...VITEST, 'fails'], VITEST_SHARED),
    isQuick: true,
  },
  {
    name: 'playwright',
    tools: ['@playwright/test', ...TYPES],
    run: [TSC, ...inBothModes(PLAYWRIGHT, PLAYWRIGHT_SHARED)],
    fails: [[...PLAYWRIGHT, '--config=fails.config.ts']],
    hasPages: true,
    isQuick: true,
  },
  {
    name: 'playwright',
    beside: 'playwright-1.50',
    tools: ['@playwright/test@1.50', ...TYPES],
    run: [TSC, ...inBothModes(PLAYWRIGHT, PLAYWRIGHT_SHARED)],
    hasPages: true,
  },
  { name: 'node-test', tools: ['@sinonjs/fake-timers@15'], run: [NODE_TEST], isQuick: true },
  { name: 'vite', tools: ['vite', ...TYPES], run: [TSC, NODE_TEST], isQuick: true },
  ...['5', '6', '7'].map((version) => ({
    name: 'vite',
    beside: `vite-${version}`,
    tools: [`vite@${version}`, ...TYPES],
    run: [TSC, NODE_TEST],
  })),
  // An app by `npm create vite@9.3.0 -- --template react-ts`, with what that template installs.
  {
    name: 'react',
    beside: 'react',
    tools: [...dependenciesOf('react'), '@playwright/test'],
    run: [
      [...TSC, '-b'],
      OXLINT,
      [VITE, 'build'],
      [...PLAYWRIGHT, '--config=chromium.config.ts', '--workers=2'],
    ],
    hasPages: true,
  },
  // The last MSW that runs on Node 20.
  { name: 'msw', tools: ['msw@^2'], run: [NODE_TEST] },
];

/** What a failing test tells beside its own failure. */
const TOLD = [
  /the account '[^']*fails\.(test|spec)\.js[^']*an-expectation-of-its-own-is-wrong\.1' received/,
  /1\. GET \/customers\/nobody -> 404/,
];

/** Far more than any command takes: one that hangs must not hang this. */
const TIMEOUT_MS = 300_000;

const isQuick = process.argv.includes('--quick');
const projects = PROJECTS.filter((project) => !isQuick || project.isQuick);
const folder = mkdtempSync(join(tmpdir(), 'projects-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Runs a command to its end; shows its output and stops everything if it ends otherwise than told. */
function run(what, file, args, { cwd = folder, mustFail = false } = {}) {
  const env = { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0' };
  const options = { cwd, env, encoding: 'utf8', timeout: TIMEOUT_MS };
  const { status, stdout, stderr, error } = spawnSync(file, args, options);
  const output = `${stdout}${stderr}`;
  if (mustFail ? status > 0 : status === 0) return { stdout, output };
  const failure = error ? `failed: ${error.message}` : 'failed';
  stop(output, `${what} ${status === 0 ? 'passed' : failure}.`);
}

function stop(output, sentence) {
  console.error(`${output}\n${sentence}`);
  process.exit(1);
}

/** The version of a tool that is installed. */
function versionOf(name, place) {
  return JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8'))
    .version;
}

function installTools(place, tools) {
  mkdirSync(place, { recursive: true });
  if (!existsSync(join(place, 'package.json'))) {
    writeFileSync(join(place, 'package.json'), '{ "private": true }');
  }
  const install = ['install', '--no-audit', '--no-fund', '--prefix', place, ...tools];
  run(`npm ${install.join(' ')}`, 'npm', install, { cwd: place });
}

/** Installs the package and the tools of all projects that are in one place. */
function installProjects(tarball, place, own) {
  const tools = [...new Set(own.flatMap((project) => project.tools))];
  const named = tools.map((tool) => (/.@/.test(tool) ? tool : `${tool}@${versionOf(tool, TOP)}`));
  cpSync(SOURCES, place, { recursive: true });
  installTools(place, [tarball, ...named]);
  const installed = tools.map((tool) => tool.replace(/(.)@.*/, '$1'));
  console.log(`Tools: ${installed.map((name) => `${name} ${versionOf(name, place)}`).join(', ')}`);
}

/** The programs of the versions: the one that runs this, or those that packages carry. */
function nodes() {
  if (isQuick) return [process.execPath];
  const name = `node-${process.platform}-${process.arch}`;
  return VERSIONS.map((version) => {
    const place = join(folder, `node-${version}`);
    installTools(place, [`${name}@${version}`]);
    return join(place, 'node_modules', name, 'bin/node');
  });
}

function placeOf({ beside = 'tools' }) {
  return join(folder, beside);
}

/** Runs the tests of a project, and the one that must fail. */
function runProject(node, version, project) {
  const { name, beside, run: commands, fails = [], hasPages = false } = project;
  const cwd = join(placeOf(project), name);
  const what = `${beside ? `${name} (${beside})` : name} on Node ${version}`;
  for (const command of commands) run(what, node, command, { cwd });
  for (const command of fails) {
    const test = `${what}: the failing test`;
    const { output } = run(test, node, command, { cwd, mustFail: true });
    const untold = TOLD.find((sentence) => !sentence.test(output));
    if (untold) stop(output, `${test} does not tell "${untold}".`);
  }
  const isTold = fails.length > 0 ? ', and a failing test tells what was asked' : '';
  const withoutPages =
    hasPages && !existsSync(CHROMIUM) ? ` (without its pages: there is no ${CHROMIUM})` : '';
  console.log(`${what}: passed${withoutPages}${isTold}`);
}

const packing = ['pack', '--silent', '--pack-destination', folder];
const tarball = join(folder, run('npm pack', 'npm', packing, { cwd: TOP }).stdout.trim());
for (const place of new Set(projects.map(placeOf))) {
  installProjects(
    tarball,
    place,
    projects.filter((project) => placeOf(project) === place),
  );
}
for (const node of nodes()) {
  const version = run('Node', node, ['--version']).stdout.trim();
  for (const project of projects) runProject(node, version, project);
}
