import { existsSync } from 'node:fs';

/** Debian's Chromium, or the one that the variable names. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Without these it calls its maker when it starts. */
export const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const IS_INSTALLED = existsSync(CHROMIUM);

/** What follows the title of something that is skipped. */
const WHY = `(skipped: there is no Chromium at ${CHROMIUM})`;

/** The part of a configuration of Playwright by which it starts the browser of the system. */
export const USE_CHROMIUM = `use: {
  launchOptions: ${JSON.stringify({ executablePath: CHROMIUM, args: ARGUMENTS })},
}`;

/** A test that needs Chromium; where there is none, its title says so. */
export function testInChromium(title: string, run: () => Promise<void>): void {
  if (IS_INSTALLED) test(title, run);
  else test.skip(`${title} ${WHY}`, run);
}

/** Tests that need Chromium; where there is none, their title says so. */
export function describeInChromium(title: string, tests: () => void): void {
  if (IS_INSTALLED) describe(title, tests);
  else describe.skip(`${title} ${WHY}`, tests);
}
