import { existsSync } from 'node:fs';

/** Debian's Chromium, or the one in the variable CHROMIUM. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Keep Chromium from calling its maker when it starts. */
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

/** Added to the titles of skipped tests. */
const WHY = `(skipped: there is no Chromium at ${CHROMIUM})`;

/** The part of a Playwright configuration that makes it start the system's browser. */
export const USE_CHROMIUM = `use: {
  launchOptions: ${JSON.stringify({ executablePath: CHROMIUM, args: ARGUMENTS })},
}`;

/** A test that needs Chromium; skipped without, and its title says so. */
export function testInChromium(title: string, run: () => Promise<void>): void {
  if (IS_INSTALLED) test(title, run);
  else test.skip(`${title} ${WHY}`, run);
}

/** Tests that need Chromium; skipped without, and their title says so. */
export function describeInChromium(title: string, tests: () => void): void {
  if (IS_INSTALLED) describe(title, tests);
  else describe.skip(`${title} ${WHY}`, tests);
}
