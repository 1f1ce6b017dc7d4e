import type { DecisionId } from '../../decisions/ledger.js';
import { type Exchange, isSuccess, parameterOf } from '../exchange.js';
import { MADE_UP_CURSOR, MADE_UP_PARAMETER } from '../odd-listings.js';
import { HIGHEST_LIMIT, type Page, pagesOf, readPage } from '../pages.js';
import type { Ask, Known, Probe } from './probe.js';

const MOST_PAGES = 40;

/** What refused listings tell, besides the decision that they are sent for. */
const REFUSALS = ['invalid-request-status', 'error-body'] as const;

/** Listings, in the order in which they build on each other. */
export const MEASUREMENT_PROBES: readonly Probe[] = [
  {
    requests: 'GET /measurements',
    tells: [
      ...['measurement-order', 'total-counts', 'last-page', 'final-cursor', 'invalid-cursor'],
      ...['empty-parameter', 'fractional-limit', 'limit-out-of-bounds', 'unknown-query-parameters'],
      ...['invalid-request-status', 'optional-fields', 'undocumented-fields'],
    ] as DecisionId[],
    send: (ask) => list(ask).then(() => undefined),
  },
  {
    requests: `GET /measurements?limit=${HIGHEST_LIMIT}, and the pages after it, ${MOST_PAGES} at most, and it again; of a single page, the first two measurements with limit=1`,
    tells: [
      ...(['measurement-order', 'total-counts', 'last-page', 'final-cursor'] as const),
      ...(['empty-parameter', 'limit-out-of-bounds', 'optional-fields'] as const),
    ],
    send: walk,
  },
  {
    requests: 'GET /measurements?limit=N&cursor=…, the last page with exactly as many as it has',
    tells: ['last-page', 'final-cursor'],
    send: fillLastPage,
  },
  single('limit=0', ['limit-out-of-bounds', ...REFUSALS]),
  single(`limit=${HIGHEST_LIMIT + 1}`, ['limit-out-of-bounds', ...REFUSALS]),
  single('limit=many', REFUSALS),
  single('limit=2.5', ['fractional-limit', ...REFUSALS]),
  single(`limit=2&cursor=${MADE_UP_CURSOR}`, ['invalid-cursor', ...REFUSALS]),
  single('cursor=', ['empty-parameter', ...REFUSALS]),
  single('limit=', ['empty-parameter', ...REFUSALS]),
  single(`limit=2&${MADE_UP_PARAMETER}=1`, ['unknown-query-parameters', ...REFUSALS]),
];

/** A probe of one listing. */
function single(query: string, tells: readonly DecisionId[]): Probe {
  const parameters = [...new URLSearchParams(query)];
  return {
    requests: `GET /measurements?${query}`,
    tells,
    send: (ask) => list(ask, ...parameters).then(() => undefined),
  };
}

function list(ask: Ask, ...query: Exchange['call']['query']): Promise<Exchange> {
  return ask({ operationId: 'listMeasurements', query });
}

/** Walks to the end, and looks at the first page again: other records may have come meanwhile. */
async function walk(ask: Ask): Promise<void> {
  const limit = ['limit', String(HIGHEST_LIMIT)] as const;
  const sent = new Set<string>();
  let page = readPage(await list(ask, limit));
  if (page?.hasMore === false && page.measurements.length > 1) return splitPage(ask);
  for (let pages = 1; pages < MOST_PAGES; pages += 1) {
    const cursor = cursorAfter(page);
    // A cursor that comes again leads in a circle.
    if (cursor === undefined || sent.has(cursor)) break;
    sent.add(cursor);
    page = readPage(await list(ask, limit, ['cursor', cursor]));
  }
  if (sent.size > 0) await list(ask, limit);
}

/** Asks for the second page of a listing that is small enough for one. */
async function splitPage(ask: Ask): Promise<void> {
  const limit = ['limit', '1'] as const;
  const after = cursorAfter(readPage(await list(ask, limit)));
  if (after !== undefined) await list(ask, limit, cursorOf(after));
}

/** Asks for the last page so that it is full, and for what follows it if something should. */
async function fillLastPage(ask: Ask, { exchanges }: Known): Promise<void> {
  const last = pagesOf({ exchanges }).findLast(
    ({ hasMore, measurements }) => hasMore === false && measurements.length > 0,
  );
  if (last === undefined || last.measurements.length >= (last.limit ?? 0)) return;
  const limit = ['limit', String(last.measurements.length)] as const;
  const before = parameterOf(last.exchange, 'cursor');
  const full = await list(ask, limit, ...(before === undefined ? [] : [cursorOf(before)]));
  const after = isSuccess(full) ? cursorAfter(readPage(full)) : undefined;
  if (after !== undefined) await list(ask, limit, cursorOf(after));
}

function cursorOf(cursor: string): readonly [string, string] {
  return ['cursor', cursor];
}

/** The cursor by which the listing continues. */
function cursorAfter(page: Page | undefined): string | undefined {
  const { hasMore, nextCursor } = page ?? {};
  return hasMore === true && typeof nextCursor === 'string' && nextCursor !== ''
    ? nextCursor
    : undefined;
}
