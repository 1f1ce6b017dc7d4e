import { existsSync } from 'node:fs';

const CHROMIUM = '/usr/bin/chromium';
const IS_INSTALLED = existsSync(CHROMIUM);

/** The part of a configuration of Playwright by which it starts the browser of the system. */
export const USE_CHROMIUM = `use: {
  launchOptions: { executablePath: '${CHROMIUM}', args: ['--no-sandbox'] },
}`;

/** A test that needs Chromium; where there is none, its title says so. */
export function testInChromium(title: string, run: () => Promise<void>): void {
  if (IS_INSTALLED) test(title, run);
  else test.skip(`${title} (not run: there is no ${CHROMIUM})`, run);
}
