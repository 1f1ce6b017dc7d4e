import type { SettleReport } from '../../../src/index.js';
import { CUSTOMERS, usageDateOf } from '../../support/billing-records.js';
import {
  type Asked,
  PLAIN,
  type Reply,
  type Row,
  type Rules,
} from '../../support/billing-service.js';
import type { Truth } from '../truth/behaviours.js';

export type Line = readonly [
  name: string,
  rules: Partial<Rules> | (() => Partial<Rules>),
  truth?: Truth,
  report?: (report: SettleReport) => void,
];

/** Services of which one response, key or kind of request says something else than the others. */

const json = (status: number, body: unknown): Reply => ({ status, body });
const isHex = (text: string) => /^[0-9a-f]+$/.test(text);
const hexCursor = (offset: number) => (offset * 7919 + 0x5eed).toString(16).padStart(24, '9af3');
const withNames = (...names: readonly string[]) =>
  CUSTOMERS.map((one, index) => ({ ...one, name: names[index] ?? '' }));
const isFolded = (asked: string, text: string) => asked.toLowerCase() === text.toLowerCase();
const isLookup = ({ path }: Asked) => path.startsWith('/customers');
const isWrite = ({ method }: Asked) => method !== 'GET';

/** Refuses nothing that it can understand. */
const LENIENT: Partial<Rules> = {
  limit: (text) => {
    const limit = Math.floor(Number(text));
    return Number.isNaN(limit) ? 'refuse' : Math.min(Math.max(limit, 1), 1000);
  },
  measurements: 1500,
  emptyLimit: 10,
  emptyCursor: 'first',
  unknownCursor: 'first',
};
const LENIENT_TRUTH: Truth = {
  'invalid-cursor': 'first-page',
  'empty-parameter': 'absent',
  'limit-out-of-bounds': 'clamp',
  'fractional-limit': 'round-down',
};

/** Gives this reply to the requests with these numbers, counted from 1. */
const during = (first: number, last: number, reply: Reply): Partial<Rules> => {
  let requests = 0;
  return {
    before: () => {
      requests += 1;
      return requests >= first && requests <= last ? reply : undefined;
    },
  };
};

export const DROPPED: readonly Line[] = [
  [
    'gives other pages for unknown cursors after its own prefix, and refuses others',
    {
      cursorAt: (offset) => `cur_${hexCursor(offset)}`,
      unknownCursor: (cursor) =>
        cursor.startsWith('cur_') && isHex(cursor.slice(4)) ? 5 : 'refuse',
    },
    { 'invalid-cursor': 'open' },
  ],
  [
    'limits the pace of one unknown token, and refuses the other',
    {
      madeUpToken: (token) =>
        token.startsWith('made-up-') ? json(429, { message: 'Too many' }) : 'error',
    },
    { 'unknown-token': 'open' },
  ],
  [
    'includes deleted events for two seconds',
    { repeatedEvents: 'include-for-two-seconds' },
    { 'repeat-event-delete': 'open' },
  ],
];

/** A page loses some of its rows after it was cut. */
const filtered: Rules['after'] = (reply) => {
  const { measurements, ...body } = (reply.body ?? {}) as { measurements?: Row[] };
  if (!measurements) return reply;
  const shown = measurements.filter(({ value }) => value % 5 !== 2);
  return { ...reply, body: { ...body, measurements: shown } };
};

export const CONTROLS: readonly Line[] = [
  [
    'finds no refs for a token that may not write',
    { before: (asked) => (isWrite(asked) ? PLAIN.error(404) : undefined) },
    { 'unmatched-refs': 'open', 'repeat-delete': 'open' },
  ],
  [
    'finds no customers for a token that may not see them',
    { before: (asked) => (isLookup(asked) ? PLAIN.error(404) : undefined) },
    { 'unknown-identifier-status': 'open' },
  ],
  [
    'filters rows after paging, and refuses nothing',
    { ...LENIENT, after: filtered },
    { ...LENIENT_TRUTH, 'total-counts': null, 'last-page': null },
  ],
  ...[14, 24].map(
    (first): Line => [
      `refuses nothing but the ${first}. request and the two after it`,
      () => ({ ...LENIENT, ...during(first, first + 2, PLAIN.error(400)) }),
      { ...LENIENT_TRUTH },
    ],
  ),
];

const byId = (one: Row, other: Row) => (one.id < other.id ? -1 : 1);

/** Two customers of one name, of whom each is found in turn. */
const namesakesInTurn = (): Partial<Rules> => {
  const customers = withNames('Kiosk Nord', 'Kiosk Nord', 'Delta Works', 'Zoë Møller');
  let turn = 0;
  return {
    customers,
    before: ({ path }) => {
      if (decodeURIComponent(path) !== '/customers/name/Kiosk Nord') return undefined;
      turn += 1;
      return json(200, { customer: customers[turn % 3 === 0 ? 1 : 0] });
    },
  };
};

