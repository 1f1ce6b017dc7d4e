import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type Command, useCommands } from '../support/command.js';

const MOST = 10_000;
const BATCH = 500;
/** How many files this process and the command need besides the connections. */
const OTHER_FILES = 500;
const MAX_BYTES_EACH = 16_384;
/** On a processor for itself; other programs may take it for most of the time. */
const ENDS_WITHIN_MS = 1_000;
const ENDS_ANYWAY_WITHIN_MS = 10_000;

const limit = Number(execFileSync('sh', ['-c', 'ulimit -n']).toString()) || Number.MAX_SAFE_INTEGER;
const count = Math.min(MOST, limit - OTHER_FILES);

const start = useCommands('--log-level', 'warn');
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

function memoryOf({ pid }: Command): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

/** The processor time that the command has used. */
function processorMsOf({ pid }: Command): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

async function statusOf(url: string): Promise<number> {
  const headers = { Authorization: 'Bearer t', Connection: 'close' };
  const response = await fetch(`${url}/measurements?limit=10`, { headers });
  await response.text();
  return response.status;
}

/** Opens a connection from one of several addresses, each of which has its own ports. */
function openIdle(url: string, nth: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const localAddress = `127.0.0.${2 + (nth % 4)}`;
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
}

test(`${count} idle connections cost little memory, delay nobody, and end with the command`, async () => {
  const { command, url } = await start();
  for (let nth = 0; nth < 100; nth += 1) await statusOf(url);
  const before = memoryOf(command);
  for (let nth = 0; nth < count; nth += BATCH) {
    const length = Math.min(BATCH, count - nth);
    await Promise.all(Array.from({ length }, (_none, at) => openIdle(url, nth + at)));
  }
  expect(await statusOf(url)).toBe(200);
  const startedAt = performance.now();
  for (let nth = 0; nth < 100; nth += 1) expect(await statusOf(url)).toBe(200);
  expect((performance.now() - startedAt) / 100).toBeLessThan(100);
  expect((memoryOf(command) - before) / count).toBeLessThan(MAX_BYTES_EACH);
  for (const socket of sockets) socket.on('error', () => undefined);
  const stoppedAt = performance.now();
  const usedBeforeMs = processorMsOf(command);
  let usedMs = 0;
  const timer = setInterval(() => {
    if (existsSync(`/proc/${command.pid}/stat`)) usedMs = processorMsOf(command) - usedBeforeMs;
  }, 5);
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
  clearInterval(timer);
  expect(usedMs).toBeLessThan(ENDS_WITHIN_MS);
  expect(performance.now() - stoppedAt).toBeLessThan(ENDS_ANYWAY_WITHIN_MS);
});
