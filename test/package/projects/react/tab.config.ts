import { defineConfig } from '@playwright/test';
import type { BillingFixtures } from 'usage-billing-mock/playwright';
import own from './chromium.config.ts';

process.env.MOCK_IN_TAB = 'true';

const { webServer: _, ...others } = own;

/** The same tests of the static build of `vite build --mode tab --outDir node_modules/.in-tab`, which no mock serves. */
export default defineConfig<BillingFixtures>(others, {
  testMatch: 'usage*',
  webServer: {
    command: 'node static-server.js node_modules/.in-tab',
    wait: { stdout: /Local: +(?<app_origin>\S+:\d+)/ },
  },
  use: { baseURL: process.env.APP_ORIGIN, billingOptions: {} },
});
