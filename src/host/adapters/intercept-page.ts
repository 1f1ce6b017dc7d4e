import type { Fetch } from './fetch.js';
import { type Answering, interceptXhr, type Xhr } from './intercept-xhr.js';
import { urlInPage } from './url-in-page.js';

/** Which URLs of a page the mock answers. */
export interface Below {
  /** The service's base URL as the page calls it; a relative URL is resolved like the page's own. */
  readonly url: string | URL;
}

/** The globals that a page sends requests with. Workers lack some of them. */
interface Page {
  fetch: Fetch;
  XMLHttpRequest: new () => Xhr;
}

interface Beacons {
  sendBeacon(url: string | URL, data?: unknown): boolean;
}

const PAGE = globalThis as unknown as Partial<Page> & { readonly navigator?: Partial<Beacons> };

export function targetBelow({ url }: Below, basePath: string): Answering['targetOf'] {
  const { origin, pathname } = urlInPage(url);
  const prefix = pathname.replace(/\/$/, '');
  return (called) => {
    const { origin: calledOrigin, pathname: path, search } = new URL(called);
    const isBelow = path === prefix || path.startsWith(`${prefix}/`);
    if (calledOrigin !== origin || !isBelow) return undefined;
    return `${basePath}${path.slice(prefix.length) || '/'}${search}`;
  };
}

/**
 * Answers requests that the page sends with `fetch` and `XMLHttpRequest`, and warns of beacons,
 * which it cannot answer. Returns a function that undoes this, in any order among several mocks.
 */
export function interceptPage(
  { targetOf, deliver }: Answering,
  warn: (text: string) => void,
): () => void {
  const installation = { isInstalled: true };
  const answering: Answering = {
    targetOf: (url) => (installation.isInstalled ? targetOf(url) : undefined),
    deliver,
  };
  const restore = [
    replace<Page, 'fetch'>(PAGE, 'fetch', installation, (before) => async (input, init) => {
      const url = input instanceof Request ? input.url : urlInPage(input).href;
      const target = answering.targetOf(url);
      if (target === undefined) return before.call(PAGE, input, init);
      const request = new Request(input, init);
      return abortable(await deliver(request, target), request.signal);
    }),
    replace<Page, 'XMLHttpRequest'>(PAGE, 'XMLHttpRequest', installation, (before) =>
      interceptXhr(before, answering),
    ),
    replace<Beacons, 'sendBeacon'>(PAGE.navigator ?? {}, 'sendBeacon', installation, (before) =>
      warnOfBeacons(before, answering.targetOf, warn),
    ),
  ];
  return () => {
    installation.isInstalled = false;
    for (const one of restore) one();
  };
}

const READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

/**
 * Makes what reads the body reject with the reason of an abort, as for a response of the network.
 * If a page made the response, browsers reject with a `TypeError` instead.
 */
function abortable(response: Response, signal: AbortSignal): Response {
  for (const name of READERS) {
    // Not every browser has `bytes`.
    const read: (() => Promise<unknown>) | undefined = Reflect.get(response, name);
    if (!read) continue;
    const value = () =>
      read.call(response).catch((error) => {
        signal.throwIfAborted();
        throw error;
      });
    Object.defineProperty(response, name, { value });
  }
  const { clone } = response;
  const value = () => abortable(clone.call(response), signal);
  return Object.defineProperty(response, 'clone', { value });
}

/** On each replacement: the function that it replaced, and whether its mock is still installed. */
const REPLACED = Symbol.for('usage-billing-mock replaced');

/**
 * Replaces a function of the page, if the page has it; returns a function that restores it. If
 * other code has wrapped the replacement meanwhile, that stays, and calls reach the original.
 */
function replace<Holder extends object, Name extends keyof Holder & string>(
  holder: Partial<Holder>,
  name: Name,
  installation: { readonly isInstalled: boolean },
  replacementOf: (before: Holder[Name]) => Holder[Name],
): () => void {
  const before = holder[name];
  if (!before) return () => undefined;
  holder[name] = Object.assign(replacementOf(before) as object, {
    [REPLACED]: { before, installation },
  }) as Holder[Name];
  return () => {
    for (;;) {
      // What this replaced may itself be the replacement of a mock that was uninstalled earlier.
      const replaced = Reflect.get(holder[name] as object, REPLACED);
      if (!replaced || replaced.installation.isInstalled) return;
      holder[name] = replaced.before;
    }
  };
}

/** Warns once that a beacon to the mock went to the network instead. */
function warnOfBeacons(
  before: Beacons['sendBeacon'],
  targetOf: Answering['targetOf'],
  warn: (text: string) => void,
): Beacons['sendBeacon'] {
  let hasWarned = false;
  return (url, data) => {
    const { href, pathname } = urlInPage(url);
    if (!hasWarned && targetOf(href) !== undefined) {
      hasWarned = true;
      warn(
        `navigator.sendBeacon sent '${pathname}' to the network: the mock in the page answers only fetch and XMLHttpRequest. Use fetch with keepalive: true.`,
      );
    }
    return before.call(PAGE.navigator, url, data);
  };
}
