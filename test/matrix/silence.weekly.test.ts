import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, writeFixture } from '../support/fixture.js';
import { client, matrix } from '../support/matrix.js';

const ONLY = ['--only', 'total-counts=remaining'];
const IS_BASELINE = "process.env.USAGE_BILLING_MOCK_TOKEN.includes('baseline')";
/** Like a runner with a cache, calls only in the first run. */
const CACHED = client(`if (${IS_BASELINE}) await call('/measurements');`);

/** Calls a path of its own mock in the baseline, and otherwise ends it as told. */
const ownMock = (path: string, otherwise: string) =>
  client(`
  const { createMockServer } = await import(process.cwd() + '/dist/index.mjs');
  const mock = await createMockServer();
  const url = await mock.start();
  ${otherwise}
  await fetch(url + ${JSON.stringify(path)});
  await mock.stop();`);

async function reported(args: readonly string[], command: readonly string[]) {
  const folder = newFolder();
  const [report, junit] = [join(folder, 'report.json'), join(folder, 'junit.xml')];
  const files = ['--report', report, '--junit', junit];
  const end = await matrix([...files, '--no-canary', ...args], command);
  const texts = { json: readFileSync(report, 'utf8'), xml: readFileSync(junit, 'utf8') };
  return { ...end, ...texts };
}

test('each run has another value of USAGE_BILLING_MOCK_RUN, for caches that know what a test reads', async () => {
  const file = join(newFolder(), 'runs');
  const { exitCode } = await matrix(
    ONLY,
    client(`
      const { appendFileSync } = await import('node:fs');
      appendFileSync(${JSON.stringify(file)}, process.env.USAGE_BILLING_MOCK_RUN + '\\n');
      await call('/measurements');`),
  );
  const runs = readFileSync(file, 'utf8').trim().split('\n');
  expect([exitCode, runs.length, new Set(runs).size]).toEqual([0, 3, 3]);
  expect(runs).not.toContain('undefined');
});

describe('a run that passes without a request, where the baseline had some', () => {
  test('is neither passed nor accepted, and says what helps', async () => {
    const accept = writeFixture('- total-counts=remaining\n');
    const { exitCode, stdout, json, xml } = await reported([...ONLY, '--accept', accept], CACHED);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('go test: -count=1')]);
    expect(stdout).not.toContain('No alternative breaks');
    expect(JSON.parse(json).alternatives).toMatchObject([
      { outcome: 'no requests', isAccepted: false },
    ]);
    expect(xml).toContain('<failure message="no requests: A cache may have answered.');
  });

  test('has had one if its own mocks were killed', async () => {
    const killed = "await fetch(url + '/measurements'); process.exit(0);";
    const { exitCode, json } = await reported(ONLY, ownMock('/measurements', killed));
    expect([exitCode, JSON.parse(json).alternatives[0].outcome]).toEqual([1, 'not touched']);
  });

  test('has had a request if that was refused', async () => {
    const { json } = await reported(ONLY, ownMock('/unknown', ''));
    expect(JSON.parse(json).alternatives).toMatchObject([{ outcome: 'not touched' }]);
  });

  test('survives no fault', async () => {
    const { exitCode, stdout, xml } = await reported(['--faults'], CACHED);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('8 no requests')]);
    expect(stdout).toContain('-count=1');
    expect(xml).toContain('<failure message="no requests: A cache');
  });
});

test('a command whose calls go on after its end is not taken for one that passes', async () => {
  // The child sends half a request, which is under way until the mock stops.
  const child = `
    const { hostname, port } = new URL(process.env.USAGE_BILLING_MOCK_URL);
    const socket = require('node:net').connect(port, hostname);
    socket.on('data', () => process.connected && process.send('under way'));
    socket.on('error', () => undefined);
    socket.write('POST /events/delete-by-refs HTTP/1.1\\r\\nHost: x\\r\\nAuthorization: Bearer ' +
      process.env.USAGE_BILLING_MOCK_TOKEN + '\\r\\nContent-Type: application/json\\r\\n' +
      'Content-Length: 9\\r\\nExpect: 100-continue\\r\\n\\r\\n');`;
  const command = client(`
    const { spawn } = await import('node:child_process');
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'];
    const running = spawn(process.execPath, ['--eval', ${JSON.stringify(child)}], { detached: true, stdio });
    await new Promise((resolve) => running.once('message', resolve));
    running.disconnect();
    running.unref();`);
  const { exitCode, stderr } = await matrix(['--no-canary', ...ONLY], command);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('passed without calling a mock')]);
});

test('a matrix that takes over a minute says what running several at once would save', async () => {
  const slow = client("await call('/measurements'); setTimeout(() => undefined, 21_000);");
  const { exitCode, stderr } = await matrix(['--no-canary', '--only', 'measurement-order'], slow);
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(/one after another.*--jobs 4 can bring that down to \d+\.\d s/),
  ]);
});

test('a canary that passes without a request may come from a cache, too', async () => {
  const { exitCode, stderr } = await matrix(ONLY, CACHED);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('go test: -count=1')]);
  expect(stderr).toContain('It passes again without sending a request.');
});

test('a baseline without a request may come from a cache, too', async () => {
  const { exitCode, stderr } = await matrix(ONLY, client(''));
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('go test: -count=1')]);
});

test('a run that passes and calls fewer operations says which it left out', async () => {
  const command = client(
    `await call('/measurements'); if (${IS_BASELINE}) await call('/customers/nobody');`,
  );
  const { exitCode, stdout, stderr, json, xml } = await reported(ONLY, command);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('never called getCustomer')]);
  expect(stdout).toContain('total-counts=remaining never called getCustomer');
  expect(JSON.parse(json).alternatives[0].notCalled).toEqual(['getCustomer']);
  expect(xml).toContain('never called getCustomer');
});

test('a run that alone misses what the baseline touched is not seen', async () => {
  const isMissed = "process.env.USAGE_BILLING_MOCK_TOKEN.includes('error-body-message')";
  const command = client(`
    await call('/measurements');
    if (!${isMissed}) await call('/contracts/none', undefined, 'DELETE');`);
  const only = ['--only', 'unknown-identifier-status', '--only', 'error-body'];
  const { exitCode, stdout, json } = await reported(only, command);
  const outcomes = JSON.parse(json).alternatives.map(
    ({ value, outcome }: Record<string, string>) => `${value} ${outcome}`,
  );
  expect([exitCode, outcomes]).toEqual([
    1,
    ['message not seen', 'error-object passed', 'empty passed', '400 passed'],
  ]);
  expect(stdout).toContain('If the tests switch the decision themselves, name the others');
});
