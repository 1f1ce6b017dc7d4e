import { defineConfig } from '@playwright/test';
import type { BillingFixtures } from 'usage-billing-mock/playwright';
import own, { served, testsIn } from './playwright.config';

/** The app that `next build` has made: it calls what its variables name, here the mock of a command. */
export default defineConfig<BillingFixtures>(own, {
  testMatch: testsIn('built.spec.ts'),
  webServer: [
    {
      command: `"${process.execPath}" ../node_modules/usage-billing-mock/dist/cli.cjs --port 0`,
      wait: { stdout: /ready on (?<billing_url>\S+)/ },
    },
    { ...served('start'), env: { BILLING_TOKEN: 'built' } },
  ],
});
