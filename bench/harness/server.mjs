// Starts a server and looks at it from outside.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { ask } from './ask.mjs';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Asked, Start } from '../types.js' */

const LONGEST_START_MS = 20_000;
/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/** @type {Set<ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts the command of a target; resolves at the first 200 to the request, polled without rest.
 * @param {Start} start
 */
export async function startServer({ prefix, command, cwd, first, env }) {
  const port = await freePort();
  const [file = process.execPath, ...args] = [...prefix, process.execPath, ...command(port)];
  const startedAt = performance.now();
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  /** @type {string[]} */
  const complaints = [];
  child.stderr.on('data', (piece) => complaints.length < 50 && complaints.push(String(piece)));
  const server = {
    port,
    firstAfterMs: 0,
    residentMb: () => residentMb(child.pid),
    cpuMs: () => cpuMs(child.pid),
    /** Keeps it from doing anything while another is measured. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
  try {
    await firstAnswer(port, first, child, startedAt + LONGEST_START_MS);
  } catch (error) {
    await server.stop();
    const said = complaints.join('').trim().split('\n').at(0)?.slice(0, 120);
    throw new Error(
      [/** @type {Error} */ (error).message, said].filter(Boolean).join('; it said: '),
    );
  }
  server.firstAfterMs = performance.now() - startedAt;
  return server;
}

/**
 * @param {number} port
 * @param {Asked} first
 * @param {ChildProcess} child
 * @param {number} until
 */
async function firstAnswer(port, first, child, until) {
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

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function canConnect(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * The resident set of a process in MB, as the system counts it.
 * @param {number | undefined} pid
 */
export function residentMb(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kb] = /** @type {RegExpExecArray} */ (/^VmRSS:\s*(\d+)/m.exec(status));
    return Number(kb) / 1024;
  } catch {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
  }
}

/**
 * The CPU time that a process has taken in ms, undefined where the system does not say.
 * @param {number | undefined} pid
 */
function cpuMs(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the process, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}
