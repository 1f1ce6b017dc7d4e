import { type Exchange, isObject, isSuccess, parameterOf, successBody } from './exchange.js';
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

const DEFAULT_LIMIT = 10;
const HIGHEST_LIMIT = 1000;
const KNOWN_PARAMETERS = ['limit', 'cursor'];

/**
 * The pages of listings that were asked for as the specification says: no unknown, empty or repeated
 * parameter, a limit in bounds, and no cursor but one that a page seen before had.
 */
export function pagesOf({ exchanges }: Seen): readonly Page[] {
  const pages: Page[] = [];
  for (const exchange of exchanges) {
    const page = isPlainListing(exchange) ? readPage(exchange, pages) : undefined;
    if (page) pages.push(page);
  }
  return pages.filter(({ limit, offset }) => limit !== undefined && offset !== undefined);
}

/** Reads a page from a successful listing, however it was asked for. */
export function readPage(exchange: Exchange, earlier: readonly Page[] = []): Page | undefined {
  const { measurements, total, hasMore, nextCursor } = successBody(exchange) ?? {};
  if (!Array.isArray(measurements)) return undefined;
  const cursor = parameterOf(exchange, 'cursor');
  const previous =
    cursor === undefined ? undefined : earlier.findLast((page) => page.nextCursor === cursor);
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

function isPlainListing(exchange: Exchange): boolean {
  const { operationId, query, token } = exchange.call;
  return (
    operationId === 'listMeasurements' &&
    isSuccess(exchange) &&
    (token === 'given' || token === 'unknown') &&
    new Set(query.map(([name]) => name)).size === query.length &&
    query.every(([name, value]) => KNOWN_PARAMETERS.includes(name) && value !== '')
  );
}

function limitOf(text: string | undefined): number | undefined {
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT ? limit : undefined;
}

function offsetOf(cursor: string | undefined, previous: Page | undefined): number | undefined {
  if (cursor === undefined) return 0;
  return previous?.offset === undefined
    ? undefined
    : previous.offset + previous.measurements.length;
}
