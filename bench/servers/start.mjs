// Starts a server, and observes it from outside.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CUSTOMER } from '../data.mjs';

const MAX_START_MS = 60_000;
const TICK_MS = 10;
const BENCH = fileURLToPath(new URL('../', import.meta.url));
const headers = { authorization: 'Bearer bench' };

/** This process keeps one core, servers get another, if there are two. */
const [own, other] = ['0', '1'].map((core) => ['-c', core]);
const isPinned = spawnSync('taskset', ['-a', '-p', ...own, String(process.pid)]).status === 0;
const PIN = isPinned ? ['taskset', ...other] : [];

/** The arguments of node for each server, by its port and the file of its records. */
export const SERVERS = {
  ours: (port, { dataset = 'default' }) => [
    `${BENCH}node_modules/usage-billing-mock/dist/cli.cjs`,
    ...['--port', port, '--dataset', dataset, '--log-level', 'silent', '--max-accounts', '20000'],
  ],
  'by hand': (port, { records }) => [`${BENCH}servers/by-hand.mjs`, port, records],
  'json-server': (port, { records }) => [
    ...[`${BENCH}node_modules/json-server/lib/bin.js`, '--port', port, records],
  ],
  'node:http': (port) => [`${BENCH}servers/alone.mjs`, port],
};

/** Resolves at the end of the first 200, to `data.first` if the records lack the customer. */
export async function start(name, data) {
  const port = await freePort();
  const [file, ...args] = [...PIN, process.execPath, ...SERVERS[name](String(port), data)];
  const startedAt = performance.now();
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isUp(url + (data.first ?? `/customers/${CUSTOMER}`)))) {
    if (child.exitCode !== null || performance.now() - startedAt > MAX_START_MS)
      throw new Error(`${name} has not started.`);
    await setTimeout(1);
  }
  return {
    url,
    /** Peers forget the oldest account by themselves. */
    async closeAccounts() {
      if (name !== 'ours') return;
      const response = await fetch(`${url}/__control/accounts?prefix=bench-`, { method: 'DELETE' });
      if (!response.ok) throw new Error(await response.text());
    },
    startMs: performance.now() - startedAt,
    residentMb: () => Number(read(child, 'status').match(/VmRSS:\s*(\d+)/)[1]) / 1_024,
    /** User and system time of all threads: the 14th and 15th field of `stat`. */
    cpuMs() {
      const fields = read(child, 'stat').replace(/.*\) /s, '').split(' ');
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    },
    async stop() {
      process.off('exit', kill);
      kill();
      await once(child, 'exit');
    },
  };
}

const read = ({ pid }, file) => readFileSync(`/proc/${pid}/${file}`, 'utf8');

async function isUp(url) {
  const response = await fetch(url, { headers }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
