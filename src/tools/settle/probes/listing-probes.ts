import type { DecisionId } from '#spec';
import { mayBeLost } from '../seen/lost-responses.js';
import { MADE_UP_CURSOR, MADE_UP_PARAMETER, randomLookupLike } from '../seen/made-up-values.js';
import { controlOf } from '../seen/oddities.js';
import {
  HIGHEST_LIMIT,
  isOwnListing,
  listingOf,
  type Page,
  pagesOf,
  readPage,
} from '../seen/pages.js';
import { isSuccess, parameterOf, type Sample, type SampleRequest } from '../seen/samples.js';
import type { Ask, Known, Probe } from './probe.js';

const MOST_PAGES = 8;
const MOST_SPLITS = 3;

/** Decisions read from pages. It takes other pages to know one's offset, and how limits cut it. */
const READ_FROM_PAGES: readonly DecisionId[] = [
  'measurement-order',
  'total-counts',
  'last-page',
  'final-cursor',
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
const NEVER_ISSUED = 'cursors that were never issued';
const EMPTY = 'empty parameters';
const CONTROLLED = 'to compare with a listing without that';

/** Listings, in the order in which they build on each other. */
export const LISTING_PROBES: readonly Probe[] = [
  {
    requests: 'GET /measurements',
    tells: [
      ...READ_FROM_PAGES,
      ...(['invalid-request-status', 'optional-fields', 'undocumented-fields'] as const),
    ],
    // Unless a request was accepted before, a 401 or 403 counts as a refused token.
    supports: ['error-body'],
    send: (ask) => list(ask),
  },
  refusable('cursor=', EMPTY, 'empty-parameter'),
  refusable('limit=', EMPTY, 'empty-parameter'),
  { ...refusable('limit=many', 'a limit that is not a number'), supports: NEED_OTHER_REFUSALS },
  {
    requests: `GET /measurements?limit=${HIGHEST_LIMIT}, and the pages after it, ${MOST_PAGES} in all, with a limit one higher than the first page's length if the service cut it short, then the first page again; for a single page, its first two measurements with limit=1, then the first again`,
    tells: [
      ...(['measurement-order', 'total-counts', 'last-page', 'final-cursor'] as const),
      ...(['empty-parameter', 'limit-out-of-bounds', 'optional-fields'] as const),
    ],
    supports: READ_FROM_PAGES,
    send: async (ask, known) => {
      await closeControl(ask, known);
      await walk(ask);
    },
  },
  refusable('limit=0', OUT_OF_BOUNDS, 'limit-out-of-bounds'),
  ...fractional('1.5'),
  {
    requests:
      'GET /measurements?limit=N&cursor=…, the last page again, with its own length as the limit; for a single page, also its last measurement alone, fetched with a cursor',
    tells: ['last-page', 'final-cursor'],
    supports: READ_FROM_PAGES,
    send: async (ask, known) => {
      await closeControl(ask, known);
      await fillLastPage(ask, known);
    },
  },
  refusable(`limit=2&cursor=${MADE_UP_CURSOR}`, NEVER_ISSUED, 'invalid-cursor'),
  {
    ...refusable('limit=2&cursor=…', NEVER_ISSUED, 'invalid-cursor'),
    requests: `GET /measurements?limit=2&cursor=…, made up to look like the service's own, ${CONTROLLED}`,
    send: forgeCursor,
  },
  refusable(
    `limit=2&${MADE_UP_PARAMETER}=1`,
    'a query parameter that the specification does not list',
    'unknown-query-parameters',
  ),
  ...fractional('2.5', '2.7'),
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
  tells: ['measurement-order', 'total-counts', 'last-page', 'final-cursor'],
  supports: READ_FROM_PAGES,
  send: async (ask, { samples }) => {
    const full = listingOf(pagesOf({ samples })).firsts.findLast(
      ({ hasMore, limit, measurements }) => hasMore === false && measurements.length === limit,
    );
    await list(ask);
    await list(ask, ['limit', String(HIGHEST_LIMIT)]);
    if (full) await list(ask, ['limit', String(full.limit)]);
  },
};

function fractional(...limits: readonly string[]): readonly Probe[] {
  return limits.map((limit) =>
    refusable(`limit=${limit}`, 'fractions as limits', 'fractional-limit'),
  );
}

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
  const listings = samples.filter(isOwnListing);
  const isOdd = ({ request: { query } }: Sample) => !isSame(query, controlOf(query));
  const at = listings.findLastIndex(isOdd);
  const control = controlOf(listings[at]?.request.query ?? []);
  const isClosed = listings.slice(at + 1).some(({ request }) => isSame(request.query, control));
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
  const { samples, seed } = known;
  const issued = pagesOf({ samples }).flatMap(({ nextCursor }) =>
    typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : [],
  );
  const [first] = issued;
  if (first === undefined) return;
  const [prefix = ''] = /^[A-Za-z\d]+[^A-Za-z\d]/.exec(first) ?? [];
  const isShared = issued.every((cursor) => cursor.startsWith(prefix));
  const forged = randomLookupLike(first, seed, isShared ? prefix.length : 0);
  if (forged !== undefined)
    await listOdd(ask, known, [
      ['limit', '2'],
      ['cursor', forged],
    ]);
}

