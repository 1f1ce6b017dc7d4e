import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Storybook writes scripts and styles into its pages. */
const POLICY = "default-src 'self' 'unsafe-inline' 'unsafe-eval'";

export default defineConfig({
  expect: { timeout: 20_000 },
  testMatch: existsSync(executablePath) ? '*.spec.js' : [],
  webServer: {
    command: `node ../react/static-server.js node_modules/.static "${POLICY}"`,
    wait: { stdout: /Local: +(?<storybook_origin>\S+:\d+)/ },
  },
  use: { launchOptions: { executablePath, args: ['--no-sandbox'] } },
});
