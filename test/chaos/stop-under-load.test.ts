import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';
import { openSocket, type RawConnection } from '../support/socket.js';
import { openAskingClient } from './asking-client.js';

const start = useCommands('--log-level', 'warn');

/** What the documentation promises, and what a busy machine may add. */
const ENDS_WITHIN_MS = 1_000 + 1_000;

const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n`;
const BODY = '{"refs":["globex-march"]}';

/** Sends a request but for the end of its body; resolves when it is under way. */
async function openRequest(url: string): Promise<RawConnection> {
  const type = `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n`;
  const fields = `${type}Expect: 100-continue\r\n\r\n`;
  const connection = openSocket(url, `${head('POST /events/delete-by-refs')}${fields}`);
  connection.socket.once('end', () => connection.socket.end());
  await until(() => connection.received().includes('100 Continue'));
  connection.socket.write(BODY.slice(0, 5));
  return connection;
}

/** Waits until no connection is taken any more. */
async function refused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const isRefused = await new Promise((resolve) => {
      socket.once('connect', () => resolve(false));
      socket.once('error', () => resolve(true));
    });
    socket.destroy();
    if (isRefused) return;
  }
}

describe('a command that is stopped', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('by %s cuts no answer under load', async (signal) => {
    const { command, url } = await start();
    const clients = Array.from({ length: 10 }, () => openAskingClient(url));
    await Promise.all(clients.map(({ answered }) => answered(3)));
    const stoppedAt = performance.now();
    command.kill(signal);
    expect(await command.ended()).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(ENDS_WITHIN_MS);
    await Promise.all(clients.map(({ closed }) => closed));
    expect(clients.map(({ cutBytes }) => cutBytes())).toEqual(clients.map(() => 0));
  });

  test('cuts no answer of clients that have sent a thousand requests ahead', async () => {
    const { command, url } = await start();
    const clients = Array.from({ length: 10 }, () => openAskingClient(url, { ahead: 1_000 }));
    await Promise.all(clients.map(({ answered }) => answered(3)));
    const stoppedAt = performance.now();
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(ENDS_WITHIN_MS);
    await Promise.all(clients.map(({ closed }) => closed));
    expect(clients.map(({ cutBytes }) => cutBytes())).toEqual(clients.map(() => 0));
  });

  test('cuts no answer that a client with requests ahead reads after its end', async () => {
    const { command, url } = await start();
    const client = openAskingClient(url, { ahead: 3_000, limit: 100 });
    await client.answered(1);
    client.toggleReading();
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    client.toggleReading();
    await client.closed;
    expect(client.cutBytes()).toBe(0);
  });

  test('accepts no connection, and answers on the open ones that they end now', async () => {
    const { command, url } = await start();
    const requests = await Promise.all(Array.from({ length: 10 }, () => openRequest(url)));
    command.kill('SIGTERM');
    await refused(url);
    for (const { socket } of requests) socket.write(BODY.slice(5));
    await Promise.all(requests.map(({ closed }) => closed));
    for (const { received } of requests) {
      expect(received()).toMatch(/HTTP\/1.1 200 OK\r\n.*\r\nConnection: close\r\n.*"events"/s);
    }
    expect(await command.ended()).toBe(0);
  });

  test('sends the rest of an answer that a slow client has not read yet', async () => {
    const body = 'x'.repeat(8_000_000);
    const dataset = writeFixture(
      JSON.stringify({ stubs: [{ method: 'GET', path: '/big', body }] }),
    );
    const { command, url } = await start(['--dataset', dataset]);
    const { socket, received, closed } = openSocket(url, `${head('GET /big')}\r\n`);
    socket.once('end', () => socket.end());
    await once(socket, 'data');
    socket.pause();
    command.kill('SIGTERM');
    await refused(url);
    socket.resume();
    await closed;
    expect(received().length).toBeGreaterThan(body.length);
    expect(await command.ended()).toBe(0);
  });

  test('does not wait for an answer that takes a minute', async () => {
    const { command, url } = await start(['--latency', '60000']);
    const { received, socket } = openSocket(url, `${head('GET /measurements')}\r\n`);
    const { socket: another } = await openRequest(url);
    const stoppedAt = performance.now();
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(ENDS_WITHIN_MS);
    expect(received()).toBe('');
    for (const one of [socket, another]) one.destroy();
  });

  test.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
  ] as const)('by %s and then %s answers and saves as by the first', async (first, second) => {
    const stateFile = join(mkdtempSync(join(fixtureFolder, 'twice-')), 'state.json');
    const { command, url } = await start(['--state-file', stateFile]);
    const { socket, received, closed } = await openRequest(url);
    command.kill(first);
    await refused(url);
    command.kill(second);
    socket.write(BODY.slice(5));
    await closed;
    expect(received()).toMatch(/HTTP\/1.1 200 OK.*"events"/s);
    expect(await command.ended()).toBe(0);
    expect(existsSync(stateFile)).toBe(true);
  });
});
