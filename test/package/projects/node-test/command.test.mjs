import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { after, before, mock, test } from 'node:test';
import { connectMockServer } from 'usage-billing-mock/client';
import { callInEveryWay, EXPECTED } from '../calls.cjs';

const manifest = createRequire(import.meta.url).resolve('usage-billing-mock/package.json');
const path = manifest.replace('package.json', 'dist/cli.cjs');
let child;
let server;

before(async () => {
  child = spawn(process.execPath, [path, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  server = connectMockServer({ url: /http:\S+/.exec(line)[0] });
});
after(async () => {
  child.kill();
  await once(child, 'exit');
});

test('an account of the command is arranged and inspected', async () => {
  const account = server.account('node-test-command');
  await account.customers.put({ id: 'c1', name: 'Initech' });
  const headers = { Authorization: 'Bearer node-test-command' };
  const response = await fetch(`${server.url}/customers/c1`, { headers });
  assert.equal((await response.json()).customer.name, 'Initech');
  assert.equal(await account.journal.count({ operationId: 'getCustomer' }), 1);
});

test('every call is answered under the fake timers of Node', { timeout: 10_000 }, async () => {
  // From 22.23 on, the fetch of Node waits for it before it uses a connection again.
  mock.timers.enable({ apis: ['Date', 'setInterval', 'setTimeout'] });
  const started = {
    url: server.url,
    server,
    fetch: (path, init) => fetch(server.url + path, init),
  };
  const statuses = await callInEveryWay(started).finally(() => mock.timers.reset());
  assert.deepEqual(statuses, EXPECTED);
});

test('the matrix ends at a timeout what a run has started, browsers too', {
  timeout: 30_000,
}, async () => {
  const browsers = createServer().listen(0, '127.0.0.1');
  await once(browsers, 'listening');
  const { port } = browsers.address();
  const browser = `require('node:net').connect(${port}, '127.0.0.1')`;
  const run = `require('node:child_process').spawn('node', ['-e', ${JSON.stringify(browser)}], { detached: true });
    setTimeout(() => {}, 60_000)`;
  const args = [path, 'matrix', '--timeout', '2', '--', 'node', '-e', run];
  const matrix = spawn(process.execPath, args, { stdio: 'ignore' });
  const ended = once(matrix, 'exit');
  const [connection] = await once(browsers, 'connection');
  await once(connection.on('error', () => undefined).resume(), 'close');
  assert.deepEqual(await ended, [1, null]);
  browsers.close();
});
