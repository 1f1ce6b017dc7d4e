import { headers } from 'next/headers';
import { accountOf } from 'usage-billing-mock/playwright/app';

/** The service and a token: in tests, the mock and its account. */
export async function billing() {
  // Read first, they also keep every page that calls this from being prerendered.
  const incoming = await headers();
  const { BILLING_URL: url, BILLING_TOKEN: token, NODE_ENV } = process.env;
  if (NODE_ENV === 'production' || url) return { url, token };
  return accountOf({ headers: incoming });
}
