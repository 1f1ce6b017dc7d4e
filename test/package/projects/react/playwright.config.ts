import { defineConfig } from '@playwright/test';
import type { BillingFixtures } from 'usage-billing-mock/playwright';

export default defineConfig<BillingFixtures>({
  testDir: 'tests',
  fullyParallel: true,
  webServer: { command: 'npm run dev', url: 'http://localhost:5173' },
  use: { baseURL: 'http://localhost:5173', billingOptions: { url: '/billing' } },
});
