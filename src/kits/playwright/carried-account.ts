/** The header that tells the app's own server the mock's URL and the test's token. */
export const ACCOUNT_HEADER = 'x-usage-billing-account';

/** The cookie with the same value, which a browser sends to that server's host, on every port. */
export const ACCOUNT_COOKIE = 'usage-billing-account';

/**
 * The value of the header and the cookie. The first `#` ends the URL, because a mock's URL contains
 * none.
 */
export function carriedAccount(url: string, token: string): string {
  return `${url}#${token}`;
}
