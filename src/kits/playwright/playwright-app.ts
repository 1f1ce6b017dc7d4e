import { TOKEN_FORM } from '../../core/values/bearer-token.js';
import { shown } from '../../core/values/received-value.js';
import { ACCOUNT_COOKIE, ACCOUNT_HEADER } from './carried-account.js';

/**
 * A request to a server, as Node, Express and the Fetch API know it.
 *
 * @example
 * const request: CarryingRequest = { headers: { 'x-usage-billing-account': 'http://127.0.0.1:4010#my-token' } };
 */
export interface CarryingRequest {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/**
 * The mock that a test uses, and the token of its account.
 *
 * @example
 * const { url, token }: CarriedAccount = accountOf(request);
 */
export interface CarriedAccount {
  readonly url: string;
  readonly token: string;
}

/**
 * Returns the account of the test from which a request comes, for the calls that the app's own
 * server then makes. Throws if the request names none, or a malformed one: it must not fall back on
 * the account of another test. Use it only in tests: whoever sends a request chooses the URL.
 *
 * @example
 * import { createServer } from 'node:http';
 * import { accountOf } from 'usage-billing-mock/playwright/app';
 *
 * createServer(async (request, response) => {
 *   const { url, token } = accountOf(request);
 *   const headers = { Authorization: `Bearer ${token}` };
 *   const { status } = await fetch(`${url}/customers/c1`, { headers });
 *   response.end(`The service answered ${status}`);
 * });
 */
export function accountOf(request: CarryingRequest): CarriedAccount {
  const carried = headerOf(request, ACCOUNT_HEADER) ?? cookieOf(request);
  const { method = '', url = '' } = request;
  const call = `${method} ${url}`.trim();
  if (carried === undefined) {
    throw new Error(
      `The request${call && ` ${call}`} names no test's account; expected the cookie ${ACCOUNT_COOKIE} or the header ${ACCOUNT_HEADER}. Set billingOptions.app to the URL of this server, or send billing.headers.`,
    );
  }
  const [, address, token = ''] = /^(https?:\/\/[^#]+)#(.+)$/.exec(carried) ?? [];
  if (address !== undefined && TOKEN_FORM.test(token)) return { url: address, token };
  throw new Error(
    `The request${call && ` ${call}`} carries the account ${shown(carried)}; expected the URL of a mock, '#' and a token, as in billing.headers.`,
  );
}

function headerOf({ headers }: CarryingRequest, name: string): string | undefined {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return (typeof value === 'object' ? value?.[0] : value) ?? undefined;
}

function cookieOf(request: CarryingRequest): string | undefined {
  const cookies = (headerOf(request, 'cookie') ?? '').split(/; */);
  const start = `${ACCOUNT_COOKIE}=`;
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}
