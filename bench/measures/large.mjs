// 1,000,000 measurements: memory, and a walk by cursor in pages of 1000.
import { Agent, request as open } from 'node:http';
import { ask, wire } from '../harness/ask.mjs';
import { load } from '../harness/load.mjs';
import { startTarget } from '../harness/start-target.mjs';
import { median } from '../harness/statistics.mjs';
import { measureStops } from './stops.mjs';

/** @import { Bench, Server, Target } from '../types.js' */

const ACCOUNTS = 10_000;
const DELETIONS = 10;
/** Pages at the start, in the middle and at the end, over which a median is taken. */
const STRETCH = 50;
const LEFT_OUT = 'left out of a quick run';
const NO_CURSOR = 'does not page by cursor';

/**
 * One round over the targets that page by cursor.
 * @param {Bench} bench
 */
export async function measureLarge(bench) {
  for (const target of bench.targets) {
    const { name, large } = target;
    const reason = large ? bench.plan.notLarge.includes(name) && LEFT_OUT : NO_CURSOR;
    if (reason) bench.results.refuse('walk', name, reason);
    else {
      await walk(bench, target).catch(({ message }) => bench.results.refuse('walk', name, message));
    }
  }
}

/**
 * @param {Bench} bench
 * @param {Target} target
 */
async function walk(bench, target) {
  const server = await startTarget(bench, target, 'large');
  try {
    await measureWalk(bench, target, server);
    if (target.kind === 'ours') {
      await measureOrder(bench, server);
      await openAccounts(bench, server);
      await measureStops(bench, server);
    }
  } finally {
    await server.stop();
  }
}

/**
 * @param {Bench} bench
 * @param {Target} target
 * @param {Server} server
 */
async function measureWalk({ results }, target, server) {
  results.add('large start', target.name, server.firstAfterMs);
  results.add('large memory at start', target.name, server.residentMb());
  const pages = await walkPages(server.port);
  results.add('large memory', target.name, server.residentMb());
  results.add('walk', target.name, pages.reduce((sum, ms) => sum + ms, 0) / 1_000);
  results.add('walk first page', target.name, pages[0]);
  const stretches = {
    'walk start': pages.slice(1, 1 + STRETCH),
    'walk middle': pages.slice(pages.length / 2, pages.length / 2 + STRETCH),
    'walk end': pages.slice(-STRETCH),
  };
  for (const [name, times] of Object.entries(stretches)) {
    results.add(name, target.name, median(times));
  }
  const ratio = median(stretches['walk end']) / median(stretches['walk start']);
  results.add('walk end over start', target.name, ratio);
}

/**
 * How long each page takes, in ms, on one connection.
 * @param {number} port
 */
async function walkPages(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  let count = 0;
  for (let cursor = ''; cursor !== undefined; ) {
    const startedAt = performance.now();
    const path = `/measurements?limit=1000${cursor && `&cursor=${cursor}`}`;
    const page = JSON.parse(await getText(agent, port, path));
    times.push(performance.now() - startedAt);
    count += page.measurements.length;
    cursor = page.nextCursor;
  }
  agent.destroy();
  if (count < 1_000_000) throw new Error(`The walk found ${count} measurements.`);
  return times;
}

/**
 * @param {Agent} agent
 * @param {number} port
 * @param {string} path
 * @returns {Promise<string>}
 */
function getText(agent, port, path) {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: 'Bearer walk' };
    open({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      /** @type {Buffer[]} */
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece)).on('error', reject);
      response.on('end', () => resolve(Buffer.concat(pieces).toString()));
    })
      .on('error', reject)
      .end();
  });
}

/**
 * The first page of an account that lists measurements by the time at which they were created, for
 * which the time of every record is drawn.
 * @param {Bench} bench
 * @param {Server} server
 */
async function measureOrder({ results }, { port }) {
  const token = 'ordered';
  const body = JSON.stringify({ 'measurement-order': 'created-at' });
  await ask(port, { method: 'PATCH', path: '/__control/decisions', token, body });
  const startedAt = performance.now();
  await ask(port, { method: 'GET', path: '/measurements?limit=1000', token });
  results.add('first page by created-at', 'ours', performance.now() - startedAt);
}

/**
 * Each account deletes events of its own, so that no two of them can share what is kept.
 * @param {Bench} bench
 * @param {Server} server
 */
async function openAccounts({ results, data }, server) {
  const before = server.residentMb();
  let opened = 0;
  const next = () => {
    const refs = data.large.refs.slice(opened * DELETIONS, (opened + 1) * DELETIONS);
    opened += 1;
    if (opened > ACCOUNTS) return undefined;
    const body = JSON.stringify({ refs });
    const token = `account-${opened}`;
    return wire({ method: 'POST', path: '/events/delete-by-refs', token, body });
  };
  await load({ port: server.port, next, seconds: 120, leastBytes: 1_000 });
  results.add('10,000 accounts', 'ours', server.residentMb() - before);
}
