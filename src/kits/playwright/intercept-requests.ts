import type { BrowserContext, Request, Route } from '@playwright/test';
import type { BillingOptions } from './billing-options.js';

interface MockAndTokens {
  readonly url: string;
  readonly token: string;
  /** All tokens of the test, `token` included. */
  readonly tokens: ReadonlySet<string>;
}

type HeaderFields = Readonly<Record<string, string>>;

/** Lets the mock answer requests of a browser context, under an account of the test. */
export async function intercept(
  context: BrowserContext,
  { intercept: given, onlyTokenOfTest = false, url }: BillingOptions,
  mock: MockAndTokens,
): Promise<void> {
  const pattern = given ?? (url === undefined ? undefined : isForMock(mock.url));
  if (pattern === undefined) return;
  await context.route(pattern, async (route) => {
    const headers = route.request().headers();
    const sent = bearerToken(headers);
    const isOfTest = sent !== undefined && mock.tokens.has(sent);
    if (onlyTokenOfTest && !(isOfTest || isPreflight(route))) return route.fallback();
    const authorization = `Bearer ${isOfTest ? sent : mock.token}`;
    return answer(context, route, mock.url, {
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

function bearerToken({ authorization = '' }: HeaderFields) {
  return /^bearer +(\S.*)$/i.exec(authorization)?.[1];
}

/** Preflights get here in Firefox and WebKit; in Chromium, Playwright answers them itself. */
function isPreflight(route: Route): boolean {
  const request = route.request();
  return request.method() === 'OPTIONS' && 'access-control-request-method' in request.headers();
}

/** If the mock closes the connection or redirects elsewhere, the page sees a failed request. */
async function answer(
  context: BrowserContext,
  route: Route,
  mockUrl: string,
  { host: _, ...headers }: HeaderFields,
): Promise<void> {
  try {
    const outcome = await follow(context, route.request(), mockUrl, headers);
    if (typeof outcome !== 'string') return await route.fulfill(outcome);
    process.stderr.write(`usage-billing-mock: ${outcome}\n`);
    await route.abort('blockedbyclient');
  } catch (error) {
    const code = /ECONNREFUSED/.test(String(error)) ? 'connectionrefused' : 'connectionreset';
    // The page may be closed by now.
    await route.abort(code).catch(() => undefined);
  }
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** The limit of browsers (Fetch standard, HTTP-redirect fetch). */
const MAX_REDIRECTS = 20;

/**
 * The mock's last response, with the cookies of those before it; or why there is none. A browser
 * would follow a redirect past the interception, and Playwright to any server, so redirects are
 * followed here: to the mock's own URL, or to the origin of the request, for which it stands in.
 */
async function follow(
  context: BrowserContext,
  request: Request,
  mockUrl: string,
  headers: HeaderFields,
) {
  const asked = new URL(request.url());
  const { origin } = new URL(mockUrl);
  const cookies: string[] = [];
  const data = request.postDataBuffer();
  let hop: Hop = { method: request.method(), headers, ...(data && { data }) };
  let url = asked;
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const response = await context.request.fetch(origin + url.pathname + url.search, {
      ...hop,
      maxRedirects: 0,
      // If the mock delays its response, the page decides when to give up.
      timeout: 0,
    });
    cookies.push(...response.headersArray().flatMap(cookieIn));
    const { location } = response.headers();
    if (location === undefined || !REDIRECTS.includes(response.status())) {
      return { response, headers: withCookies(response.headers(), cookies) };
    }
    url = new URL(location, url);
    const isWithin = [origin, asked.origin].includes(url.origin);
    if (!isWithin || !isForMock(mockUrl)(new URL(origin + url.pathname))) {
      return `The mock redirected ${request.method()} ${asked} to ${url}; expected a path on the mock, since the redirect might take the page's token or body to the real service.`;
    }
    hop = redirected(hop, response.status());
  }
  return `${request.method()} ${asked} was redirected more than ${MAX_REDIRECTS} times.`;
}

/** A request in a chain of redirects. */
interface Hop {
  readonly method: string;
  readonly headers: HeaderFields;
  readonly data?: Buffer;
}

/** The next request after a redirect (Fetch standard, HTTP-redirect fetch, step 12). */
function redirected(hop: Hop, status: number): Hop {
  const becomesGet =
    status === 303 ? !['GET', 'HEAD'].includes(hop.method) : status < 303 && hop.method === 'POST';
  if (!becomesGet) return hop;
  const kept = Object.entries(hop.headers).filter(([name]) => !/^content-/.test(name));
  return { method: 'GET', headers: Object.fromEntries(kept) };
}

function cookieIn({ name, value }: { readonly name: string; readonly value: string }): string[] {
  return name.toLowerCase() === 'set-cookie' ? [value] : [];
}

/** Joins cookies with line breaks, by which Playwright separates the values of a header. */
function withCookies(headers: HeaderFields, cookies: readonly string[]) {
  return { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies.join('\n') }) };
}
