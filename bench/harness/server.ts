// Starts a server, and observes it from outside.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { cpuSeconds } from '../../test/rigour/server/cpu-time.js';
import type { Asked } from '../types.js';
import { ask } from './ask.js';

const MAX_START_MS = 20_000;
const running: Set<ChildProcess> = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a target's command, and polls it without a pause; resolves at the first 200.
 */
export async function startServer({ prefix, node, command, cwd, first, env }: Start) {
  const port = await freePort();
  const [file = node, ...args] = [...prefix, node, ...command(port)];
  const startedAt = performance.now();
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const complaints: string[] = [];
  child.stderr.on('data', (piece) => complaints.length < 50 && complaints.push(String(piece)));
  const server = {
    port,
    firstAfterMs: 0,
    residentMb: () => residentMb(child.pid),
    cpuMs: () => 1_000 * cpuSeconds(child.pid),
    /** Stops the process while another server is measured. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
  try {
    await firstResponse(port, first, child, startedAt + MAX_START_MS);
  } catch (error) {
    await server.stop();
    const said = complaints.join('').trim().split('\n').at(0)?.slice(0, 120);
    throw new Error([(error as Error).message, said].filter(Boolean).join('; it said: '));
  }
  server.firstAfterMs = performance.now() - startedAt;
  return server;
}

async function firstResponse(port: number, first: Asked, child: ChildProcess, until: number) {
  for (let last = 'no connection'; ; ) {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    if (performance.now() > until) throw new Error(`no 200 in 20 s, the last was ${last}`);
    if (await canConnect(port)) {
      const { status } = await ask(port, first).catch(({ message }) => ({ status: message }));
      if (status === 200) return;
      last = String(status);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The resident set of a process in MB, as the system counts it. */
function residentMb(pid: number | undefined) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kb] = /^VmRSS:\s*(\d+)/m.exec(status) as RegExpExecArray;
    return Number(kb) / 1024;
  } catch {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>;

/** How to start a target; `command` returns the arguments of node for a port. */
interface Start {
  prefix: string[];
  /** The path of Node. */
  node: string;
  command(port: number): string[];
  cwd: string;
  first: Asked;
  env: Record<string, string>;
}
