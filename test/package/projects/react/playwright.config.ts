import { defineConfig } from '@playwright/test';
import type { BillingFixtures } from 'usage-billing-mock/playwright';

export default defineConfig<BillingFixtures>({
  testDir: 'tests',
  fullyParallel: true,
  webServer: {
    command: 'npm run dev',
    url: 'http://localhost:5173',
    reuseExistingServer: !process.env.CI,
  },
  use: { baseURL: 'http://localhost:5173', billingOptions: { url: '/billing' } },
});
