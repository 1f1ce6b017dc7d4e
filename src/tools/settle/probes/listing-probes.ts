import type { DecisionId } from '#spec';
import { isText } from '../../../host/options/option-kinds.js';
import { mayBeLost } from '../seen/lost-responses.js';
import { MADE_UP_CURSOR, MADE_UP_PARAMETER, randomLookupLike } from '../seen/made-up-values.js';
import { controlOf } from '../seen/oddities.js';
import { HIGHEST_LIMIT, isOwnListing, type Page, pagesOf, readPage } from '../seen/pages.js';
import { isSuccess, parameterOf, type Sample, type SampleRequest } from '../seen/samples.js';
import { type Ask, type Known, type Probe, TOLD_BY_RECORDS } from './probe.js';

const MOST_PAGES = 8;
const MOST_SPLITS = 3;

const TOLD_BY_PAGES = ['measurement-order', 'total-counts', 'last-page', 'final-cursor'] as const;

/** Decisions read from pages. It takes other pages to know one's offset, and how limits cut it. */
const READ_FROM_PAGES: readonly DecisionId[] = [
  ...TOLD_BY_PAGES,
  'invalid-cursor',
  'empty-parameter',
  'fractional-limit',
  'limit-out-of-bounds',
  'unknown-query-parameters',
];

/**
 * Decisions that also need refusals of other requests: these show what the service's own refusals
 * look like.
 */
export const NEED_OTHER_REFUSALS: readonly DecisionId[] = [
  ...READ_FROM_PAGES,
  'customer-id-matches',
  'name-matches',
  'duplicate-name',
  'repeat-delete',
  'unmatched-refs',
  'unknown-body-members',
  'invalid-request-status',
  'unknown-identifier-status',
];

const OUT_OF_BOUNDS = 'limits out of bounds';
const FRACTIONS = 'fractions as limits';
const NEVER_ISSUED = 'cursors that were never issued';
const EMPTY = 'empty parameters';
const UNLISTED = 'a query parameter that the specification does not list';
const CONTROLLED = 'to compare with a listing without that';

/** Listings, in the order in which they build on each other. */
export const LISTING_PROBES: readonly Probe[] = [
  {
    requests: 'GET /measurements',
    tells: [...READ_FROM_PAGES, ...TOLD_BY_RECORDS, 'invalid-request-status'],
    // Unless a request was accepted before, a 401 or 403 counts as a refused token.
    supports: ['error-body'],
    send: (ask) => getPage(ask),
  },
  refusable('cursor=', EMPTY, 'empty-parameter'),
  refusable('limit=', EMPTY, 'empty-parameter'),
  { ...refusable('limit=many', 'a limit that is not a number'), supports: NEED_OTHER_REFUSALS },
  {
    requests: `GET /measurements?limit=${HIGHEST_LIMIT}, and the pages after it, ${MOST_PAGES} in all, with a limit one higher than the first page's length if the service cut it short, then the first page again; for a single page, its first two measurements with limit=1, then the first again`,
    tells: [...TOLD_BY_PAGES, 'empty-parameter', 'limit-out-of-bounds', 'optional-fields'],
    supports: READ_FROM_PAGES,
    send: walk,
  },
  refusable('limit=0', OUT_OF_BOUNDS, 'limit-out-of-bounds'),
  refusable('limit=1.5', FRACTIONS, 'fractional-limit'),
  {
    requests:
      'GET /measurements?limit=N&cursor=…, the last page again, with its own length as the limit; for a single page, also its last measurement alone, fetched with a cursor',
    tells: ['last-page', 'final-cursor'],
    supports: READ_FROM_PAGES,
    send: fillLastPage,
  },
  refusable(`limit=2&cursor=${MADE_UP_CURSOR}`, NEVER_ISSUED, 'invalid-cursor'),
  {
    ...refusable('limit=2&cursor=…', NEVER_ISSUED, 'invalid-cursor'),
    requests: `GET /measurements?limit=2&cursor=…, made up to look like the service's own, ${CONTROLLED}`,
    send: forgeCursor,
  },
  refusable(`limit=2&${MADE_UP_PARAMETER}=1`, UNLISTED, 'unknown-query-parameters'),
  refusable('limit=2.5', FRACTIONS, 'fractional-limit'),
  refusable('limit=2.7', FRACTIONS, 'fractional-limit'),
  refusable(`limit=${HIGHEST_LIMIT + 1}`, OUT_OF_BOUNDS, 'limit-out-of-bounds'),
  {
    requests: 'GET /measurements once more as compared with the latest of these',
    tells: [],
    supports: [...READ_FROM_PAGES, 'invalid-request-status'],
    send: closeControl,
  },
];

/** Repeats the listing before the token probes: if it has changed, its decisions may stay open. */
export const LISTING_AGAIN: Probe = {
  requests: `GET /measurements once more, without a limit, with limit=${HIGHEST_LIMIT} and, for a single page, with its length as the limit`,
  tells: TOLD_BY_PAGES,
  supports: READ_FROM_PAGES,
  send: async (ask, known) => {
    const full = pagesOf(known).findLast(
      ({ offset, hasMore, limit, measurements }) =>
        offset === 0 && hasMore === false && measurements.length === limit,
    );
    await getPage(ask);
    await getPage(ask, HIGHEST_LIMIT);
    if (full) await getPage(ask, full.limit);
  },
};

