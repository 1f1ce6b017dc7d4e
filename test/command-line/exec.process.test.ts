import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createCertificate, hasProgram } from '../support/certificates.js';
import { runCommand } from '../support/command.js';
import { newFolder, writeFixture } from '../support/fixture.js';
import { groupEnded } from '../support/programs.js';

const NODE = process.execPath;
const isAble = hasProgram('openssl');
const note = isAble ? '' : ' (no openssl here: none over https)';

/** Runs `exec` with a script for Node as its command. */
function exec(script: string, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const file = join(newFolder(), 'client.mjs');
  writeFileSync(file, script);
  return runCommand(['exec', ...flags, '--', NODE, file, 'one', 'two words'], env);
}

const CALL = `
const { USAGE_BILLING_MOCK_URL: url, USAGE_BILLING_MOCK_TOKEN: token } = process.env;
const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' };
const { status } = await fetch(url + '/customers/none', { headers });`;

describe('exec', () => {
  test('runs a command with a mock of its own, and exits as it does', async () => {
    const command = exec(`${CALL}
      console.log(process.argv.slice(2), status);
      process.exit(7);`);
    expect(await command.ended()).toBe(7);
    expect(command.stdout()).toBe("[ 'one', 'two words' ] 404\n");
  });

  test('takes the flags of the mock, and needs no port', async () => {
    const flags = ['--decide', 'unknown-identifier-status=400', '--decide', 'unknown-token=reject'];
    const first = exec(`${CALL} console.log(status);`, flags);
    const second = exec(`${CALL} console.log(status);`, ['--base-path', '/v1']);
    expect([await first.ended(), await second.ended()]).toEqual([0, 0]);
    expect([first.stdout(), second.stdout()]).toEqual(['400\n', '404\n']);
  });

  test('tells what a failed test has sent', async () => {
    const command = exec(`${CALL}
      const body = JSON.stringify({ outcome: 'failed', title: 'finds a customer', message: 'expected 200' });
      await fetch(url + '/__control/account/test', { method: 'PUT', headers, body });
      process.exit(1);`);
    expect(await command.ended()).toBe(1);
    expect(command.stderr()).toContain('what finds a customer sent, latest request first\n');
    expect(command.stderr()).toContain('expected 200\n  1. GET /customers/none -> 404');
  });

  test('blames no test if those that it was told of have passed', async () => {
    const command = exec(`${CALL}
      const body = JSON.stringify({ outcome: 'passed', title: 'finds a customer' });
      await fetch(url + '/__control/account/test', { method: 'PUT', headers, body });
      process.exit(1);`);
    expect(await command.ended()).toBe(1);
    expect(command.stderr()).toContain('every test whose outcome it reported has passed.');
    expect(command.stderr()).not.toContain('no request has reached');
  });

  test('exits as its command where nothing can be written', async () => {
    const command = exec(`${CALL} process.exit(status === 404 ? 7 : 1);`, [], {
      TMPDIR: join(newFolder(), 'none'),
    });
    expect(await command.ended()).toBe(7);
    expect(command.stderr()).toContain('GET /customers/none -> 404');
  });

  test('tells what a test has sent whose account was closed', async () => {
    const close = (path: string) =>
      `await fetch(url + '/__control${path}', { method: 'DELETE', headers });`;
    const marked = exec(`${CALL}
      const body = JSON.stringify({ outcome: 'failed', title: 'finds a customer', message: 'expected 200' });
      await fetch(url + '/__control/account/test', { method: 'PUT', headers, body });
      ${close('/account')}
      process.exit(1);`);
    const unmarked = exec(`${CALL} ${close('/accounts?all=true')} process.exit(1);`);
    expect([await marked.ended(), await unmarked.ended()]).toEqual([1, 1]);
    expect(marked.stderr()).toContain('expected 200\n  1. GET /customers/none -> 404');
    expect(unmarked.stderr()).toContain('what my…en#1 sent, latest request first\n  1. GET');
  });

  const files = isAble ? createCertificate('DNS:localhost', 'IP:127.0.0.1') : undefined;
  test.each([
    ['--no-control', ['--no-control']],
    ...(files
      ? [['a self-signed certificate', ['--tls-cert', files.tlsCert, '--tls-key', files.tlsKey]]]
      : []),
  ] as [string, string[]][])(
    `exits as the command does, and tells what it has sent, with %s${note}`,
    async (_, flags) => {
      const distrusting = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';${CALL}`;
      const passing = exec(distrusting, flags);
      const failing = exec(`${distrusting} process.exit(7);`, flags);
      expect([await passing.ended(), passing.stdout()]).toEqual([0, '']);
      expect([await failing.ended(), failing.stderr()]).toEqual([
        7,
        expect.stringContaining('  1. GET /customers/none -> 404'),
      ]);
      expect(failing.stderr()).not.toContain('    at ');
    },
  );

  test('tells what the latest accounts have sent, refused ones first, if no test is marked as failed', async () => {
    const command = exec(`${CALL}
      const call = (token, path) => fetch(url + path, { headers: { Authorization: 'Bearer ' + token } });
      const twice = async (token, path) => { await call(token, path); await call(token, path); };
      for (let nth = 1; nth <= 7; nth++) {
        await twice('account-' + nth, nth === 1 ? '/customers/first' : '/measurements?limit=' + nth);
      }
      for (let nth = 1; nth <= 21; nth++) await call('account-7', '/measurements?limit=' + nth);
      await call('passing', '/customers/passing');
      const body = JSON.stringify({ outcome: 'passed', title: 'passes' });
      const its = { ...headers, Authorization: 'Bearer passing' };
      await fetch(url + '/__control/account/test', { method: 'PUT', headers: its, body });
      await call('account-1', '/nowhere');
      process.exit(1);`);
    expect(await command.ended()).toBe(1);
    const told = command.stderr();
    const ofAccounts = [...told.matchAll(/what (\S+) sent, latest request first\n {2}(.*)/g)];
    expect(ofAccounts.map(([, name, latest]) => [name, latest])).toEqual([
      ['acc…-1#2', expect.stringMatching(/^2\. GET \/customers\/first -> 404/)],
      ['my…en#1', expect.stringMatching(/^1\. GET \/customers\/none -> 404/)],
      ['acc…-7#8', '23. GET /measurements?limit=21 -> 200'],
      ['acc…-6#7', '2. GET /measurements?limit=6 -> 200'],
      ['acc…-5#6', '2. GET /measurements?limit=5 -> 200'],
    ]);
    expect(told).toContain('  4. GET /measurements?limit=2 -> 200\n  3 earlier requests\n');
    expect(told).toContain('reached no account, latest request first\n  1. GET /nowhere -> 404');
    expect(told).not.toContain('passing');
  });

  test('says that nothing was sent, but only if the command fails', async () => {
    const passing = exec('');
    const failing = exec('process.exit(1)');
    expect([await passing.ended(), passing.stderr()]).toEqual([0, '']);
    expect([await failing.ended(), failing.stderr()]).toEqual([
      1,
      expect.stringMatching(
        /no request.*If its tests ran, .*USAGE_BILLING_MOCK_URL.*USAGE_BILLING_MOCK_TOKEN/,
      ),
    ]);
  });

  test.each([[[]], [['--coverage', join(newFolder(), 'coverage.json')]]])(
    'counts what the mocks of the tests have received: exec %j',
    async (flags) => {
      const library = JSON.stringify(resolve('dist/index.mjs'));
      const failing = exec(
        `const { createMockServer } = await import(${library});
        const mock = await createMockServer();
        for (const path of ['/measurements', '/nowhere']) await mock.fetch(path);
        process.exit(1);`,
        flags,
      );
      expect([await failing.ended(), failing.stderr()]).toEqual([
        1,
        expect.stringContaining(
          'has sent no request to this mock, but 2 requests to mocks that it started itself.',
        ),
      ]);
    },
  );

  test('counts neither its own calls nor those of earlier commands of the run', async () => {
    const flags = ['--coverage', join(newFolder(), 'coverage.json')];
    const env = { USAGE_BILLING_MOCK_RUN: 'run-1' };
    expect(await exec(CALL, flags, env).ended()).toBe(0);
    const failing = exec('process.exit(1);', flags, env);
    expect([await failing.ended(), failing.stderr()]).toEqual([
      1,
      expect.stringContaining('no request has reached a mock'),
    ]);
  });

  test('leaves nothing behind if it cannot listen', async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'exec-'));
    // No address of this machine.
    const command = exec('', ['--host', '192.0.2.1'], { TMPDIR: temporary });
    expect(await command.ended()).toBe(3);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('gives the control token where there is one', async () => {
    const script = `${CALL}
      const token = process.env.USAGE_BILLING_MOCK_CONTROL_TOKEN;
      const call = (extra) => fetch(url + '/__control/account', { headers: { ...headers, ...extra } });
      console.log((await call({})).status, (await call({ 'X-Control-Token': token })).status);`;
    const command = exec(
      script
        .replaceAll('const token = process', 'const its = process')
        .replaceAll("'X-Control-Token': token", "'X-Control-Token': its"),
      ['--control-token', 'secret-1'],
    );
    expect(await command.ended()).toBe(0);
    expect(command.stdout()).toBe('403 200\n');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'passes %s on, and ends with the command',
    async (signal) => {
      const command = exec(`
      process.on('${signal}', () => process.exit(9));
      console.log('up');
      setInterval(() => {}, 1000);`);
      await command.printed('up');
      command.kill(signal);
      expect(await command.ended()).toBe(9);
    },
  );

  test('passes on a signal that comes as soon as the command has started', async () => {
    const signalled = writeFixture(
      `const children = require('node:child_process');
      const { spawn } = children;
      children.spawn = (...args) => {
        const child = spawn(...args);
        process.kill(process.pid, 'SIGTERM');
        return child;
      };`,
      'signalled.cjs',
    );
    const env = { NODE_OPTIONS: `--require ${signalled}` };
    const command = runCommand(['exec', '--', 'sleep', '300'], env);
    expect(await command.ended()).toBe(143);
    await groupEnded(command.pid);
  });

  test('passes a signal on to what a shell has started', async () => {
    const command = runCommand(['exec', '--', 'sh', '-c', 'sleep 60 & echo up; wait']);
    await command.printed('up');
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(143);
    await groupEnded(command.pid);
  });

  test('exits as a shell would if a signal has ended the command', async () => {
    const command = exec("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);");
    expect(await command.ended()).toBe(137);
  });

  test.each([
    [127, 'no-such-program', 'it is not in the PATH'],
    [127, './no-such-file', 'it does not exist'],
    [126, '/', 'it is no program'],
    [2, '', 'The command is empty'],
  ])('exits with %i if the command is %j, and leaves nothing behind', async (code, file, why) => {
    const temporary = mkdtempSync(join(tmpdir(), 'exec-'));
    const command = runCommand(['exec', '--', file], { TMPDIR: temporary });
    expect([await command.ended(), command.stderr()]).toEqual([code, expect.stringContaining(why)]);
    expect(command.stderr().trim().split('\n')).toHaveLength(1);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('ends a mock that the command has started with it', async () => {
    const command = exec(`
      import { spawn } from 'node:child_process';
      const mock = spawn('${NODE}', ['${process.cwd()}/dist/cli.cjs', '--port', '0'], { detached: true });
      mock.stdout.once('data', () => { console.log(mock.pid); process.exit(); });`);
    expect(await command.ended()).toBe(0);
    const pid = Number(command.stdout());
    const isRunning = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    const latest = performance.now() + 5_000;
    while (isRunning() && performance.now() < latest) await new Promise(setImmediate);
    expect(isRunning()).toBe(false);
  });
});
