// What the mock's page costs the service while it shows a busy mock in Chromium.
import { chromium } from 'playwright-core';
import { CUSTOMER, inTurn } from './data.mjs';
import { load } from './measure-load.mjs';
import { start } from './servers/start.mjs';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Keep Chromium from calling its maker when it starts. */
const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update'];
const LAST = '/customers/the-last-request';
const NEWEST_ROW = 'table.requests tbody tr:first-child';

export async function measurePage({ add, data }) {
  const [few, many] = [5_000, 20_000].map((amount) => Math.min(amount, data.most));
  const next = inTurn([{ path: `/customers/${CUSTOMER}` }]);
  for (const isOpen of [false, true]) {
    const server = await start('ours', data);
    const browser = isOpen ? await chromium.launch({ executablePath, args }) : undefined;
    const page = await browser?.newPage();
    await page?.goto(`${server.url}/__control/ui`);
    await page?.locator(NEWEST_ROW).waitFor();
    await load(server, next, { amount: many });
    const paced = await load(server, next, { amount: few, overallRate: 500 });
    const full = await load(server, next, { amount: many });
    const state = isOpen ? 'open' : 'closed';
    add(`page ${state}: 500 requests/s, CPU µs`, 'ours', paced.cpuUs);
    add(`page ${state}: 500 requests/s, p99 ms`, 'ours', paced.p99);
    add(`page ${state}: as fast as it answers, CPU µs`, 'ours', full.cpuUs);
    if (page) {
      const askedAt = performance.now();
      await fetch(server.url + LAST, { headers: { authorization: 'Bearer bench' } });
      await page.locator(NEWEST_ROW, { hasText: LAST }).waitFor({ timeout: 10_000 });
      add('page open: until it has the last request, ms', 'ours', performance.now() - askedAt);
    }
    await browser?.close();
    await server.stop();
  }
}
