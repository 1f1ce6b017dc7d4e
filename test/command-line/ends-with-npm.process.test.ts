import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fetchAs, until } from '../support/fetching.js';
import { newFolder } from '../support/fixture.js';
import { groupEnded, type Program, startProgram } from '../support/programs.js';

/** Calls the mock, says who it is, and never ends. */
const CLIENT = `
import { writeFileSync } from 'node:fs';
const { USAGE_BILLING_MOCK_URL: url, USAGE_BILLING_MOCK_TOKEN: token } = process.env;
await fetch(url + '/measurements', { headers: { Authorization: 'Bearer ' + token } });
writeFileSync('up', process.pid + ' ' + url);
setInterval(() => {}, 1_000);`;

const RUN = 'node client.mjs';

const SCRIPTS = {
  serve: 'usage-billing-mock --port 0 --ready-file ready.json',
  exec: `echo first && usage-billing-mock exec -- ${RUN} 2>&1`,
  nested: `npx usage-billing-mock exec -- ${RUN}`,
  matrix: `usage-billing-mock matrix -- ${RUN}`,
  background: `usage-billing-mock exec -- ${RUN} >output 2>&1 & echo`,
};

/** A project that has installed the package. */
function createProject(): string {
  const folder = newFolder();
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(resolve('.'), join(folder, 'node_modules/usage-billing-mock'));
  chmodSync('dist/cli.cjs', 0o755);
  symlinkSync('../usage-billing-mock/dist/cli.cjs', join(bin, 'usage-billing-mock'));
  writeFileSync(join(folder, 'client.mjs'), CLIENT);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'own', scripts: SCRIPTS }));
  return folder;
}

const { PATH, HOME } = process.env;
const start = (folder: string, file: string, ...args: readonly string[]) =>
  startProgram(file, args, { cwd: folder, env: { PATH, HOME }, stdio: 'ignore' });

/** The mock's address, and the process that writes it. */
async function whenUp(folder: string, file = 'up') {
  const path = join(folder, file);
  await until(() => existsSync(path) && readFileSync(path, 'utf8') !== '');
  if (file === 'up') return readClient(folder);
  return JSON.parse(readFileSync(path, 'utf8')) as { pid: number; url: string };
}

function readClient(folder: string) {
  const [pid, url = ''] = readFileSync(join(folder, 'up'), 'utf8').split(' ');
  return { pid: Number(pid), url };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function leavesNothing({ pid }: Program, client: number, url: string): Promise<void> {
  await groupEnded(pid);
  // The command of matrix has a group of its own.
  await groupEnded(client);
  expect((await fetchAs({ url }, 't', '/measurements')).failure).toContain('ECONNREFUSED');
}

test.each([
  ['SIGKILL', 'npm run serve', 'ready.json'],
  ['SIGKILL', 'npm run exec', 'up'],
  ['SIGKILL', 'npm run nested', 'up'],
  ['SIGKILL', 'npm run matrix', 'up'],
  ['SIGKILL', `npx usage-billing-mock exec -- ${RUN}`, 'up'],
  // npm passes on this signal alone.
  ['SIGTERM', 'npm run serve', 'ready.json'],
  ['SIGTERM', 'npm run nested', 'up'],
  ['SIGTERM', `npx usage-billing-mock matrix -- ${RUN}`, 'up'],
  ['SIGHUP', 'npm run exec', 'up'],
] as const)('npm that ends by %s leaves nothing behind of %s', async (signal, line, file) => {
  const folder = createProject();
  const [program = '', ...args] = line.split(' ');
  const npm = start(folder, program, ...args);
  const { pid, url } = await whenUp(folder, file);
  npm.kill(signal);
  await npm.ended();
  await leavesNothing(npm, pid, url);
});

test('npm start in a clone leaves nothing behind when npm gets SIGTERM', async () => {
  const file = join(newFolder(), 'ready.json');
  const { pid } = startProgram('npm', ['start', '--', '--port', '0', '--ready-file', file]);
  await until(() => existsSync(file));
  const { url } = JSON.parse(readFileSync(file, 'utf8'));
  expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  process.kill(pid, 'SIGTERM');
  await groupEnded(pid);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('npm that ends while the command starts leaves nothing behind', async () => {
  const folder = createProject();
  // As npm starts it, but the shell waits until whoever started it has gone.
  const script = `while kill -0 $STARTER; do :; done; node_modules/.bin/usage-billing-mock exec -- ${RUN}`;
  const env = {
    npm_lifecycle_event: 'e',
    npm_lifecycle_script: script,
    npm_config_user_agent: 'npm/11',
  };
  const starter = `
    const shell = require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(script)}], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, STARTER: process.pid, ...${JSON.stringify(env)} },
    });
    require('node:fs').writeFileSync('shell', String(shell.pid));
    shell.unref();`;
  const program = start(folder, 'node', '--eval', starter);
  expect(await program.ended()).toBe(0);
  await groupEnded(Number(readFileSync(join(folder, 'shell'), 'utf8')));
  // The client may have been ended before it was up.
  if (existsSync(join(folder, 'up'))) await until(() => !isRunning(readClient(folder).pid));
});

test.each([
  ['a shell that has started npx', ['sh', '-c', `npx usage-billing-mock exec -- ${RUN} &`]],
  ['npm whose script has started it so', ['npm', 'run', 'background']],
] as const)('exec in the background outlives %s', async (_, [file, ...args]) => {
  const folder = createProject();
  const program = start(folder, file, ...args);
  const { url } = await whenUp(folder);
  expect(await program.ended()).toBe(0);
  // Longer than it takes to notice.
  const latest = performance.now() + 600;
  while (performance.now() < latest) {
    expect((await fetchAs({ url }, 't', '/measurements')).status).toBe(200);
  }
});
