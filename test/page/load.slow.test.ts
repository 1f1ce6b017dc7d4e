import { Agent, request } from 'node:http';
import { usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

const PER_SECOND = 500;
const TICK_MS = 20;
/** How long the page is scrolled: two minutes once a week. */
const LOAD_MS = Number(process.env.LOAD_SECONDS ?? 8) * 1_000;
/** From this duration on, people notice that a page does not respond. */
const LONG_MS = 50;
/** Reference work of about 10 ms on an idle machine, because this one may be slower or busy. */
const REFERENCE = `(() => {
  const from = performance.now();
  for (let round = 0, text = ''; round < 60; round += 1)
    text = JSON.stringify(Array.from({ length: 1_000 }, (_, index) => ({ index, text: text.length })));
  return [from, performance.now()];
})()`;
/** How many times as long as the reference a task may take. */
const MOST_REFERENCES = 5;

/** Records tasks over 50 ms, and how long the reference takes meanwhile. */
const OBSERVE = `
  window.references = [];
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries()))
    .observe({ type: 'longtask', buffered: false });
  window.timer = setInterval(() => window.references.push(${REFERENCE}), 100);
`;

/** The longest task without a reference in it, and the longest reference. */
const RESULT = `(() => {
  clearInterval(window.timer);
  const overlaps = ({ startTime, duration }) => ([from, to]) =>
    from < startTime + duration && to > startTime;
  const tasks = window.tasks.filter((task) => !window.references.some(overlaps(task)));
  return {
    longestMs: Math.max(0, ...tasks.map(({ duration }) => duration)),
    referenceMs: Math.max(...window.references.map(([from, to]) => to - from)),
  };
})()`;

describeInChromium(`the page at ${PER_SECOND} requests a second`, () => {
  const start = useCommands('--log-level', 'warn');
  const open = usePages();

  test('does no task that makes scrolling stutter', async () => {
    const { url } = await start();
    const page = await open(`${url}/__control/ui`);
    await page.getByText('Live', { exact: true }).waitFor();
    const load = sendTo(url);
    try {
      await page.getByText('Show more of 1000').waitFor();
      for (let times = 0; times < 5; times += 1) await page.getByText('Show more').click();
      await page.evaluate(OBSERVE);
      const until = performance.now() + LOAD_MS;
      for (let times = 0; performance.now() < until; times += 1) {
        await page.mouse.wheel(0, times % 40 < 20 ? 200 : -200);
        await page.waitForTimeout(30);
      }
      const { longestMs, referenceMs } = await page.evaluate<{
        longestMs: number;
        referenceMs: number;
      }>(RESULT);
      expect(longestMs).toBeLessThanOrEqual(Math.max(LONG_MS, MOST_REFERENCES * referenceMs));
    } finally {
      load.stop();
    }
    expect(load.sent).toBeGreaterThan(1_000);
  });
});

/** Sends requests of all kinds at a constant rate. */
function sendTo(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const paths = ['/measurements?limit=1', '/customers/nobody', '/measurements?limit=0', '/wrong'];
  const state = { sent: 0, stop };
  const timer = setInterval(() => {
    for (let nth = 0; nth < (PER_SECOND * TICK_MS) / 1_000; nth += 1) {
      const path = paths[state.sent % paths.length] ?? '';
      const headers = { Authorization: 'Bearer load-token' };
      request(url + path, { agent, headers }, (response) => response.resume())
        .on('error', () => undefined)
        .end();
      state.sent += 1;
    }
  }, TICK_MS);
  function stop() {
    clearInterval(timer);
    agent.destroy();
  }
  return state;
}
