// Measures the mock's page while it shows a busy mock: how much that slows the service down, and
// whether its list stays live and can be scrolled.
import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { ask, wire } from '../harness/ask.js';
import type { Bench } from '../harness/bench.js';
import { load } from '../harness/load.js';
import { FIRST } from '../harness/operations.mjs';
import type { Server } from '../harness/server.js';
import { startTarget } from '../harness/start-target.js';
import type { Target } from '../harness/targets.js';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Keep Chromium from calling its maker when it starts. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The names of the figures with the page closed, and open in Chromium. */
export const CLOSED = 'ours, page closed';
export const OPEN = 'ours, page open';
/** How many requests a second are sent with a pace. */
export const PER_SECOND = 500;
const PACES = ['paced', 'unpaced'];

const NEWEST_ROW = 'table.requests tbody tr:first-child';
const LAST = { method: 'GET', path: '/customers/the-last-request', token: 'bench' };

/** One round: the page closed, then open, each over a server that has just started. */
export async function measurePage(bench: Bench) {
  await withServer(bench, (server) => measureLoad(bench, CLOSED, server));
  const refuse = (reason: string) => {
    for (const pace of PACES) bench.results.refuse(`page ${pace}`, OPEN, reason);
  };
  if (!existsSync(CHROMIUM)) {
    return refuse(`there is no Chromium at ${CHROMIUM}; name another in CHROMIUM`);
  }
  await withServer(bench, async (server) => {
    // A child of this process, so it runs on the load generator's core.
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    try {
      const page = await openPage(browser, server);
      await measureLoad(bench, OPEN, server, page);
      await measureScrolling(bench, server, page).catch(({ message }) =>
        bench.results.refuse('page paced task', OPEN, message),
      );
    } finally {
      await browser.close();
    }
  }).catch(({ message }) => refuse(message));
}

async function withServer(bench: Bench, measure: (server: Server) => Promise<void>) {
  const ours = bench.targets.find(({ kind }) => kind === 'ours') as Target;
  const server = await startTarget(bench, ours, 'start');
  try {
    await measure(server);
  } finally {
    await server.stop();
  }
}

/** Measures with a pace, then as fast as ten connections allow. */
async function measureLoad(
  { plan, results }: Bench,
  name: string,
  { port, cpuMs }: Server,
  page?: Page,
) {
  const text = wire({ ...FIRST, token: 'bench' });
  const sent = { port, next: () => text };
  await load({ ...sent, seconds: plan.warmUp });
  for (const pace of PACES) {
    const options =
      pace === 'paced'
        ? { seconds: plan.pacedSeconds, perSecond: PER_SECOND }
        : { seconds: plan.seconds };
    const cpuBefore = cpuMs();
    await page?.evaluate(WATCH);
    const { count, rps, p50, p99 } = await load({ ...sent, ...options });
    const longestMs = await page?.evaluate<number>(LONGEST_WAIT);
    const cpu = cpuMs();
    const figures = {
      '': rps,
      ' p50': p50,
      ' p99': p99,
      ' cpu': (cpu - cpuBefore) / (count / 1_000),
    };
    results.addAll(name, figures, `page ${pace}`);
    if (!page) continue;
    results.addAll(
      name,
      { ' update': longestMs, ' last': await showLast(port, page) },
      `page ${pace}`,
    );
  }
}

/**
 * Measures how long the page blocks under load while its list, at first with 300 rows, is scrolled
 * down and back to its top again and again.
 */
async function measureScrolling({ plan, results }: Bench, { port }: Server, page: Page) {
  const text = wire({ ...FIRST, token: 'bench' });
  for (let times = 0; times < 5; times += 1) await page.getByText('Show more').click();
  await page.evaluate(WATCH_TASKS);
  const sent = { port, next: () => text, seconds: plan.pacedSeconds, perSecond: PER_SECOND };
  let isOver = false;
  const loaded = load(sent).finally(() => {
    isOver = true;
  });
  await Promise.all([loaded, scroll(page, () => isOver)]);
  results.add('page paced task', OPEN, await page.evaluate<number>(LONGEST_TASK));
}

/** Turns the mouse wheel down, and then up until the list is at its top. */
async function scroll(page: Page, isOver: () => boolean) {
  for (let times = 0; !isOver(); times += 1) {
    await page.mouse.wheel(0, times % 60 < 20 ? 200 : -200);
    await page.waitForTimeout(30);
  }
}

async function openPage(browser: Awaited<ReturnType<typeof chromium.launch>>, { port }: Server) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(`http://127.0.0.1:${port}/__control/ui`);
  await page.locator(NEWEST_ROW).waitFor();
  return page;
}

/** The milliseconds after the load until the page shows the newest request. */
async function showLast(port: number, page: Page) {
  await ask(port, LAST);
  const askedAt = performance.now();
  await page.locator(NEWEST_ROW, { hasText: LAST.path }).waitFor({ timeout: 10_000 });
  return performance.now() - askedAt;
}

/** Runs in the page, and notes the longest time between two updates of the list. */
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
/** Runs in the page, and notes its longest task; browsers report tasks of 50 ms and longer. */
const WATCH_TASKS = `
  window.longestTask = 0;
  window.noteTasks = (tasks) => {
    for (const { duration } of tasks) window.longestTask = Math.max(window.longestTask, duration);
  };
  window.observer = new PerformanceObserver((list) => window.noteTasks(list.getEntries()));
  window.observer.observe({ type: 'longtask' });
`;
const LONGEST_TASK = 'window.noteTasks(window.observer.takeRecords()), window.longestTask';
const LONGEST_WAIT = `window.noteUpdate(), window.longestMs`;