export const RIVALS: readonly Line[] = [
  [
    'lists by customerId, which goes up with the id',
    () => {
      let ranks = new Map<string, number>();
      return {
        sort: 'id',
        moves: (rows) => {
          ranks = new Map([...rows].sort(byId).map(({ id }, rank) => [id, rank]));
        },
        shows: (record, kind) => {
          const rank = Math.floor((ranks.get(String(record.id)) ?? 0) / 10);
          return kind === 'measurement' ? { ...record, customerId: `cus_7Kq2mZ${rank}` } : record;
        },
      };
    },
    { 'measurement-order': 'open' },
  ],
  [
    'lists by value, which goes down with the date',
    {
      shows: (record, kind) =>
        kind === 'measurement'
          ? { ...record, value: usageDateOf(record as unknown as Row) }
          : record,
    },
    { 'measurement-order': 'open' },
  ],
  ['finds each of two namesakes in turn', namesakesInTurn, { 'duplicate-name': 'open' }],
  [
    'finds names with a hyphen for a blank',
    { findsByName: (asked, { name }) => asked.replaceAll('-', ' ') === name },
    { 'name-matches': null },
  ],
  [
    'finds externalIds without leading zeros',
    {
      customers: CUSTOMERS.map((one, index) => ({ ...one, externalId: `00012${index}` })),
      findsById: (asked, { id, externalId }) =>
        asked === id || (/^\d+$/.test(asked) && Number(asked) === Number(externalId)),
    },
    { 'customer-id-matches': null },
  ],
  [
    'finds no unknown refs after its own prefix, and ignores others',
    { unmatchedRefs: 'not-found', isRef: (ref) => ref.startsWith('ref-') },
    { 'unmatched-refs': null },
  ],
];

export const UNTRIED: readonly Line[] = [
  [
    'takes unknown cursors in its own form as none, but issues none',
    { measurements: 1, unknownCursor: (cursor) => (cursor.startsWith('c-') ? 'first' : 'refuse') },
    { 'invalid-cursor': 'open', 'measurement-order': 'open' },
  ],
];

/** A cursor is the number of a page, of whatever length. */
const byPageNumber = (): Partial<Rules> => {
  let rows: readonly Row[] = [];
  return {
    moves: (all) => {
      rows = all;
    },
    cursorAt: () => 'p-1',
    before: ({ query }) => {
      const [, page] = /^p-(\d+)$/.exec(query.get('cursor') ?? '') ?? [];
      const limit = PLAIN.limit(query.get('limit') ?? '10');
      if (page === undefined || limit === 'refuse') return undefined;
      const end = (Number(page) + 1) * limit;
      const measurements = rows
        .slice(end - limit, end)
        .map(({ index: _, ...measurement }) => measurement);
      const hasMore = end < rows.length;
      const nextCursor = hasMore ? `p-${Number(page) + 1}` : undefined;
      return json(200, { measurements, total: rows.length, hasMore, nextCursor });
    },
  };
};

export const PAGES: readonly Line[] = [
  ['numbers its pages', byPageNumber],
  ['numbers its pages, over 12 rows', () => ({ ...byPageNumber(), measurements: 12 })],
  [
    'numbers its pages, and counts what remains',
    () => {
      const { before = PLAIN.before, ...numbered } = byPageNumber();
      return {
        ...numbered,
        total: (all, start) => all - start,
        before: (asked, body) => {
          const reply = before(asked, body);
          if (!reply) return undefined;
          const [, page] = /^p-(\d+)$/.exec(asked.query.get('cursor') ?? '') ?? [];
          const counted = reply.body as { total: number };
          const limit = Number(asked.query.get('limit') ?? 10);
          return { ...reply, body: { ...counted, total: counted.total - Number(page) * limit } };
        },
      };
    },
    { 'total-counts': 'remaining' },
  ],
];

const MAINTENANCE = json(200, { status: 'maintenance', message: 'Back in a minute' });

export const AGAIN: readonly Line[] = [
  ...[9, 27, 50, 80].map(
    (first): Line => [
      `is down for maintenance at the ${first}. request and the next`,
      () => during(first, first + 1, MAINTENANCE),
    ],
  ),
  [
    'is down for maintenance when it is asked without a token',
    () => {
      let times = 0;
      return {
        before: ({ token }) => {
          if (token !== undefined || times > 0) return undefined;
          times += 1;
          return MAINTENANCE;
        },
      };
    },
  ],
];

/** All but the second customer. */
const isOther = ({ id }: { readonly id: string }) => !id.endsWith('1');

export const RECORDS: readonly Line[] = [
  [
    'finds names in any case, but for one customer',
    {
      findsByName: (asked, customer) =>
        asked === customer.name || (isOther(customer) && isFolded(asked, customer.name)),
    },
    { 'name-matches': 'open' },
  ],
  [
    'finds aliases, but not those of one customer',
    {
      findsByName: (asked, customer) =>
        asked === customer.name || (isOther(customer) && customer.aliases.includes(asked)),
    },
    { 'name-matches': 'open' },
  ],
  [
    'finds externalIds, but not that of one customer',
    {
      findsById: (asked, customer) =>
        asked === customer.id || (isOther(customer) && asked === customer.externalId),
    },
    { 'customer-id-matches': 'open' },
  ],
  [
    'is gone for one deleted contract, and does not find the other',
    {
      repeatedDelete: ({ id }) => (id === 'con-1' ? PLAIN.error(410) : 'not-found'),
    },
    { 'repeat-delete': 'open' },
  ],
];
