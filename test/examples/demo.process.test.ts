import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { run } from '../support/programs.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

/** Serves only static files, below a path, like a host of several sites. */
const server = createServer(async ({ url = '' }, response) => {
  const path = new URL(url, 'http://host').pathname.replace(/^\/demo\/$/, '/demo/index.html');
  try {
    const content = await readFile(join('dist', path));
    response.setHeader('Content-Type', TYPES[extname(path)] ?? '');
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
});
beforeAll(async () => {
  await run(process.execPath, ['scripts/build-demo.mjs']);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

describeInChromium('the demo, on a server of static files', () => {
  const open = usePages();

  test('lists, pages, deletes, survives a lost response, and shows what the mock saw', async () => {
    const page = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/demo/`);
    const rows = page.getByRole('row');
    const contract = page.locator('#contract');
    const first = await rows.nth(1).textContent();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Previous', disabled: false }).click();
    await page.getByRole('button', { name: 'Previous', disabled: true }).waitFor();
    expect(await rows.nth(1).textContent()).toBe(first);

    const shown = page.frameLocator('iframe');
    await shown.getByRole('link', { name: 'Behaviour' }).click();
    await shown.getByLabel('How often').selectOption('next request');
    await shown.getByRole('button', { name: 'Lost response' }).click();
    await shown.getByText('next 1').waitFor();
    await contract.getByRole('button').click();
    await contract.getByText('no such contract any more').waitFor();
    await shown.getByRole('link', { name: 'Requests' }).click();
    await shown.getByRole('row').filter({ hasText: 'DELETE' }).first().waitFor();

    await page.reload();
    await contract.getByRole('button').click();
    await contract.getByText('no such contract any more').waitFor();
  });
});
