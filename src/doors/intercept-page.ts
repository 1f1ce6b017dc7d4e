import type { Fetch } from './fetch.js';
import { type Answering, interceptXhr, type Xhr } from './intercept-xhr.js';
import { urlInPage } from './url-in-page.js';

/** Where in a page the mock answers. */
export interface Below {
  /** The base URL of the service, as the page has it; a relative one is resolved as the page's own. */
  readonly url: string | URL;
}

/** The globals of a page, or of a worker, which may lack some. */
interface Page {
  fetch: Fetch;
  XMLHttpRequest?: new () => Xhr;
  readonly navigator?: { sendBeacon?: (url: string | URL, data?: unknown) => boolean };
}

const PAGE = globalThis as unknown as Page;

/** Finds the path and query of the mock that a URL below this one leads to; undefined for any other URL. */
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
 * Answers what the page requests with `fetch` and `XMLHttpRequest`, and warns of beacons, which it cannot
 * answer; returns what undoes it.
 */
export function interceptPage(
  { targetOf, deliver }: Answering,
  warn: (text: string) => void,
): () => void {
  const before = { fetch: PAGE.fetch, XMLHttpRequest: PAGE.XMLHttpRequest };
  // What was put around it meanwhile stays, and then leads to what there was before.
  let isInstalled = true;
  const answering: Answering = {
    targetOf: (url) => (isInstalled ? targetOf(url) : undefined),
    deliver,
  };
  PAGE.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : urlInPage(input).href;
    const target = answering.targetOf(url);
    return target === undefined
      ? before.fetch.call(PAGE, input, init)
      : deliver(new Request(input, init), target);
  };
  if (before.XMLHttpRequest) {
    PAGE.XMLHttpRequest = interceptXhr(before.XMLHttpRequest, answering);
  }
  const { fetch, XMLHttpRequest } = PAGE;
  const restoreBeacons = tellOfBeacons(PAGE.navigator, answering.targetOf, warn);
  return () => {
    isInstalled = false;
    restoreBeacons();
    if (PAGE.fetch === fetch) PAGE.fetch = before.fetch;
    if (before.XMLHttpRequest && PAGE.XMLHttpRequest === XMLHttpRequest) {
      PAGE.XMLHttpRequest = before.XMLHttpRequest;
    }
  };
}

/** Says once that a beacon to the mock went to the network instead; returns what undoes it. */
function tellOfBeacons(
  navigator: Page['navigator'],
  targetOf: Answering['targetOf'],
  warn: (text: string) => void,
): () => void {
  const before = navigator?.sendBeacon;
  if (!before) return () => undefined;
  let isTold = false;
  const sendBeacon: typeof before = (url, data) => {
    const { href, pathname } = urlInPage(url);
    if (!isTold && targetOf(href) !== undefined) {
      isTold = true;
      warn(
        `navigator.sendBeacon sent '${pathname}' to the network: the mock in the page answers only fetch and XMLHttpRequest. Use fetch with keepalive: true.`,
      );
    }
    return before.call(navigator, url, data);
  };
  navigator.sendBeacon = sendBeacon;
  return () => {
    if (navigator.sendBeacon === sendBeacon) navigator.sendBeacon = before;
  };
}
