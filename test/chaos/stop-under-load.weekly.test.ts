import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Command, useCommands } from '../support/command.js';
import { newFolder, writeFixture } from '../support/fixture.js';
import { openSocket } from '../support/socket.js';
import { type AskingClient, openAskingClient } from './asking-client.js';
import { openHalfRequest } from './half-request.js';

const start = useCommands('--log-level', 'warn');

/** The documented limits, for responses under way and for the whole stop. */
const GRACE_MS = 500;
const ENDS_WITHIN_MS = 1_000;

const PAGE = '/measurements?limit=1000';
const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n`;
/** A fixture that answers `GET /big` with this many bytes. */
function bigResponses(bytes: number): string {
  const stubs = [{ method: 'GET', path: '/big', body: 'x'.repeat(bytes) }];
  return writeFixture(JSON.stringify({ extends: 'default', stubs }), `${bytes}.json`);
}

/** Waits until the server accepts no more connections. */
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

/** Sends the signal; returns how long the command took to end successfully. */
async function timeToEnd(command: Command, signal: NodeJS.Signals): Promise<number> {
  const stoppedAt = performance.now();
  command.kill(signal);
  expect(await command.ended()).toBe(0);
  return performance.now() - stoppedAt;
}

/** Expects one of three stops to end in time, because the machine may be busy. */
async function expectInTime(stop: () => Promise<number>): Promise<void> {
  const took = [await stop()];
  while (took.length < 3 && Math.min(...took) >= ENDS_WITHIN_MS) took.push(await stop());
  expect(Math.min(...took)).toBeLessThan(ENDS_WITHIN_MS);
}

/**
 * Stops a command that many clients ask. Returns how long it took, or `Infinity` if responses needed more
 * than the half second that they have, as on a busy machine; any that is cut before fails.
 */
async function timeToEndUncut(
  command: Command,
  signal: NodeJS.Signals,
  clients: readonly AskingClient[],
): Promise<number> {
  const tookMs = await timeToEnd(command, signal);
  await Promise.all(clients.map(({ closed }) => closed));
  const cut = clients.map(({ cutBytes }) => cutBytes());
  if (tookMs > GRACE_MS && cut.some((bytes) => bytes > 0)) return Number.POSITIVE_INFINITY;
  expect(cut).toEqual(clients.map(() => 0));
  return tookMs;
}

describe('a command that is stopped (under the load of ten clients)', () => {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  test.each(signals)('by %s cuts no response under load, and ends in a second', async (signal) => {
    await expectInTime(() => stopUnderLoad(signal));
  });

  async function stopUnderLoad(signal: NodeJS.Signals): Promise<number> {
    const { command, url } = await start(['--dataset', bigResponses(16_000_000)]);
    const clients = Array.from({ length: 10 }, () => openAskingClient(url, PAGE));
    // The system takes a page at once, but of this response little more than has been read.
    const slow = openAskingClient(url, '/big');
    await Promise.all(clients.map(({ answered }) => answered(3)));
    await slow.begun();
    clients.push(slow);
    return timeToEndUncut(command, signal, clients);
  }

  test('accepts no connection, and answers on the open ones that they end now', async () => {
    const { command, url } = await start();
    const requests = await Promise.all(Array.from({ length: 10 }, () => openHalfRequest(url)));
    command.kill('SIGTERM');
    await refused(url);
    // A further request is not answered.
    for (const { finish } of requests) finish(`${head('GET /measurements')}\r\n`);
    await Promise.all(requests.map(({ closed }) => closed));
    for (const { received } of requests) {
      expect(received()).toMatch(/HTTP\/1.1 200 OK\r\n(.*\r\n)?Connection: close\r\n.*"events"/s);
      expect(received().match(/HTTP\/1.1 200 OK/g)).toHaveLength(1);
    }
    expect(await command.ended()).toBe(0);
  });

  test('sends the rest of a response that a slow client has not read yet', async () => {
    let sent = 0;
    // A busy machine may need the whole half second that responses under way get.
    for (let time = 0; time < 3 && sent <= 8_000_000; time += 1) {
      const { command, url } = await start(['--dataset', bigResponses(8_000_000)]);
      const { socket, received, closed } = openSocket(url, `${head('GET /big')}\r\n`);
      socket.once('end', () => socket.end());
      await once(socket, 'data');
      socket.pause();
      command.kill('SIGTERM');
      await refused(url);
      socket.resume();
      await closed;
      sent = received().length;
      expect(await command.ended()).toBe(0);
    }
    expect(sent).toBeGreaterThan(8_000_000);
  });

  test('does not wait for a response that takes a minute', async () => {
    await expectInTime(async () => {
      const { command, url } = await start(['--latency', '60000']);
      const { received, socket } = openSocket(url, `${head('GET /measurements')}\r\n`);
      const { socket: another } = await openHalfRequest(url);
      const tookMs = await timeToEnd(command, 'SIGTERM');
      expect(received()).toBe('');
      for (const one of [socket, another]) one.destroy();
      return tookMs;
    });
  });

  test.each([
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
  ] as const)('by %s and then %s answers and saves as by the first', async (first, second) => {
    const stateFile = join(newFolder(), 'state.json');
    let answered = '';
    // A busy machine may need the whole half second that requests under way get.
    for (let time = 0; time < 3 && !answered.includes('200 OK'); time += 1) {
      const { command, url } = await start(['--state-file', stateFile]);
      const { finish, received, closed } = await openHalfRequest(url);
      command.kill(first);
      await refused(url);
      command.kill(second);
      finish();
      await closed;
      answered = received();
      expect(await command.ended()).toBe(0);
      expect(existsSync(stateFile)).toBe(true);
    }
    expect(answered).toMatch(/HTTP\/1.1 200 OK.*"events"/s);
  });
});
