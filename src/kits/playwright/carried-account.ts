/** What a request to the app's own server carries: the URL of the mock, `#`, and the token of the test. */
export const ACCOUNT_HEADER = 'x-usage-billing-account';

/** The same as a cookie, which a browser sends only to that server. */
export const ACCOUNT_COOKIE = 'usage-billing-account';

/** What they are set to; neither a URL of a mock nor a token has a `#`. */
export function carriedAccount(url: string, token: string): string {
  return `${url}#${token}`;
}
