import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { newFolder } from './fixture.js';
import { startProgram } from './programs.js';

const RUNNERS = {
  jest: [resolve('node_modules/jest/bin/jest.js'), '--ci', '--colors=false'],
  'jest of ES modules': [
    '--experimental-vm-modules',
    resolve('node_modules/jest/bin/jest.js'),
    '--ci',
    '--colors=false',
  ],
  vitest: [resolve('node_modules/vitest/vitest.mjs'), 'run'],
  playwright: [resolve('node_modules/@playwright/test/cli.js'), 'test', '--reporter=list'],
};

/** The packages, besides this one, that the test files import or their runners look for. */
const PEERS = ['vitest', 'jest-environment-node', 'jest-environment-jsdom', '@playwright/test'];

export type Runner = keyof typeof RUNNERS;

/** Links the packages into a project, this one as it is built. */
function installPackages(folder: string): void {
  const own = join(folder, 'node_modules/usage-billing-mock');
  for (const name of ['package.json', 'dist', 'fixtures', 'openapi.yaml', 'control.openapi.yaml']) {
    cpSync(name, join(own, name), { recursive: true });
  }
  mkdirSync(join(folder, 'node_modules/@playwright'));
  for (const name of PEERS) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
}

let packages: string | undefined;

/** Writes a project from its files by path, and returns its folder. */
export function writeProject(files: Readonly<Record<string, string | object>>): string {
  if (packages === undefined) {
    packages = newFolder();
    installPackages(packages);
  }
  const folder = mkdtempSync(join(packages, 'project-'));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Runs the tests of a project to their end. */
export function runTests(runner: Runner, folder: string, ...args: readonly string[]) {
  return runProgram(folder, [...RUNNERS[runner], ...args]);
}

/** Does the same with one mock for the whole run, which `exec` starts. */
export function runTestsInExec(runner: Runner, folder: string) {
  const exec = [resolve('dist/cli.cjs'), 'exec', '--', process.execPath];
  return runProgram(folder, [...exec, ...RUNNERS[runner]]);
}

async function runProgram(folder: string, args: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, CI: 'true', NO_COLOR: '1' };
  const run = startProgram(process.execPath, args, { cwd: folder, env });
  return { code: await run.ended(), output: run.output() };
}

/** The output of a run that must pass. */
export async function outputOf(run: ReturnType<typeof runTests>): Promise<string> {
  const { code, output } = await run;
  if (code !== 0) throw new Error(`The run failed:\n${output}`);
  return output;
}

/** The values that tests have written as `name=value`, such as URLs and tokens. */
export function written(output: string, name: string): string[] {
  return [...output.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value = '']) => value);
}

/** Code with which a test writes `name=value`, for `written`. */
export const TELL = `
const tell = (name, value) => process.stdout.write(name + '=' + value + '\\n');
`;
