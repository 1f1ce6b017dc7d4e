import { readFileSync } from 'node:fs';
import { useCommands } from '../support/command.js';
import { openSocket } from '../support/socket.js';

const start = useCommands('--log-level', 'warn');
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=512' };
const LONG = 'a'.repeat(4_000_000);

/** Calls the service or the control plane; returns the status. */
async function call(url: string, method: string, path: string, token: string, body: string) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, headers, body });
  await response.text();
  return response.status;
}

type Flood = (url: string, nth: number) => Promise<number>;

const decisions: Flood = (url, nth) => {
  const body = JSON.stringify({ 'optional-fields': `/measurements/${LONG}` });
  return call(url, 'PATCH', '/__control/decisions', `t${nth}`, body);
};
const failures: Flood = (url, nth) => {
  const body = JSON.stringify({ outcome: 'failed', message: `${LONG}${nth}` });
  return call(url, 'PUT', '/__control/account/test', `t${nth}`, body);
};
/** JSON escapes a control character with six bytes. */
const longRequests: Flood = (url) =>
  call(url, 'POST', '/events/delete-by-refs', 't', '\u0001'.repeat(16_000));

// Without bounds, each of them ends the process after fewer calls.
test.each([
  ['long decisions', decisions, 190, 400],
  ['long messages of failed tests', failures, 375, 200],
  ['requests that a hundred streams do not read', longRequests, 400, 400],
])('a small heap survives %s', async (_what, flood, calls, lastStatus) => {
  const { command, url } = await start([], SMALL_HEAP);
  const stream = 'GET /__control/requests/stream?of=all HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const unread = flood === longRequests ? 100 : 0;
  const connections = Array.from({ length: unread }, () => openSocket(url, stream));
  for (const { socket } of connections) socket.pause();
  let status = 0;
  let longestMs = 0;
  for (let nth = 0; nth < calls; nth += 1) {
    status = await flood(url, nth);
    const askedAt = performance.now();
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - askedAt);
  }
  expect(status).toBe(lastStatus);
  expect(longestMs).toBeLessThan(1_000);
  for (const { socket } of connections) socket.destroy();
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
});

// Without a limit on the pages that wait for one connection, the mock takes 900 MB for them.
test('a small heap survives four connections with a thousand unread pages each', async () => {
  const { command, url } = await start([], SMALL_HEAP);
  const page = (nth: number) =>
    `GET /measurements?limit=${1_000 - (nth % 500)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n\r\n`;
  const pages = Array.from({ length: 1_000 }, (_, nth) => page(nth)).join('');
  const connections = Array.from({ length: 4 }, () => openSocket(url, pages));
  for (const { socket } of connections) socket.pause();
  for (let nth = 0; nth < 200; nth += 1) {
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  }
  const [, peakKilobytes] =
    /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${command.pid}/status`, 'utf8')) ?? [];
  expect(Number(peakKilobytes)).toBeLessThan(512 * 1_024);
  for (const { socket } of connections) socket.destroy();
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
});

// Without a bound, they end the process.
test('a small heap survives large bodies and pages that a fault holds', async () => {
  const { command, url } = await start([], SMALL_HEAP);
  const hold = JSON.stringify({ kind: 'hold', phase: 'after', times: 10_000 });
  await call(url, 'POST', '/__control/faults', 't', hold);
  const large = JSON.stringify({ refs: ['r'], padding: 'x'.repeat(9_900_000) });
  const page = async () => {
    const headers = { Authorization: 'Bearer t' };
    const response = await fetch(`${url}/measurements?limit=1000`, { headers });
    await response.body?.cancel();
    return response.status;
  };
  const calls: Promise<number>[] = [];
  for (let nth = 0; nth < 1_040; nth += 1) {
    calls.push(nth < 40 ? call(url, 'POST', '/events/delete-by-refs', 't', large) : page());
    if (nth % 20 === 0) expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  }
  expect(await Promise.race(calls)).toBe(503);
  await call(url, 'DELETE', '/__control/faults', 't', '');
  const statuses = await Promise.all(calls);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
});
