import { readFile } from 'node:fs/promises';
import { openView, usePages } from '../support/browser.js';
import { describeInChromium } from '../support/chromium.js';
import { useCommands } from '../support/command.js';

interface Measurement {
  readonly customerId: string;
  readonly meterId: string;
  readonly usageDate: { readonly year: number; readonly month: number; readonly day: number };
  readonly value: number;
}

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

/** The heights of the bars in each plot, in pixels. */
const HEIGHTS = `[...document.querySelectorAll('.plot canvas')].map((canvas) => {
  const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const accent = getComputedStyle(canvas).getPropertyValue('--accent');
  const colour = accent.match(/[0-9a-f]{2}/g).map((part) => Number.parseInt(part, 16));
  const rows = new Set();
  for (let at = 0; at < data.length; at += 4)
    if (colour.every((part, index) => data[at + index] === part))
      rows.add(Math.floor(at / 4 / width));
  return rows.size;
})`;

/** Notes what is written into canvases, and where. */
const NOTE_TEXTS = `
  window.texts = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { e, f } = this.getTransform();
    window.texts.push([text, (x + e) / devicePixelRatio]);
    fillText.call(this, text, x, y);
  };
`;

describeInChromium('the usage on the page', () => {
  const start = useCommands();
  const open = usePages();

  test('has the values of the records, by day and by customer', async () => {
    const { url } = await start();
    const measurements: Measurement[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const response = await fetch(
        `${url}/measurements?limit=1000${cursor && `&cursor=${cursor}`}`,
        as('app-token'),
      );
      const page = (await response.json()) as {
        measurements: Measurement[];
        nextCursor?: string;
      };
      measurements.push(...page.measurements);
      cursor = page.nextCursor;
    }
    const page = await open(`${url}/__control/ui`);
    await openView(page, 'Usage');
    await page
      .getByText(`${measurements.length.toLocaleString('en')} measurements`, { exact: true })
      .waitFor();
    const customer = '65a000000000000000000001';
    await page.getByRole('heading', { name: 'All customers, all meters, by day' }).waitFor();
    const meter = measurements[0]?.meterId ?? '';
    await page.getByRole('combobox', { name: 'Customer' }).selectOption(customer);
    await page.getByRole('combobox', { name: 'Meter' }).selectOption(meter);

    const ofMeter = measurements.filter(({ meterId }) => meterId === meter);
    const days = new Set(
      ofMeter
        .filter(({ customerId }) => customerId === customer)
        .map(({ usageDate: { year, month, day } }) => `${year}-${month}-${day}`),
    );
    const [byDay, byCustomer] = [
      page.locator('section:has(.plot)').first(),
      page.locator('section.totals'),
    ];
    await byDay.getByText(`Table of ${days.size} values`).click();
    expect(await byDay.locator('tbody tr').count()).toBe(days.size);
    const sumOf = (rows: readonly Measurement[]) => rows.reduce((sum, { value }) => sum + value, 0);
    const shown = await byDay.locator('tbody td.number').allInnerTexts();
    const total = shown.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
    expect(total).toBeCloseTo(sumOf(ofMeter.filter(({ customerId }) => customerId === customer)));

    const largest = await byCustomer.locator('tbody td.number').first().innerText();
    const customers = [...new Set(ofMeter.map(({ customerId }) => customerId))];
    const totals = customers.map((id) =>
      sumOf(ofMeter.filter(({ customerId }) => customerId === id)),
    );
    expect(Number(largest.replaceAll(',', ''))).toBeCloseTo(Math.max(...totals));
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('"day","customer","meter","value"');
    expect(lines).toHaveLength(days.size + 1);
  });

  test('is downloaded without formulas, which a spreadsheet would run', async () => {
    const { url } = await start(['--dataset', 'empty']);
    const usageDate = { year: 2026, month: 1, day: 1 };
    await fetch(`${url}/__control/measurements`, {
      method: 'POST',
      body: JSON.stringify({ customerId: '=A1&"x"', usageDate, value: -5 }),
      headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
    });
    const page = await open(`${url}/__control/ui#usage`);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const [, row] = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(row).toBe(`"2026-01-01","'=A1&""x""","",-5`);
  });

  test('of several customers stands side by side, on the same axes', async () => {
    const { url } = await start(['--dataset', 'empty']);
    const add = (customerId: string, month: number, value: number) =>
      fetch(`${url}/__control/measurements`, {
        method: 'POST',
        body: JSON.stringify({ customerId, usageDate: { year: 2026, month, day: 1 }, value }),
        headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
      });
    await add('c1', 1, 500);
    await add('c2', 3, 7);
    await add('c3', 2, 1);
    const page = await open(`${url}/__control/ui#usage`);
    const plots = page.locator('section:has(.plot)');
    await page.getByText('98.4%').waitFor();
    await page.locator('table.bars').getByRole('button', { name: 'c1' }).click();
    await page.locator('table.bars').getByRole('button', { name: 'c2' }).press('Enter');
    await page.getByRole('heading', { name: 'c2, all meters, by day' }).waitFor();
    expect(await plots.locator('h3').allInnerTexts()).toEqual([
      'c1, all meters, by day',
      'c2, all meters, by day',
    ]);
    // With separate axes, the bar of c2 would be as high as that of c1.
    const heights = await page.evaluate<number[]>(HEIGHTS);
    expect(heights).toHaveLength(2);
    expect(heights[1]).toBeLessThan((heights[0] ?? 0) / 10);
    await page.getByRole('combobox', { name: 'Customer' }).selectOption('all');
    await page.getByRole('heading', { name: 'All customers' }).waitFor();
    expect(await plots.count()).toBe(1);
  });

  test.each(['Pacific/Auckland', 'UTC', 'America/Los_Angeles'])(
    'has each day above its date on the axis in %s',
    async (timezoneId) => {
      const { url } = await start(['--dataset', 'empty']);
      for (const day of [27, 28, 29, 30, 31])
        await fetch(`${url}/__control/measurements`, {
          method: 'POST',
          body: JSON.stringify({ usageDate: { year: 2026, month: 3, day }, value: day }),
          headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
        });
      const page = await open(`${url}/__control/ui`, { timezoneId });
      await page.getByText('Live', { exact: true }).waitFor();
      await page.evaluate(NOTE_TEXTS);
      await openView(page, 'Usage');
      const plot = page.locator('.plot');
      const canvas = plot.locator('canvas');
      await canvas.waitFor();
      const labels = await page.evaluate<[string, number][]>('window.texts');
      const dates = new Map(labels.filter(([text]) => text.startsWith('2026-')));
      expect([...dates.keys()].toSorted()).toContain('2026-03-29');
      const { x = 0, y = 0 } = (await canvas.boundingBox()) ?? {};
      for (const [date, left] of dates) {
        const day = Number(date.slice(-2));
        if (date.startsWith('2026-03') && day >= 27) {
          await page.mouse.move(x + left, y + 100);
          await plot.getByText(`${date}: ${day}`).waitFor();
        }
      }
    },
  );

  test('of a large dataset is read in pages, and only as far as asked', async () => {
    const { url } = await start(['--dataset', 'large']);
    await fetch(`${url}/measurements?limit=1`, as('app-token'));
    const page = await open(`${url}/__control/ui`);
    await openView(page, 'Usage');
    await page.getByText('20,000 measurements so far').waitFor();
    await page
      .getByRole('heading', { name: /^By customer, all meters, of the first 20,000/ })
      .waitFor();
    await page.getByRole('button', { name: 'Load all' }).click();
    await page.getByText(/^Loading… [3-9]\d,000 measurements so far$/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Load all' }).waitFor();
    // Names are found wherever the customer is among thousands.
    const unnamed = page.locator('table.bars tbody tr', { hasText: /^[0-9a-f]{24}/ });
    await unnamed.first().waitFor({ state: 'detached' });
    expect(await page.locator('table.bars tbody tr').count()).toBe(25);
    expect(await page.locator('.plot canvas').count()).toBe(1);
  });

  test('without a meter is not the sum of all meters, and any number has an axis', async () => {
    const { url } = await start(['--dataset', 'empty']);
    const usageDate = { year: 2026, month: 1, day: 31 };
    const control = (path: string, body: object) =>
      fetch(`${url}/__control${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...as('app-token').headers, 'Content-Type': 'application/json' },
      });
    await control('/measurements', { customerId: 'c1', usageDate, value: 5 });
    await control('/measurements', { customerId: 'c1', meterId: 'M', usageDate, value: 7 });
    await control('/measurements', { customerId: 'c2', meterId: 'M', usageDate, value: 1.8e307 });
    const page = await open(`${url}/__control/ui#usage`);
    await page.getByRole('combobox', { name: 'Meter' }).selectOption('(no meter)');
    await page.getByRole('heading', { name: 'By customer, meter (no meter)' }).waitFor();
    await page.getByText('Table of 1 value', { exact: true }).click();
    expect(await page.locator('tbody td.number').allTextContents()).toEqual(['5', '5']);
    await page.locator('.plot').hover();
    await page.getByText('2026-01-31: 5').waitFor();
    await page.getByRole('combobox', { name: 'Meter' }).selectOption('M');
    await page.getByRole('heading', { name: 'By customer, meter M' }).waitFor();
    expect(await page.locator('table.bars tbody tr').count()).toBe(2);
  });
});
