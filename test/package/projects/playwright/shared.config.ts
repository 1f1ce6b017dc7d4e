import { defineConfig } from '@playwright/test';
import own from './playwright.config.js';

export default defineConfig(own, {
  globalSetup: 'usage-billing-mock/playwright/global-setup',
});
