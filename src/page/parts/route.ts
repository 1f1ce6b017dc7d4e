import { useEffect, useState } from 'preact/hooks';

/** What the address names after `#`: a view, an account, and what of it is opened, part by part. */
export type Route = readonly string[];

/** The address of a route; parts at its end that are not given are left out. */
export function hrefOf(...parts: readonly (string | number | undefined)[]): string {
  const length = parts.findLastIndex((part = '') => part !== '') + 1;
  const given = parts.slice(0, length);
  return `#${given.map((part = '') => encodeURIComponent(part)).join('/')}`;
}

/** Goes to a route; with `replaces`, going back skips the one before it. */
export function go(
  parts: readonly (string | number | undefined)[],
  { replaces = false }: { readonly replaces?: boolean } = {},
): void {
  const href = hrefOf(...parts);
  if (replaces) location.replace(href);
  else location.hash = href;
}

/** Where each view was left. */
const left = new Map<string, string>();

/** The address that leads back to a view as it was left. */
export function hrefBackTo(view: string): string {
  return left.get(view) ?? hrefOf(view);
}

/** Forgets where views were left: that was with another account. */
export function forgetViews(): void {
  left.clear();
}

/** The route that the address names. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = () => {
      // The link past the header names no view.
      if (location.hash !== '#main') setRoute(readRoute());
    };
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
}

function readRoute(): Route {
  const route = location.hash
    .slice(1)
    .split('/')
    .map((part) => decoded(part));
  left.set(route[0] ?? '', location.hash);
  return route;
}

/** A text without its percent-encoding, if that is valid. */
export function decoded(part: string, decode = decodeURIComponent): string {
  try {
    return decode(part);
  } catch {
    return part;
  }
}
