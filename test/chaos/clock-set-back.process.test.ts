import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { newFolder } from '../support/fixture.js';
import { openHalfRequest } from './half-request.js';

const preloads = ['hastened-saves', 'settable-clock'].map((name) =>
  resolve(`test/chaos/${name}.cjs`),
);
const PRELOADED = { NODE_OPTIONS: preloads.map((path) => `--require ${path}`).join(' ') };
const LATENCY_MS = 20;
const start = useCommands('--log-level', 'warn', '--latency', String(LATENCY_MS));

interface Body {
  readonly now: string;
  readonly nextCursor: string;
  readonly measurements: readonly object[];
  readonly requests: readonly Noted[];
  readonly accounts: readonly { readonly requests: number }[];
}

interface Noted {
  readonly id: number;
  readonly at: string;
  readonly durationMs: number;
}

async function call(url: string, token: string, path: string, method = 'GET', body?: object) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sent = body && { body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, { method, headers, ...sent });
  return { status: response.status, body: (await response.json()) as Body };
}

/** Whether the account with the single request is still open. */
async function isIdleOpen(url: string): Promise<boolean> {
  const { accounts } = (await call(url, 't', '/__control/accounts')).body;
  return accounts.some(({ requests }) => requests === 1);
}

async function nowOf(url: string): Promise<number> {
  return Date.parse((await call(url, 't', '/__control/clock')).body.now);
}

test('a clock that is set back by a day breaks no cursor, limit, time-out, order or stop', async () => {
  const folder = newFolder();
  const [journalFile, stateFile] = [join(folder, 'journal.jsonl'), join(folder, 'state.json')];
  const files = ['--journal-file', journalFile, '--state-file', stateFile];
  const decided = ['--decide', 'cursor-lifetime=15m', '--close-idle-after', '3s'];
  const { command, url } = await start([...files, ...decided], PRELOADED);
  await call(url, 'idle', '/measurements');
  const { body: first } = await call(url, 't', '/measurements?limit=2');
  await call(url, 'limited', '/__control/decisions', 'PATCH', { 'rate-limit': '2/1h' });
  const limited = async () => (await call(url, 'limited', '/customers/name/Globex')).status;
  expect([await limited(), await limited(), await limited()].at(-1)).toBe(429);

  // Meanwhile, a request is under way.
  const half = await openHalfRequest(url);
  const before = await nowOf(url);
  command.kill('SIGUSR2');
  while ((await nowOf(url)) > before);
  expect(await isIdleOpen(url)).toBe(true);
  half.finish();
  await until(() => half.received().endsWith('}'));
  half.socket.destroy();
  expect(half.received()).toMatch(/HTTP\/1.1 200 OK.*"events"/s);

  // A rate limit's window that would begin in the future is over.
  expect(
    [await limited(), await limited(), await limited()].map((status) => status === 429),
  ).toEqual([false, false, true]);
  const next = await call(url, 't', `/measurements?limit=2&cursor=${first.nextCursor}`);
  expect([next.status, next.body.measurements.length]).toEqual([200, 2]);
  await call(url, 't', '/__control/customers/later', 'PUT', { id: 'later' });
  await until(() => readFileSync(stateFile, 'utf8').includes('"later"'));

  const { requests } = (await call(url, 't', '/__control/requests')).body;
  expect(requests.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(requests[2] && Date.parse(requests[2].at)).toBeLessThan(before);
  for (const { durationMs } of requests) {
    expect(durationMs).toBeGreaterThanOrEqual(LATENCY_MS - 1);
    expect(durationMs).toBeLessThan(60_000);
  }
  while (await isIdleOpen(url));
  const lines = readFileSync(journalFile, 'utf8').trimEnd().split('\n').slice(1);
  const ids = lines.map((line) => JSON.parse(line)).filter(({ account }) => account === 't#2');
  expect(ids.map(({ id }) => id)).toEqual([1, 2, 3]);
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
});
