import { existsSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export default {
  test: {
    include: existsSync(executablePath) ? ['*.test.js'] : [],
    passWithNoTests: true,
    browser: {
      enabled: true,
      headless: true,
      provider: playwright({ launchOptions: { executablePath, args: ['--no-sandbox'] } }),
      instances: [{ browser: 'chromium' }],
    },
  },
};
