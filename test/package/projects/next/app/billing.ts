import { headers } from 'next/headers';
import { accountOf } from 'usage-billing-mock/playwright/app';

/** The service and a token: in tests, the mock and its account. */
export async function billing() {
  const { BILLING_URL: url, BILLING_TOKEN: token, NODE_ENV } = process.env;
  if (NODE_ENV === 'production' || url) return { url, token };
  return accountOf({ headers: await headers() });
}
