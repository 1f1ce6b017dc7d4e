import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import type { BillingFixtures } from 'usage-billing-mock/playwright';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const next = `"${process.execPath}" ../node_modules/next/dist/bin/next`;

/** The tests in a file; none without a browser. */
export const testsIn = (file: string) => (existsSync(executablePath) ? file : []);

/** A server of Next.js on a free port. */
export const served = (command: string) => ({
  command: `${next} ${command} --port 0`,
  wait: { stdout: /Local: +(?<app_origin>\S+:\d+)/ },
});

export default defineConfig<BillingFixtures>({
  testMatch: testsIn('customer.spec.ts'),
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 60_000 },
  webServer: served('dev'),
  use: {
    baseURL: process.env.APP_ORIGIN,
    billingOptions: { app: process.env.APP_ORIGIN },
    launchOptions: { executablePath, args: ['--no-sandbox'] },
  },
});
