import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import own from './playwright.config.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

// Playwright would start its server, too, and Vite refuses a second one of the same project.
const { webServer: _, ...others } = own;

/** The same on a free port, in the system's browser; without one, no tests of pages. */
export default defineConfig(others, {
  expect: { timeout: 20_000 },
  testIgnore: existsSync(executablePath) ? [] : 'usage*',
  webServer: {
    command: 'npm run dev -- --port 0',
    wait: { stdout: /Local: +(?<app_origin>\S+:\d+)/ },
  },
  use: {
    baseURL: process.env.APP_ORIGIN,
    launchOptions: { executablePath, args: ['--no-sandbox'] },
  },
});
