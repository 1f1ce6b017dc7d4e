import { defineConfig } from '@playwright/test';

export default defineConfig({
  testMatch: 'fails*',
  globalSetup: 'usage-billing-mock/playwright/global-setup',
});
