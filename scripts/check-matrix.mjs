// Installs the packed package into small projects of every kind and runs their tests, on every
// version of Node that is supported; with --quick one of CommonJS and one of ES modules on this one.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('..', import.meta.url));
const VERSIONS = ['20', '22', '24'];

/** What runs the tests of a project; those called `fails` must fail and tell what was asked. */
const JEST = ['../node_modules/jest/bin/jest.js', '--ci'];
const PROJECTS = {
  'jest-commonjs-babel': { command: JEST, fails: ['fails', '--testPathIgnorePatterns=/x/'] },
  'jest-esm': {
    command: ['--experimental-vm-modules', ...JEST],
    fails: ['fails', '--testPathIgnorePatterns=/x/'],
  },
  'jest-commonjs-swc': { command: JEST },
  vitest: {
    command: ['../node_modules/vitest/vitest.mjs', 'run'],
    passes: ['billing'],
    fails: ['fails'],
  },
  'node-test': { command: ['--test'] },
  msw: { command: ['--test'] },
};
const QUICK = ['jest-commonjs-babel', 'jest-esm'];

const isQuick = process.argv.includes('--quick');
const folder = mkdtempSync(join(tmpdir(), 'projects-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Runs a command to its end; shows its output and stops everything if it ends otherwise than told. */
function run(what, file, args, { cwd = folder, mustFail = false } = {}) {
  const env = { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0' };
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: 'utf8' });
  const output = `${stdout}${stderr}`;
  if ((status === 0) !== mustFail) return { stdout, output };
  console.error(`${output}\n${what} ${mustFail ? 'passed' : 'failed'}.`);
  process.exit(1);
}

/** The version of a tool that this package is developed with. */
function versionOf(name) {
  return JSON.parse(readFileSync(join(TOP, 'node_modules', name, 'package.json'), 'utf8')).version;
}

function install() {
  const packing = ['pack', '--silent', '--pack-destination', folder];
  const filename = run('npm pack', 'npm', packing, { cwd: TOP }).stdout.trim();
  const own = isQuick
    ? ['jest', '@babel/plugin-transform-modules-commonjs']
    : ['jest', '@swc/core', '@swc/jest', 'vitest', '@babel/plugin-transform-modules-commonjs'];
  // The last MSW that runs on Node 20.
  const tools = [
    ...own.map((name) => `${name}@${versionOf(name)}`),
    ...(isQuick ? [] : ['msw@^2']),
  ];
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('The installation', 'npm', ['install', '--no-audit', '--no-fund', `./${filename}`, ...tools]);
  cpSync(join(TOP, 'test/package/projects'), folder, { recursive: true });
}

/** The programs of the versions: the one that runs this, or those that packages carry. */
function nodes() {
  if (isQuick) return [process.execPath];
  return VERSIONS.map((version) => {
    const name = `node-${process.platform}-${process.arch}`;
    const place = join(folder, `node-${version}`);
    run(`Node ${version}`, 'npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefix',
      place,
      `${name}@${version}`,
    ]);
    return join(place, 'node_modules', name, 'bin/node');
  });
}

install();
for (const node of nodes()) {
  const version = run('Node', node, ['--version']).stdout.trim();
  for (const [name, { command, passes = [], fails }] of Object.entries(PROJECTS)) {
    if (isQuick && !QUICK.includes(name)) continue;
    const cwd = join(folder, name);
    const what = `${name} on Node ${version}`;
    run(what, node, [...command, ...passes], { cwd });
    if (fails) {
      const { output } = run(`${what}: the failing test`, node, [...command, ...fails], {
        cwd,
        mustFail: true,
      });
      for (const sentence of [
        "the account 'test-1' was asked",
        '1. GET /customers/nobody -> 404',
      ]) {
        if (!output.includes(sentence)) {
          console.error(`${output}\n${what}: the failing test does not tell "${sentence}".`);
          process.exit(1);
        }
      }
    }
    console.log(`${what}: passed${fails ? ', and a failing test tells what was asked' : ''}`);
  }
}