/**
 * Reads up to eight pages, and the first one again, as records may have come or gone meanwhile. Splits
 * a single page of several measurements instead.
 */
async function walk(ask: Ask): Promise<void> {
  const limit = ['limit', String(HIGHEST_LIMIT)] as const;
  const sent = new Set<string>();
  const first = readPage(await list(ask, limit));
  let page = first;
  if (page?.hasMore === false && page.measurements.length > 1) return splitPage(ask);
  const most = page?.measurements.length ?? 0;
  // If a limit of one more gives no more, the length of this page is the highest limit.
  if (cursorAfter(page) && most < HIGHEST_LIMIT) await list(ask, ['limit', String(most + 1)]);
  for (let pages = 1; pages < MOST_PAGES; pages += 1) {
    const cursor = cursorAfter(page);
    // A repeated cursor means a loop.
    if (cursor === undefined || sent.has(cursor)) break;
    sent.add(cursor);
    page = readPage(await list(ask, limit, ['cursor', cursor]));
  }
  if (sent.size === 0) return;
  const again = readPage(await list(ask, limit));
  if (again?.total !== first?.total) await splitPage(ask);
}

/** Gets two pages of one measurement each, at most three times, until no records come or go. */
async function splitPage(ask: Ask): Promise<void> {
  let first = readPage(await list(ask, ['limit', '1']));
  for (let times = 0; times < MOST_SPLITS; times += 1) {
    const after = cursorAfter(first);
    if (after === undefined) return;
    await list(ask, ['limit', '1'], ['cursor', after]);
    const again = readPage(await list(ask, ['limit', '1']));
    if (again?.total === first?.total) return;
    first = again;
  }
}

/**
 * Gets the last page again with its own length as the limit, and the page after it if there is one;
 * of a single page, also the last measurement alone.
 */
async function fillLastPage(ask: Ask, { samples }: Known): Promise<void> {
  const last = pagesOf({ samples }).findLast(
    ({ hasMore, measurements }) => hasMore === false && measurements.length > 0,
  );
  if (last === undefined || last.measurements.length >= (last.limit ?? 0)) return;
  const limit = ['limit', String(last.measurements.length)] as const;
  const before = parameterOf(last.sample, 'cursor');
  const full = await (before === undefined
    ? list(ask, limit)
    : list(ask, limit, ['cursor', before]));
  const after = isSuccess(full) ? cursorAfter(readPage(full)) : undefined;
  if (after !== undefined) await list(ask, limit, ['cursor', after]);
  if (before !== undefined || last.measurements.length < 2) return;
  const rest = readPage(await list(ask, ['limit', String(last.measurements.length - 1)]));
  const end = cursorAfter(rest);
  if (end === undefined) return;
  // A short page after a full one shows what a total counts.
  await list(ask, ['limit', String(last.measurements.length - 1)], ['cursor', end]);
  const one = readPage(await list(ask, ['limit', '1'], ['cursor', end]));
  const empty = cursorAfter(one);
  if (empty !== undefined) await list(ask, ['limit', '1'], ['cursor', empty]);
}

function cursorAfter(page: Page | undefined): string | undefined {
  const { hasMore, nextCursor } = page ?? {};
  return hasMore === true && typeof nextCursor === 'string' && nextCursor !== ''
    ? nextCursor
    : undefined;
}
