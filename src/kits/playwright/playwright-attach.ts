import type { TestInfo } from '@playwright/test';
import type { AccountControl } from '../../accounts/account-control.js';
import type { Remote } from '../../client/index.js';

const JSON_TYPE = 'application/json';
/** More than that nobody reads. */
const LARGEST_STATE_BYTES = 200_000;

/** Attaches to the report what an account received and, unless it is large, its records. */
export async function attachAccount(
  testInfo: TestInfo,
  account: Remote<AccountControl>,
  story: () => Promise<string>,
): Promise<void> {
  const attach = (name: string, body: string, contentType: string) =>
    testInfo.attach(name, { body, contentType });
  try {
    await attach('billing-requests.txt', await story(), 'text/plain');
    await attach('billing-requests.har', inJson(await account.journal.toHar()), JSON_TYPE);
    const { measurements, ...others } = await account.exportState();
    const state = [inJson({ ...others, measurements }), inJson(others)];
    const [whole = '', withoutMeasurements = ''] = state;
    if (isSmall(whole)) await attach('billing-records.json', whole, JSON_TYPE);
    else if (isSmall(withoutMeasurements)) {
      await attach('billing-records-without-measurements.json', withoutMeasurements, JSON_TYPE);
    }
  } catch (error) {
    // The failure of the test is what matters, not that the mock has ended meanwhile.
    await attach('billing-requests-unknown.txt', (error as Error).message, 'text/plain');
  }
}

function isSmall(text: string): boolean {
  return Buffer.byteLength(text) <= LARGEST_STATE_BYTES;
}

function inJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
