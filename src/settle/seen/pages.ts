import { isObject } from '../../values/json-value.js';
import {
  isOfAccount,
  isSuccess,
  type Members,
  parameterOf,
  type Sample,
  type Seen,
  successBody,
} from './samples.js';

/** One page of the listing: every member may be anything. */
export interface Page {
  readonly sample: Sample;
  readonly measurements: readonly Members[];
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

/**
 * The pages of listings that were asked for as the specification says: no unknown, empty or repeated
 * parameter, a limit in bounds, and no cursor but one that a page seen before had.
 */
export function pagesOf({ samples }: Pick<Seen, 'samples'>): readonly Page[] {
  const pages: Page[] = [];
  const issuers = new Map<unknown, Page>();
  for (const sample of samples.filter(isPlainListing)) {
    const page = readPage(sample, issuers);
    if (!page) continue;
    pages.push(page);
    issuers.set(page.nextCursor, page);
  }
  return pages.filter(({ limit, offset }) => limit !== undefined && offset !== undefined);
}

/** Reads a page from a successful listing; `issuers` has the latest page that had a cursor. */
export function readPage(
  sample: Sample,
  issuers: ReadonlyMap<unknown, Page> = new Map(),
): Page | undefined {
  const { measurements, total, hasMore, nextCursor } = successBody(sample) ?? {};
  if (!Array.isArray(measurements)) return undefined;
  const cursor = parameterOf(sample, 'cursor');
  const previous = cursor === undefined ? undefined : issuers.get(cursor);
  const before = previous?.offset;
  const after = before === undefined ? undefined : before + lengthOf(previous);
  return {
    sample,
    measurements: measurements.filter(isObject),
    total,
    hasMore,
    nextCursor,
    limit: limitOf(parameterOf(sample, 'limit')),
    previous,
    offset: cursor === undefined ? 0 : after,
  };
}

function lengthOf(page: Page | undefined): number {
  return page?.measurements.length ?? 0;
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

/** True if records came or went while the listing was read: its first page became another. */
export function isMovingListing(pages: readonly Page[]): boolean {
  const latest = new Map<Page['limit'], Page>();
  let longest: Page | undefined;
  for (const page of pages.filter(({ offset }) => offset === 0)) {
    const before = latest.get(page.limit);
    if (before !== undefined && page.total !== before.total) return true;
    if (longest !== undefined && !haveSameStart(page, longest)) return true;
    latest.set(page.limit, page);
    if (lengthOf(page) > lengthOf(longest)) longest = page;
  }
  return false;
}

/** True if the shorter of two first pages is the beginning of the other. */
function haveSameStart({ measurements: one }: Page, { measurements: other }: Page): boolean {
  const length = Math.min(one.length, other.length);
  return [...Array(length).keys()].every((at) => one[at]?.id === other[at]?.id);
}

/** How many measurements the listing has at least. */
export function leastSizeOf(pages: readonly Page[]): number {
  return pages.reduce((most, page) => Math.max(most, (page.offset ?? 0) + lengthOf(page)), 0);
}

/** True for a listing with the token of the account. */
export function isOwnListing(sample: Sample): boolean {
  return sample.request.operationId === 'listMeasurements' && isOfAccount(sample);
}

function isPlainListing(sample: Sample): boolean {
  const { query } = sample.request;
  return (
    isOwnListing(sample) &&
    isSuccess(sample) &&
    new Set(query.map(([name]) => name)).size === query.length &&
    query.every(([name, value]) => KNOWN_PARAMETERS.includes(name) && value !== '')
  );
}

function limitOf(text = String(DEFAULT_LIMIT)): number | undefined {
  const limit = numberOf(text);
  return Number.isInteger(limit) && limit >= 1 && limit <= HIGHEST_LIMIT ? limit : undefined;
}

/** The number that a text writes in decimals; NaN for any other text. */
export function numberOf(text = ''): number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
