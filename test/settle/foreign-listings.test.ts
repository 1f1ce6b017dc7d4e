import type { DecisionId } from '../../src/core/decisions/ledger.js';
import { LISTING_PROBES } from '../../src/tools/settle/probes/listing-probes.js';
import {
  type ForeignListing,
  foreignListing,
  recordsOf,
  refusal,
  strictly,
} from '../support/foreign-listing.js';
import { inShort, send, verdictOn } from '../support/settle.js';

type Verdicts = Partial<Record<DecisionId, string>>;

const html = (status: number) =>
  new Response('<h1>No</h1>', { status, headers: { 'Content-Type': 'text/html' } });

/** A total that grows by one at the last page of the walk. */
function growing(): NonNullable<ForeignListing['total']> {
  let calls = 0;
  return (all) => {
    calls += 1;
    return calls > 9 ? all + 1 : all;
  };
}

/** One service per row: what it does, and what is settled. */
const SERVICES: readonly [what: string, service: ForeignListing, verdicts: Verdicts][] = [
  [
    'refuses with 400 and { message }, and lists in no order',
    {},
    {
      'measurement-order': 'none',
      'total-counts': 'settled all',
      'last-page': 'settled exact',
      'final-cursor': 'settled absent',
      // No cursor can be made up in the form of `at-7`.
      'invalid-cursor': 'undecided',
      'empty-parameter': 'settled reject',
      'fractional-limit': 'settled reject',
      'limit-out-of-bounds': 'settled reject',
      'unknown-query-parameters': 'settled reject',
      'invalid-request-status': 'settled 400',
      'error-body': 'settled message',
    },
  ],
  [
    'has a single measurement',
    { records: recordsOf(1) },
    {
      'measurement-order': 'could-not-check',
      'total-counts': 'undecided',
      'last-page': 'undecided',
      'final-cursor': 'settled absent',
      'invalid-cursor': 'undecided',
      'limit-out-of-bounds': 'settled reject',
    },
  ],
  [
    'has a single measurement and refuses nothing',
    { records: recordsOf(1), refuse: () => undefined, limitOf: () => 10 },
    {
      'invalid-cursor': 'could-not-check',
      'empty-parameter': 'could-not-check',
      'unknown-query-parameters': 'settled ignore',
      'fractional-limit': 'could-not-check',
      'limit-out-of-bounds': 'could-not-check',
      'invalid-request-status': 'none',
      'error-body': 'could-not-check',
    },
  ],
  [
    'has no measurements and refuses nothing',
    { records: [], refuse: () => undefined },
    {
      'measurement-order': 'could-not-check',
      'total-counts': 'undecided',
      'last-page': 'could-not-check',
      'final-cursor': 'settled absent',
      'invalid-cursor': 'could-not-check',
      'empty-parameter': 'could-not-check',
      'fractional-limit': 'could-not-check',
      'limit-out-of-bounds': 'could-not-check',
      'unknown-query-parameters': 'could-not-check',
    },
  ],
  [
    'has ids in the order of the dates',
    {
      records: [1, 2, 3].map((day) => ({
        id: `m-${day}`,
        usageDate: { year: 2024, month: 1, day },
        createdAt: `2024-01-0${4 - day}T00:00:00Z`,
      })),
    },
    { 'measurement-order': 'undecided' },
  ],
  [
    'has numbers as ids and counts by them',
    {
      records: Array.from({ length: 25 }, (_, at) => ({
        id: String(at + 1),
        usageDate: { year: 2024, month: 1, day: 28 - at },
        createdAt: '2024-02-01T00:00:00Z',
      })),
    },
    // The latest usageDate comes first, while createdAt and id ascend.
    { 'measurement-order': 'undecided' },
  ],
  ['has a total that is one too many', { total: (all) => all + 1 }, { 'total-counts': 'none' }],
  ['has a total that is a text', { total: (all) => String(all) }, { 'total-counts': 'none' }],
  ['counts what is on the page', { total: (_, page) => page }, { 'total-counts': 'settled page' }],
  [
    'grows while it is read',
    { records: recordsOf(2500), total: growing() },
    { 'total-counts': 'settled all' },
  ],
  [
    'counts the pages',
    { records: recordsOf(2500), total: (all) => Math.ceil(all / 10) },
    { 'total-counts': 'none' },
  ],
  ['has null as its last cursor', { lastCursor: null }, { 'final-cursor': 'none' }],
  [
    'ends full and short pages alike with an empty one',
    { hasMore: (_, page) => page > 0 },
    { 'last-page': 'none', 'total-counts': 'settled all', 'final-cursor': 'settled absent' },
  ],
  [
    'never has more than 100 on a page, and takes 1001 as 1000',
    {
      records: recordsOf(250),
      mostRecords: 100,
      refuse: () => undefined,
      limitOf: (text) => Math.max(1, Math.floor(Number(text ?? 10))),
    },
    { 'last-page': 'settled exact', 'limit-out-of-bounds': 'settled clamp' },
  ],
  [
    'takes a limit out of bounds as 10, and 2.5 as 3',
    {
      records: recordsOf(1200),
      refuse: () => undefined,
      limitOf: (text) => {
        const limit = Math.round(Number(text ?? 10));
        return limit >= 1 && limit <= 1000 ? limit : 10;
      },
    },
    {
      'limit-out-of-bounds': 'none',
      'fractional-limit': 'none',
      'empty-parameter': 'settled absent',
      'invalid-request-status': 'none',
    },
  ],
  [
    'has no highest limit, and refuses 0',
    {
      records: recordsOf(1200),
      mostRecords: 5000,
      refuse: (query) => (query.get('limit') === '0' ? refusal(400) : undefined),
    },
    { 'limit-out-of-bounds': 'none' },
  ],
  [
    'refuses 0, and returns all of few for 1001',
    { refuse: (query) => (query.get('limit') === '0' ? refusal(400) : undefined) },
    { 'limit-out-of-bounds': 'none' },
  ],
  [
    'continues after a made-up cursor somewhere, and filters by unknown parameters',
    {
      refuse: (query, offset) => {
        if (query.has('cursor') && offset === undefined) {
          return Response.json({ measurements: recordsOf(25).slice(9, 11) });
        }
        return query.has('usageBillingMockSettle')
          ? Response.json({ measurements: [] })
          : undefined;
      },
    },
    { 'invalid-cursor': 'none', 'unknown-query-parameters': 'none' },
  ],
  [
    'refuses with 400, but cursors with 422',
    {
      refuse: (query, offset) =>
        offset === undefined ? refusal(422) : strictly(400)(query, offset),
    },
    { 'invalid-request-status': 'none', 'invalid-cursor': 'undecided' },
  ],
  [
    'refuses with 404',
    { refuse: strictly(404) },
    { 'invalid-request-status': 'none', 'limit-out-of-bounds': 'none' },
  ],
  [
    'writes errors in HTML',
    { refuse: (...asked) => (strictly(400)(...asked) ? html(400) : undefined) },
    { 'error-body': 'none', 'invalid-request-status': 'settled 400' },
  ],
  [
    'answers in HTML what it should refuse',
    { refuse: (...asked) => (strictly(400)(...asked) ? html(200) : undefined) },
    { 'invalid-cursor': 'none', 'empty-parameter': 'none', 'error-body': 'could-not-check' },
  ],
  [
    'returns all of three for 2.5 and 0',
    {
      records: recordsOf(3),
      refuse: () => undefined,
      limitOf: (text) => Math.ceil(Number(text)) || 10,
    },
    { 'fractional-limit': 'none', 'limit-out-of-bounds': 'none' },
  ],
  [
    'leads in a circle',
    { records: recordsOf(5000), refuse: () => undefined, hasMore: () => true },
    { 'final-cursor': 'could-not-check', 'total-counts': 'settled all' },
  ],
];

