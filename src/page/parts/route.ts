import { useEffect, useRef, useState } from 'preact/hooks';
import type { Entered } from './use-kept.js';

/** The parts of the address after `#`: a view, an account, and what is opened in the view. */
export type Route = readonly string[];

type Parts = readonly (string | number | undefined)[];

/** The address of a route, without empty parts at its end. */
export function hrefOf(...parts: Parts): string {
  const length = parts.findLastIndex((part = '') => part !== '') + 1;
  const given = parts.slice(0, length);
  return `#${given.map((part = '') => encodeURIComponent(part)).join('/')}`;
}

/** The address of a route, with values for fields such as the search. */
export function hrefWith(entered: Readonly<Record<string, string>>, ...parts: Parts): string {
  const given = Object.entries(entered).filter(([, text]) => text !== '');
  return hrefOf(...parts) + (given.length > 0 ? `?${new URLSearchParams(given)}` : '');
}

/**
 * Goes to a route; with `replaces`, going back skips the current one. Within a view, the values of
 * its fields stay in the address.
 */
export function go(parts: Parts, { replaces = false }: { readonly replaces?: boolean } = {}): void {
  const [view] = readRoute();
  const entered = view === parts[0] || view === '' ? enteredIn(location.hash) : '';
  const href = hrefOf(...parts) + entered;
  if (replaces) replace(href);
  else location.hash = href;
}

/** The value of a field in the current view, kept in the address. */
export function useAddressed(name: string, initial = ''): Entered<string> {
  const entered = new URLSearchParams(enteredIn(location.hash));
  return {
    value: entered.get(name) ?? initial,
    onValue(value) {
      const others = new URLSearchParams(enteredIn(location.hash));
      if (value === initial) others.delete(name);
      else others.set(name, value);
      const [route] = location.hash.split('?');
      replace(`${route || '#'}${others.size > 0 ? `?${others}` : ''}`);
    },
  };
}

/** The last address of each view. */
const left = new Map<string, string>();

export function hrefBackTo(view: string): string {
  return left.get(view) ?? hrefOf(view);
}

/** Forgets what is opened in each view, because it belongs to another account. */
export function forgetViews(): void {
  for (const [view, href] of left) left.set(view, hrefOf(view) + enteredIn(href));
}

const CHANGED = 'addresschange';

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const update = () => setRoute(readRoute());
    const events = ['hashchange', CHANGED];
    for (const event of events) addEventListener(event, update);
    return () => {
      for (const event of events) removeEventListener(event, update);
    };
  }, []);
  useEffect(() => {
    left.set(route[0] ?? '', location.hash);
  }, [route]);
  return route;
}

/** Whether the address still names the route; it may have changed since the view was rendered. */
export function isAddressed(route: Route): boolean {
  return hrefOf(...readRoute()) === hrefOf(...route);
}

/** Focuses the element with the view if a new view has taken away what had the focus, such as a link. */
export function useFocusOfView(view: string, id: string): void {
  const last = useRef(view);
  useEffect(() => {
    const isNew = last.current !== view;
    last.current = view;
    if (isNew && document.activeElement === document.body)
      document.getElementById(id)?.focus({ preventScroll: true });
  }, [view]);
}

/** How long to wait at most until a view is as long as it was. */
const GROWING_MS = 3_000;
const SETTLED_MS = 100;

/**
 * Restores the scroll position of an address, even after a reload; a new view begins at the top.
 * Notes no scrolling while it restores, because a view that is still short cannot scroll as far.
 */
export function useScrollPosition(view: string): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    let settling: ReturnType<typeof setTimeout> | undefined;
    let restoring: AbortController | undefined;
    // The address changes before its view is rendered.
    const isAddressed = () => ['', view].includes(readRoute()[0] ?? '');
    const note = () => {
      if (restoring?.signal.aborted === false || !isAddressed()) return;
      if (history.state?.scrollY !== scrollY) history.replaceState({ scrollY }, '');
    };
    const noteOnceSettled = () => {
      clearTimeout(settling);
      settling = setTimeout(note, SETTLED_MS);
    };
    const goBack = () => {
      restoring?.abort();
      if (history.state === null || !isAddressed()) return;
      restoring = new AbortController();
      scrollBackTo(Number(history.state.scrollY), restoring);
    };
    if (history.state === null) scrollTo(0, 0);
    goBack();
    addEventListener('popstate', goBack);
    addEventListener('scroll', noteOnceSettled, { passive: true });
    // A click or a key may leave the address at once.
    for (const event of ['click', 'keydown']) addEventListener(event, note, true);
    return () => {
      clearTimeout(settling);
      restoring?.abort();
      removeEventListener('popstate', goBack);
      removeEventListener('scroll', noteOnceSettled);
      for (const event of ['click', 'keydown']) removeEventListener(event, note, true);
    };
  }, [view]);
}

/**
 * Scrolls until the position is reached, somebody takes over or time is up; then aborts
 * `restoring`.
 */
function scrollBackTo(top: number, restoring: AbortController): void {
  const { signal } = restoring;
  const until = performance.now() + GROWING_MS;
  const take = () => restoring.abort();
  for (const event of ['wheel', 'keydown', 'pointerdown'])
    addEventListener(event, take, { passive: true, signal });
  const step = () => {
    if (signal.aborted) return;
    scrollTo(0, top);
    if (Math.abs(scrollY - top) > 1 && performance.now() < until) requestAnimationFrame(step);
    else restoring.abort();
  };
  step();
}

function replace(href: string): void {
  if (href === location.hash) return;
  history.replaceState(history.state, '', href);
  dispatchEvent(new Event(CHANGED));
}

function enteredIn(hash: string): string {
  const at = hash.indexOf('?');
  return at < 0 ? '' : hash.slice(at);
}

function readRoute(): Route {
  const [route = ''] = location.hash.slice(1).split('?');
  return route.split('/').map((part) => decoded(part));
}

/** The decoded text; the text itself if its encoding is invalid. */
export function decoded(part: string, decode = decodeURIComponent): string {
  try {
    return decode(part);
  } catch {
    return part;
  }
}
