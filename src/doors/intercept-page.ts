import type { Fetch } from './fetch.js';
import { type Answering, interceptXhr, type Xhr } from './intercept-xhr.js';

/** Where in a page the mock answers. */
export interface Below {
  /** The base URL of the service, as the page has it; a path alone is of the page's origin. */
  readonly url: string | URL;
}

/** The globals of a page, or of a worker, which may lack some. */
interface Page {
  fetch: Fetch;
  XMLHttpRequest?: new () => Xhr;
  readonly location?: { readonly href: string };
}

const PAGE = globalThis as unknown as Page;

/** Finds the path and query of the mock that a URL below this one leads to; undefined for any other URL. */
export function targetBelow({ url }: Below, basePath: string): Answering['targetOf'] {
  const { origin, pathname } = new URL(url, PAGE.location?.href);
  const prefix = pathname.replace(/\/$/, '');
  return (called) => {
    const { origin: calledOrigin, pathname: path, search } = new URL(called);
    const isBelow = path === prefix || path.startsWith(`${prefix}/`);
    if (calledOrigin !== origin || !isBelow) return undefined;
    return `${basePath}${path.slice(prefix.length) || '/'}${search}`;
  };
}

/** Answers what the page requests with `fetch` and `XMLHttpRequest`; returns what undoes it. */
export function interceptPage({ targetOf, deliver }: Answering): () => void {
  const before = { fetch: PAGE.fetch, XMLHttpRequest: PAGE.XMLHttpRequest };
  // What was put around it meanwhile stays, and then leads to what there was before.
  let isInstalled = true;
  const answering: Answering = {
    targetOf: (url) => (isInstalled ? targetOf(url) : undefined),
    deliver,
  };
  PAGE.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : new URL(input, PAGE.location?.href).href;
    const target = answering.targetOf(url);
    return target === undefined
      ? before.fetch.call(PAGE, input, init)
      : deliver(new Request(input, init), target);
  };
  if (before.XMLHttpRequest) {
    PAGE.XMLHttpRequest = interceptXhr(before.XMLHttpRequest, answering);
  }
  const { fetch, XMLHttpRequest } = PAGE;
  return () => {
    isInstalled = false;
    if (PAGE.fetch === fetch) PAGE.fetch = before.fetch;
    if (before.XMLHttpRequest && PAGE.XMLHttpRequest === XMLHttpRequest) {
      PAGE.XMLHttpRequest = before.XMLHttpRequest;
    }
  };
}
