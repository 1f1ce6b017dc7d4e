import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { writeFixture } from '../support/fixture.js';
import { openSocket, type RawConnection } from '../support/socket.js';

const MEGABYTE = 2 ** 20;
const start = useCommands('--log-level', 'warn');
const preloaded = (name: string) => ({
  NODE_OPTIONS: `--require ${resolve(`test/chaos/${name}.cjs`)}`,
});
const head = (line: string) => `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer t\r\n`;

let connections: RawConnection[] = [];
afterEach(() => {
  for (const { socket } of connections) socket.destroy();
  connections = [];
});

function open(url: string, bytes: string): RawConnection {
  const connection = openSocket(url, bytes);
  connections.push(connection);
  return connection;
}

async function statusOf(url: string): Promise<number> {
  const headers = { Authorization: 'Bearer another' };
  const response = await fetch(`${url}/measurements?limit=10`, { headers });
  await response.text();
  return response.status;
}

/** The memory of the command, in bytes. */
function memoryOf({ pid }: Command): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

describe('a client that resets its connection', () => {
  test('in the middle of a response is not noticed by others', async () => {
    const body = 'x'.repeat(8_000_000);
    const stubs = [{ method: 'GET', path: '/big', body }];
    const args = ['--dataset', writeFixture(JSON.stringify({ stubs }))];
    const { command, url } = await start(args, preloaded('collected-garbage'));
    const other = open(url, `${head('GET /big')}Connection: close\r\n\r\n`);
    other.socket.once('end', () => other.socket.end());
    await once(other.socket, 'data');
    other.socket.pause();
    for (let round = 0; round < 40; round += 1) {
      const { socket, closed } = open(url, `${head('GET /big')}\r\n`);
      await once(socket, 'data');
      socket.resetAndDestroy();
      await closed;
      expect(await statusOf(url)).toBe(200);
    }
    other.socket.resume();
    await other.closed;
    expect(other.received().length).toBeGreaterThan(body.length);
    // Their responses would need more than that.
    command.kill('SIGUSR2');
    await until(() => memoryOf(command) < 250 * MEGABYTE);
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    expect(command.stderr()).not.toContain(' error ');
  });
});

describe('clients that never finish their requests', () => {
  /** Sends one byte after the other until the connection is closed. */
  async function dribble(
    url: string,
    bytes: string,
  ): Promise<{ response: string; tookMs: number }> {
    const startedAt = performance.now();
    const { socket, received, closed } = open(url, bytes);
    socket.once('end', () => socket.end());
    const timer = setInterval(() => socket.writable && socket.write('x'), 20);
    await closed;
    clearInterval(timer);
    return { response: received(), tookMs: performance.now() - startedAt };
  }

  test('get a 408 a minute later for a head, five for a body; others wait for none', async () => {
    const { url } = await start([], preloaded('hastened-time-outs'));
    const heads = Array.from({ length: 30 }, () => dribble(url, `${head('GET /a')}X-Slow: `));
    const post = `${head('POST /events/delete-by-refs')}Content-Type: application/json\r\n`;
    const bodies = Array.from({ length: 30 }, () =>
      dribble(url, `${post}Content-Length: 100000\r\n\r\n`),
    );
    const isOver = Promise.all([...heads, ...bodies]).then(() => true);
    const longest = { ms: 0 };
    while (!(await Promise.race([isOver, Promise.resolve(false)]))) {
      const startedAt = performance.now();
      expect(await statusOf(url)).toBe(200);
      longest.ms = Math.max(longest.ms, performance.now() - startedAt);
    }
    expect(longest.ms).toBeLessThan(2_000);
    for (const { response, tookMs } of await Promise.all(heads)) {
      expect(response).toMatch(/^HTTP\/1.1 408 .*"The request did not arrive completely in time/s);
      expect(tookMs).toBeGreaterThanOrEqual(600 - 10);
      // It does not get as much time as a body would.
      expect(tookMs).toBeLessThan(3_000 - 10);
    }
    for (const { response, tookMs } of await Promise.all(bodies)) {
      expect(response).toMatch(/^HTTP\/1.1 408 /);
      expect(tookMs).toBeGreaterThanOrEqual(3_000 - 10);
    }
  });
});
