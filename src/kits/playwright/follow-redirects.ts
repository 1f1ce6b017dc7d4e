import type { APIResponse, BrowserContext, Request, Route } from '@playwright/test';

/** A request in a chain of redirects. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** The limit of browsers (Fetch standard, HTTP-redirect fetch). */
const MOST_REDIRECTS = 20;

export interface Interception {
  readonly context: BrowserContext;
  readonly mockOrigin: string;
  /** Whether pages may request this URL of the mock. */
  readonly isForMock: (url: URL) => boolean;
}

/**
 * Fulfils a route with the mock's response. A browser would follow a redirect past the
 * interception, to the real service, so redirects to the mock are followed here. These go to its
 * own URL, or to the origin of the request, for which it stands in. Any other redirect fails the
 * request.
 */
export async function fulfillFollowing(
  route: Route,
  interception: Interception,
  { host: _, ...headers }: Readonly<Record<string, string>>,
): Promise<void> {
  const request = route.request();
  const cookies: string[] = [];
  const first = new URL(request.url());
  let hop: Hop = {
    url: first,
    method: request.method(),
    headers,
    body: request.postDataBuffer(),
  };
  for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
    const response = await fetchHop(route, interception, hop);
    cookies.push(...response.headersArray().flatMap(cookieIn));
    const target = targetOf(response, hop.url);
    if (target === undefined) {
      return route.fulfill({ response, headers: withCookies(response.headers(), cookies) });
    }
    if (!isOfMock(interception, target, first.origin)) {
      return refuse(
        route,
        `The mock redirected ${nameOf(request)} to ${target.href}; expected a path on the mock, since the redirect might take the page's token or body to the real service.`,
      );
    }
    hop = redirected(hop, target, response.status());
  }
  return refuse(route, `${nameOf(request)} was redirected more than ${MOST_REDIRECTS} times.`);
}

/** Has no timeout: if the mock delays its response, the page decides when to give up. */
function fetchHop(
  route: Route,
  { context, mockOrigin }: Interception,
  { url: { pathname, search }, method, headers, body }: Hop,
): Promise<APIResponse> {
  const url = `${mockOrigin}${pathname}${search}`;
  const options = { method, headers, maxRedirects: 0, timeout: 0 };
  const hasDroppedBody = body === null && route.request().postDataBuffer() !== null;
  // `route.fetch` would send the body again.
  return hasDroppedBody ? context.request.fetch(url, options) : route.fetch({ ...options, url });
}

function targetOf(response: APIResponse, url: URL): URL | undefined {
  const { location } = response.headers();
  const isRedirect = REDIRECTS.includes(response.status()) && location !== undefined;
  return isRedirect ? new URL(location, url) : undefined;
}

/** Whether the mock serves this URL, under its own origin or in place of the requested one. */
function isOfMock(
  { mockOrigin, isForMock }: Interception,
  { origin, pathname }: URL,
  requestedOrigin: string,
): boolean {
  return (
    [mockOrigin, requestedOrigin].includes(origin) && isForMock(new URL(mockOrigin + pathname))
  );
}

/** The next request after a redirect (Fetch standard, HTTP-redirect fetch, step 12). */
function redirected({ method, headers, body }: Hop, url: URL, status: number): Hop {
  const becomesGet =
    status === 303 ? !['GET', 'HEAD'].includes(method) : status < 303 && method === 'POST';
  if (!becomesGet) return { url, method, headers, body };
  const kept = Object.entries(headers).filter(([name]) => !/^content-/.test(name));
  return { url, method: 'GET', headers: Object.fromEntries(kept), body: null };
}

async function refuse(route: Route, sentence: string): Promise<void> {
  process.stderr.write(`usage-billing-mock: ${sentence}\n`);
  await route.abort('blockedbyclient');
}

function nameOf(request: Request): string {
  return `${request.method()} ${request.url()}`;
}

function cookieIn({ name, value }: { readonly name: string; readonly value: string }): string[] {
  return name.toLowerCase() === 'set-cookie' ? [value] : [];
}

/** Joins cookies with line breaks, by which Playwright separates the values of a header. */
function withCookies(headers: Readonly<Record<string, string>>, cookies: readonly string[]) {
  return { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies.join('\n') }) };
}