/** What can be settled about a service without a listing. */
const UNANSWERED: readonly [what: string, response: () => Response, error: string][] = [
  ['refuses everything with 400', () => refusal(400), 'settled message'],
  ['refuses every token', () => refusal(401), 'could-not-check'],
  ['fails', () => html(500), 'could-not-check'],
  ['limits every call', () => refusal(429), 'could-not-check'],
];

describe('the listing of a service that', () => {
  test.each(SERVICES)('%s', async (_, service, verdicts) => {
    const samples = await send({ fetch: foreignListing(service) }, LISTING_PROBES);
    // Including a cursor that leads in a circle.
    expect(samples.length).toBeLessThanOrEqual(38);
    const told = Object.keys(verdicts).map((id) => [
      id,
      inShort(verdictOn(id as DecisionId, samples)),
    ]);
    expect(Object.fromEntries(told)).toEqual(verdicts);
  });

  test.each(UNANSWERED)('%s settles nothing but its errors', async (_, response, error) => {
    const samples = await send({ fetch: async () => response() }, LISTING_PROBES);
    expect(inShort(verdictOn('error-body', samples))).toBe(error);
    for (const id of [
      ...(['measurement-order', 'total-counts', 'last-page', 'final-cursor'] as const),
      ...(['invalid-cursor', 'empty-parameter', 'fractional-limit'] as const),
      ...(['limit-out-of-bounds', 'unknown-query-parameters', 'cursor-lifetime'] as const),
      'invalid-request-status' as const,
    ]) {
      expect([id, inShort(verdictOn(id, samples))]).toEqual([id, 'could-not-check']);
    }
  });
});
