import { isObject } from '../messages/is-object.js';
import { type Exchange, isSuccess, parameterOf, successBody } from './exchange.js';
import type { Seen } from './observation.js';

/** One page of the listing as it was answered: every member may be anything. */
export interface Page {
  readonly exchange: Exchange;
  readonly measurements: readonly Readonly<Record<string, unknown>>[];
  readonly total: unknown;
  readonly hasMore: unknown;
  readonly nextCursor: unknown;
  /** The limit that was sent, 10 if there was none; undefined if it is not a whole number in bounds. */
  readonly limit: number | undefined;
  /** The page whose `nextCursor` was sent as `cursor`; undefined for the first page. */
  readonly previous: Page | undefined;
  /** How many measurements are before it; undefined if its cursor is of no page that was seen. */
  readonly offset: number | undefined;
}

/** The limit of a listing that sends none (section 8). */
export const DEFAULT_LIMIT = 10;
/** The highest limit that the specification allows (section 8). */
export const HIGHEST_LIMIT = 1000;
/** The query parameters of a listing. */
export const KNOWN_PARAMETERS = ['limit', 'cursor'];
const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * The pages of listings that were asked for as the specification says: no unknown, empty or repeated
 * parameter, a limit in bounds, and no cursor but one that a page seen before had.
 */
export function pagesOf({ exchanges }: Pick<Seen, 'exchanges'>): readonly Page[] {
  const pages: Page[] = [];
  const issuers = new Map<unknown, Page>();
  for (const exchange of exchanges) {
    const page = isPlainListing(exchange) ? readPage(exchange, issuers) : undefined;
    if (!page) continue;
    pages.push(page);
    issuers.set(page.nextCursor, page);
  }
  return pages.filter(({ limit, offset }) => limit !== undefined && offset !== undefined);
}

/**
 * Reads a page from a successful listing, however it was asked for; `issuers` has the latest page
 * that had a cursor.
 */
export function readPage(
  exchange: Exchange,
  issuers: ReadonlyMap<unknown, Page> = new Map(),
): Page | undefined {
  const { measurements, total, hasMore, nextCursor } = successBody(exchange) ?? {};
  if (!Array.isArray(measurements)) return undefined;
  const cursor = parameterOf(exchange, 'cursor');
  const previous = cursor === undefined ? undefined : issuers.get(cursor);
  return {
    exchange,
    measurements: measurements.filter(isObject),
    total,
    hasMore,
    nextCursor,
    limit: limitOf(parameterOf(exchange, 'limit')),
    previous,
    offset: offsetOf(cursor, previous),
  };
}

/** The longest runs of consecutive pages, each from the first page on. */
export function runsOf(pages: readonly Page[]): readonly (readonly Page[])[] {
  const continued = new Set(pages.map(({ previous }) => previous));
  return pages.filter((page) => !continued.has(page)).map(runTo);
}

function runTo(last: Page): readonly Page[] {
  const run = [last];
  for (let page = last.previous; page; page = page.previous) run.push(page);
  return run.reverse();
}

/** How many measurements the listing has at least. */
export function leastSizeOf(pages: readonly Page[]): number {
  return pages.reduce(
    (most, { offset = 0, measurements }) => Math.max(most, offset + measurements.length),
    0,
  );
}

/** Whether a page is the first one of a limit. */
export type IsFirstPage = (page: Page, limit: number) => boolean | undefined;

/**
 * Compares with the first pages that were seen: true if it is one of this limit, false if it is
 * another; undefined if none was seen, or is empty, as any other page could be.
 */
export function comparedWithFirsts(pages: readonly Page[]): IsFirstPage {
  const firsts = pages.filter((page) => page.offset === 0);
  const known = new Map<number, ReadonlySet<string>>();
  const idsOfFirsts = (limit: number) => {
    const ids = firsts
      .filter((page) => page.measurements.length >= limit || page.hasMore === false)
      .map((first) => idsOf(first.measurements.slice(0, limit)));
    return new Set(ids.filter((one) => one !== ''));
  };
  return ({ measurements }, limit) => {
    const ids = known.get(limit) ?? idsOfFirsts(limit);
    known.set(limit, ids);
    return ids.size === 0 ? undefined : ids.has(idsOf(measurements));
  };
}

function idsOf(measurements: Page['measurements']): string {
  return measurements.map((measurement) => JSON.stringify(measurement.id ?? measurement)).join();
}

/** True for a listing with the token that the service was given to read with. */
export function isOwnListing({ call: { operationId, token } }: Exchange): boolean {
  return operationId === 'listMeasurements' && (token === 'given' || token === 'unknown');
}

function isPlainListing(exchange: Exchange): boolean {
  const { query } = exchange.call;
  return (
    isOwnListing(exchange) &&
    isSuccess(exchange) &&
    new Set(query.map(([name]) => name)).size === query.length &&
    query.every(([name, value]) => KNOWN_PARAMETERS.includes(name) && value !== '')
  );
}

function limitOf(text: string | undefined): number | undefined {
  const limit = text === undefined ? DEFAULT_LIMIT : numberOf(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT ? limit : undefined;
}

/** The number that a text writes in decimals; NaN for any other text. */
export function numberOf(text: string): number {
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}

function offsetOf(cursor: string | undefined, previous: Page | undefined): number | undefined {
  if (cursor === undefined) return 0;
  return previous?.offset === undefined
    ? undefined
    : previous.offset + previous.measurements.length;
}
