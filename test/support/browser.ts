import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { ARGUMENTS, CHROMIUM } from './chromium.js';

/** A page under test, and what went wrong on it. */
interface Watched {
  readonly page: Page;
  /** Errors of the page, and requests to other addresses than the mock's. */
  readonly mistakes: readonly string[];
}

/** Returns a function that opens a mock's page; a test fails if anything went wrong on the page. */
export function usePages() {
  let browser: Browser | undefined;
  const opened: Watched[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  });
  afterEach(async () => {
    const mistakes = opened.flatMap((one) => one.mistakes);
    for (const { page } of opened.splice(0)) await page.context().close();
    expect(mistakes).toEqual([]);
  });
  afterAll(() => browser?.close());

  return async (
    url: string,
    options: {
      readonly colorScheme?: 'light' | 'dark';
      readonly width?: number;
      readonly timezoneId?: string;
    } = {},
  ): Promise<Page> => {
    const { colorScheme = 'light', width = 1200, ...others } = options;
    const context = await browser?.newContext({
      ...others,
      colorScheme,
      viewport: { width, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context?.newPage();
    if (!page) throw new Error('The browser was not started.');
    opened.push({ page, mistakes: watch(page, new URL(url).origin) });
    await page.goto(url);
    return page;
  };
}

function watch(page: Page, origin: string): string[] {
  const mistakes: string[] = [];
  page.on('pageerror', ({ message }) => mistakes.push(message));
  page.on('console', (message) => {
    // The page shows refusals of the control plane; the browser logs them, too.
    const isOfResponse = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isOfResponse) mistakes.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) mistakes.push(`Foreign: ${url}`);
  });
  return mistakes;
}

/** Opens a view of the page. */
export async function openView(page: Page, title: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: title }).click();
}

/** Opens the list of accounts, and returns those that are listed. */
export async function openAccounts(page: Page): Promise<Locator> {
  await page.locator('header button.chosen[aria-expanded="false"]').click();
  await page.locator('header input:focus').waitFor();
  return page.getByRole('listbox', { name: 'Accounts' }).getByRole('option');
}

/** Waits until an account is listed with this text, and closes the list again. */
export async function waitForAccount(page: Page, text: string | RegExp): Promise<void> {
  const options = await openAccounts(page);
  await options.filter({ hasText: text }).first().waitFor();
  await page.keyboard.press('Escape');
}

/** Waits until an expression is true on the page, frame by frame. */
export async function waitUntil(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(condition)))
    await page.evaluate('new Promise(requestAnimationFrame)');
}
