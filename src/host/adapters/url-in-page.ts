interface Addressed {
  /** A page has one, a worker does not. */
  readonly document?: { readonly baseURI: string };
  readonly location?: { readonly href: string };
}

/** The URL as the browser resolves it: against `<base href>` if the page has one. */
export function urlInPage(url: string | URL): URL {
  const { document, location } = globalThis as Addressed;
  return new URL(url, document?.baseURI ?? location?.href);
}
