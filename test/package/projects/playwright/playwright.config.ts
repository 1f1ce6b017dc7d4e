import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import type { BillingFixtures } from 'usage-billing-mock/playwright';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig<BillingFixtures>({
  testIgnore: existsSync(executablePath) ? 'fails*' : ['fails*', 'page*', 'rendered*'],
  fullyParallel: true,
  use: {
    billingOptions: { intercept: 'https://api.example.com/**' },
    launchOptions: { executablePath, args: ['--no-sandbox'] },
  },
});
