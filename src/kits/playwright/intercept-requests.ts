import type { BrowserContext, Route } from '@playwright/test';
import type { BillingOptions } from './billing-options.js';
import { fulfillFollowing, type Interception } from './follow-redirects.js';

interface MockAndTokens {
  readonly url: string;
  readonly token: string;
  /** All tokens of the test, `token` included. */
  readonly tokens: ReadonlySet<string>;
}

/** Lets the mock answer requests of a browser context, under an account of the test. */
export async function intercept(
  context: BrowserContext,
  { intercept: given, onlyTokenOfTest = false, url }: BillingOptions,
  mock: MockAndTokens,
): Promise<void> {
  const pattern = given ?? (url === undefined ? undefined : isForMock(mock.url));
  if (pattern === undefined) return;
  const interception: Interception = {
    context,
    mockOrigin: new URL(mock.url).origin,
    isForMock: isForMock(mock.url),
  };
  await context.route(pattern, async (route) => {
    const headers = route.request().headers();
    const sent = bearerToken(headers);
    const isOfTest = sent !== undefined && mock.tokens.has(sent);
    if (onlyTokenOfTest && !(isOfTest || isPreflight(route))) return route.fallback();
    const authorization = `Bearer ${isOfTest ? sent : mock.token}`;
    return answer(route, interception, {
      ...headers,
      ...(sent !== undefined && { authorization }),
    });
  });
}

/** Whether a URL is below the mock's; pages of the app may not reach its control plane. */
function isForMock(mockUrl: string): (url: URL) => boolean {
  return ({ origin, pathname }) =>
    `${origin}${pathname}/`.startsWith(`${mockUrl}/`) &&
    !`${origin}${pathname}/`.startsWith(`${mockUrl}/__control/`);
}

function bearerToken({ authorization = '' }: Readonly<Record<string, string>>) {
  return /^bearer +(\S.*)$/i.exec(authorization)?.[1];
}

/** Preflights get here in Firefox and WebKit; in Chromium, Playwright answers them itself. */
function isPreflight(route: Route): boolean {
  const request = route.request();
  return request.method() === 'OPTIONS' && 'access-control-request-method' in request.headers();
}

/** If the mock closes the connection, the page sees a failed request. */
async function answer(
  route: Route,
  interception: Interception,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await fulfillFollowing(route, interception, headers);
  } catch (error) {
    const code = /ECONNREFUSED/.test(String(error)) ? 'connectionrefused' : 'connectionreset';
    // The page may be closed by now.
    await route.abort(code).catch(() => undefined);
  }
}
