// The page in the browser open over a busy mock: what that takes from the service, and whether its
// list stays live.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { ask, wire } from '../harness/ask.mjs';
import { load } from '../harness/load.mjs';
import { FIRST } from '../harness/operations.mjs';
import { startTarget } from '../harness/start-target.mjs';

/** @import { Page } from 'playwright-core' */
/** @import { Bench, Server, Target } from '../types.js' */

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Without these it calls its maker when it starts. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The page closed, and open in Chromium. */
export const CLOSED = 'ours, page closed';
export const OPEN = 'ours, page open';
/** How many requests are sent a second with a pace. */
export const PER_SECOND = 500;
const PACES = ['paced', 'unpaced'];

const NEWEST_ROW = 'table.requests tbody tr:first-child';
const LAST = { method: 'GET', path: '/customers/the-last-request', token: 'bench' };

/**
 * One round: the page closed, then open, each over a server that has just started.
 * @param {Bench} bench
 */
export async function measurePage(bench) {
  await withServer(bench, (server) => measureLoad(bench, CLOSED, server));
  const refuse = (/** @type {string} */ reason) => {
    for (const pace of PACES) bench.results.refuse(`page ${pace}`, OPEN, reason);
  };
  if (!existsSync(CHROMIUM)) {
    return refuse(`there is no Chromium at ${CHROMIUM}; name another in CHROMIUM`);
  }
  await withServer(bench, async (server) => {
    // A child of this process, and so on the core of the generator.
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    try {
      const page = await openPage(browser, server);
      await measureLoad(bench, OPEN, server, page);
    } finally {
      await browser.close();
    }
  }).catch(({ message }) => refuse(message));
}

/**
 * @param {Bench} bench
 * @param {(server: Server) => Promise<void>} measure
 */
async function withServer(bench, measure) {
  const ours = /** @type {Target} */ (bench.targets.find(({ kind }) => kind === 'ours'));
  const server = await startTarget(bench, ours, 'start');
  try {
    await measure(server);
  } finally {
    await server.stop();
  }
}

/**
 * With a pace, then as fast as ten connections are answered.
 * @param {Bench} bench
 * @param {string} name
 * @param {Server} server
 * @param {Page} [page]
 */
async function measureLoad({ plan, results }, name, { port, cpuMs }, page) {
  const text = wire({ ...FIRST, token: 'bench' });
  const sent = { port, next: () => text };
  await load({ ...sent, seconds: plan.firstWarmUp });
  for (const pace of PACES) {
    const options =
      pace === 'paced'
        ? { seconds: plan.pacedSeconds, perSecond: PER_SECOND }
        : { seconds: plan.seconds };
    const cpuBefore = cpuMs();
    await page?.evaluate(WATCH);
    const { count, rps, p50, p99 } = await load({ ...sent, ...options });
    const longestMs = await page?.evaluate(LONGEST_WAIT);
    const cpu = cpuMs();
    results.add(`page ${pace}`, name, rps);
    results.add(`page ${pace} p50`, name, p50);
    results.add(`page ${pace} p99`, name, p99);
    if (cpu !== undefined && cpuBefore !== undefined) {
      results.add(`page ${pace} cpu`, name, (cpu - cpuBefore) / (count / 1_000));
    }
    if (page) {
      results.add(`page ${pace} update`, name, longestMs);
      results.add(`page ${pace} last`, name, await showLast(port, page));
    }
  }
}

/**
 * @param {Awaited<ReturnType<typeof chromium.launch>>} browser
 * @param {Server} server
 */
async function openPage(browser, { port }) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(`http://127.0.0.1:${port}/__control/ui`);
  await page.locator(NEWEST_ROW).waitFor();
  return page;
}

/**
 * How long after the load until its newest row is the newest request, in ms.
 * @param {number} port
 * @param {Page} page
 */
async function showLast(port, page) {
  await ask(port, LAST);
  const askedAt = performance.now();
  await page.locator(NEWEST_ROW, { hasText: LAST.path }).waitFor({ timeout: 10_000 });
  return performance.now() - askedAt;
}

/** In the page: notes the longest time between two updates of the list. */
const WATCH = `
  window.watch?.disconnect();
  window.longestMs = 0;
  window.updatedAt = performance.now();
  window.noteUpdate = () => {
    const now = performance.now();
    window.longestMs = Math.max(window.longestMs, now - window.updatedAt);
    window.updatedAt = now;
  };
  window.watch = new MutationObserver(window.noteUpdate);
  window.watch.observe(document.querySelector('table.requests tbody'), {
    childList: true,
    subtree: true,
    characterData: true,
  });
`;
const LONGEST_WAIT = `window.noteUpdate(), window.longestMs`;
