import { test as ofPlaywright } from '@playwright/test';
import { type ConnectOptions, connectMockServer } from 'usage-billing-mock/client';
import { type Billing, test as ofKit } from 'usage-billing-mock/playwright';

type OfTab = Pick<Billing, 'token' | 'account' | 'journal' | 'server'>;

/** `billing` reaches the mock in the tab through the page, which keeps its state over reloads. */
const inTab = ofPlaywright.extend<{ billing: OfTab }>({
  billing: async ({ page }, provide) => {
    await page.goto('/');
    // The app renders when the mock is ready.
    await page.getByRole('heading').waitFor();
    const fetchInPage: ConnectOptions['fetch'] = async (url, { method, headers, body }) => {
      const { text, ...head } = await page.evaluate(
        async ([url, init]) => {
          const response = await fetch(url, init);
          const { status, headers } = response;
          return { status, headers: [...headers], text: await response.text() };
        },
        [url, { method, headers, body }] as const,
      );
      return { ...head, headers: new Headers(head.headers), text: async () => text };
    };
    const url = new URL('billing', page.url()).href;
    const server = connectMockServer({ url, fetch: fetchInPage });
    const token = 'my-token';
    const account = server.account(token);
    await provide({ token, account, journal: account.journal, server });
  },
});

export const test = process.env.MOCK_IN_TAB ? (inTab as unknown as typeof ofKit) : ofKit;
export { expect } from 'usage-billing-mock/playwright';
