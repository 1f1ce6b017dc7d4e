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
  const text = readFileSync(path, 'utf8');
  if (file !== 'up') return JSON.parse(text) as { pid: number; url: string };
  const [pid, url = ''] = text.split(' ');
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

describe.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('npm ends by %s', (signal) => {
  test.each([
    ['npm run serve', 'ready.json'],
    ['npm run exec', 'up'],
    ['npm run nested', 'up'],
    ['npm run matrix', 'up'],
    [`npx usage-billing-mock exec -- ${RUN}`, 'up'],
    [`npx usage-billing-mock matrix -- ${RUN}`, 'up'],
  ])('%s leaves nothing behind', async (line, file) => {
    const folder = createProject();
    const [program = '', ...args] = line.split(' ');
    const npm = start(folder, program, ...args);
    const { pid, url } = await whenUp(folder, file);
    npm.kill(signal);
    await npm.ended();
    await leavesNothing(npm, pid, url);
  });
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
    require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(script)}], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, STARTER: process.pid, ...${JSON.stringify(env)} },
    }).unref();`;
  const program = start(folder, 'node', '--eval', starter);
  expect(await program.ended()).toBe(0);
  const { pid, url } = await whenUp(folder);
  await until(() => !isRunning(pid));
  let failure: string | undefined;
  do {
    ({ failure } = await fetchAs({ url }, 't', '/measurements'));
  } while (!failure?.includes('ECONNREFUSED'));
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