function refusable(query: string, madeUp: string, ...sentFor: readonly DecisionId[]): Probe {
  return {
    requests: `GET /measurements?${query}, ${CONTROLLED}`,
    madeUp,
    tells: [...sentFor, 'invalid-request-status', 'error-body'],
    send: (ask, known) => listOdd(ask, known, [...new URLSearchParams(query)]),
  };
}

/**
 * Lists what is odd. The same without the oddity comes before the first and after the last of the
 * odd listings that have it in common, and after each failure.
 */
async function listOdd(ask: Ask, known: Known, query: SampleRequest['query']): Promise<void> {
  const control = controlOf(query);
  const latest = known.samples.findLast(isOwnListing);
  const isOpen =
    latest && isPageOrRefusal(latest) && isSame(controlOf(latest.request.query), control);
  if (!isOpen) {
    await closeControl(ask, known);
    await list(ask, ...control);
  }
  await list(ask, ...query);
}

/** Lists what the latest odd listing is compared with, unless that came after it. */
async function closeControl(ask: Ask, { samples }: Known): Promise<void> {
  const queries = samples.filter(isOwnListing).map(({ request }) => request.query);
  const at = queries.findLastIndex((query) => !isSame(query, controlOf(query)));
  const control = controlOf(queries[at] ?? []);
  const isClosed = queries.slice(at + 1).some((query) => isSame(query, control));
  if (at >= 0 && !isClosed) await list(ask, ...control);
}

function isPageOrRefusal(sample: Sample): boolean {
  return !mayBeLost(sample) && (!isSuccess(sample) || readPage(sample) !== undefined);
}

function isSame(one: SampleRequest['query'], other: SampleRequest['query']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function list(ask: Ask, ...query: Sample['request']['query']): Promise<Sample> {
  return ask({ operationId: 'listMeasurements', query });
}

/** Sends a random cursor that looks like the service's own, with their common prefix, if any. */
async function forgeCursor(ask: Ask, known: Known): Promise<void> {
  const issued = pagesOf(known).flatMap(({ nextCursor: one }) => (isText(one) ? one : []));
  const [first = ''] = issued;
  const [prefix = ''] = /^[A-Za-z\d]+[^A-Za-z\d]/.exec(first) ?? [];
  const isShared = issued.every((cursor) => cursor.startsWith(prefix));
  const forged = randomLookupLike(first, known.seed, isShared ? prefix.length : 0);
  const limit = ['limit', '2'] as const;
  if (forged !== undefined) await listOdd(ask, known, [limit, ['cursor', forged]]);
}

/** Gets a page, of the service's own length without a limit; undefined if it gets none. */
async function getPage(ask: Ask, limit?: number, cursor?: string): Promise<Page | undefined> {
  const query = Object.entries({ limit, cursor }).filter(([, value]) => value !== undefined);
  return readPage(await list(ask, ...query.map(([name, value]) => [name, String(value)] as const)));
}

/** Gets the page that follows, if any. */
async function getNext(ask: Ask, page: Page | undefined, limit: number) {
  const cursor = cursorAfter(page);
  return cursor === undefined ? undefined : getPage(ask, limit, cursor);
}

/**
 * Reads up to eight pages, and the first one again, as records may have come or gone meanwhile. Splits
 * a single page of several measurements instead.
 */
async function walk(ask: Ask, known: Known): Promise<void> {
  await closeControl(ask, known);
  const first = await getPage(ask, HIGHEST_LIMIT);
  const most = first?.measurements.length ?? 0;
  if (first?.hasMore === false && most > 1) return splitPage(ask);
  let cursor = cursorAfter(first);
  if (cursor === undefined) return;
  // If a limit of one more gives no more, the length of this page is the highest limit.
  if (most < HIGHEST_LIMIT) await getPage(ask, most + 1);
  const sent = new Set<string>();
  // A repeated cursor means a loop.
  while (cursor !== undefined && !sent.has(cursor) && sent.size < MOST_PAGES - 1) {
    sent.add(cursor);
    cursor = cursorAfter(await getPage(ask, HIGHEST_LIMIT, cursor));
  }
  const again = await getPage(ask, HIGHEST_LIMIT);
  if (again?.total !== first?.total) await splitPage(ask);
}

/** Gets two pages of one measurement each, at most three times, until no records come or go. */
async function splitPage(ask: Ask): Promise<void> {
  let first = await getPage(ask, 1);
  for (let times = 0; times < MOST_SPLITS && cursorAfter(first); times += 1) {
    await getNext(ask, first, 1);
    const again = await getPage(ask, 1);
    if (again?.total === first?.total) return;
    first = again;
  }
}

/**
 * Gets the last page again with its own length as the limit, and the page after it if there is one;
 * of a single page, also the last measurement alone.
 */
async function fillLastPage(ask: Ask, known: Known): Promise<void> {
  await closeControl(ask, known);
  const last = pagesOf(known).findLast(
    ({ hasMore, measurements }) => hasMore === false && measurements.length > 0,
  );
  const length = last?.measurements.length ?? 0;
  if (last === undefined || length >= (last.limit ?? 0)) return;
  const before = parameterOf(last.sample, 'cursor');
  await getNext(ask, await getPage(ask, length, before), length);
  if (before !== undefined || length < 2) return;
  const rest = await getPage(ask, length - 1);
  // A short page after a full one shows what a total counts.
  await getNext(ask, rest, length - 1);
  const one = await getNext(ask, rest, 1);
  await getNext(ask, one, 1);
}

function cursorAfter({ hasMore, nextCursor }: Partial<Page> = {}): string | undefined {
  return hasMore === true && isText(nextCursor) ? nextCursor : undefined;
}
