import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';
import { newFolder } from '../support/fixture.js';

describeInChromium('an archive', () => {
  const start = useCommands('--capture-bodies');
  const open = usePages();

  test('is replayed by Playwright when the mock has gone', async () => {
    const { command, url } = await start();
    const headers = { Authorization: 'Bearer my-token', 'X-Api-Key': 'of-the-client' };
    const targets = ['/measurements?limit=2', '/customers/none'];
    const calls = targets.map((target) => fetch(url + target, { headers }));
    const texts = await Promise.all(calls.map(async (call) => (await call).text()));
    const file = join(newFolder(), 'calls.har');
    const archive = await fetch(`${url}/__control/requests/har`, { headers });
    writeFileSync(file, await archive.text());
    const page = await open(`${url}/__control/health`);
    command.kill('SIGTERM');
    await command.ended();

    await page.routeFromHAR(file, { url: `${url}/**` });
    for (const [nth, target] of targets.entries()) {
      await page.goto(url + target);
      expect(await page.locator('pre').innerText()).toBe(texts[nth]);
    }
  });
});
