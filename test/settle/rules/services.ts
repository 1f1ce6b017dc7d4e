import type { DecisionId, SettleReport } from '../../../src/index.js';
import { CUSTOMERS, eventsAtFirst, usageDateOf } from '../../support/billing-records.js';
import {
  type Asked,
  PLAIN,
  type Reply,
  type Row,
  type Rules,
  TOKEN,
} from '../../support/billing-service.js';
import type { Behaviour } from '../truth/behaviours.js';
import {
  AGAIN,
  CONTROLS,
  DROPPED,
  type Line,
  PAGES,
  RECORDS,
  RIVALS,
  UNTRIED,
} from './odd-services.js';

/** What the table's services do that makes hasty conclusions wrong. */
export const RULES = {
  kinds: 'treats values of one kind differently',
  later: 'does another thing later',
  sent: 'returns what looks like another thing',
  envelope: 'answers without its envelope, or is not asked at all',
  difference: 'shows no difference where there is one',
  limit: 'has limits of its own',
  report: 'ends a run early, or shows names',
  dropped: 'says another thing in what could be left out',
  controls: 'does the same without the oddity',
  rivals: 'does what another rule describes, too',
  untried: 'differs in what was not tried',
  pages: 'means another page by a cursor with another limit',
  again: 'says another thing once',
  records: 'treats one record differently',
} as const;

type Rule = keyof typeof RULES;

/** A service about which a hasty conclusion is wrong. */
export interface Service extends Pick<Behaviour, 'name' | 'truth'> {
  readonly rule: Rule;
  /** Called for each run, because some services remember requests. */
  readonly rules: () => Partial<Rules>;
  /** Checks what else a report must say. */
  readonly report: (report: SettleReport) => void;
}

const json = (status: number, body: unknown): Reply => ({ status, body });
const refused = (message = 'No') => json(200, { error: message });
const problem: Rules['error'] = (status) => ({
  ...json(status, { title: 'No', status }),
  headers: { 'content-type': 'application/problem+json' },
});

/** Whether a contract was deleted at least this long ago. */
const isAfter = ({ deletedAt = '' }: { deletedAt?: string }, ms: number) =>
  Date.now() - Date.parse(deletedAt) >= ms;

const isFolded = (asked: string, text: string) => asked.toLowerCase() === text.toLowerCase();

/** Rounds a limit that is not a whole number. */
const rounding =
  (round: (limit: number) => number): Rules['limit'] =>
  (text) => {
    const limit = Number(text);
    return limit % 1 === 0 || Number.isNaN(limit) ? PLAIN.limit(text) : round(limit);
  };

/** Changes a limit that is a whole number, and refuses any other. */
const limiting =
  (effective: (limit: number) => number | 'refuse'): Rules['limit'] =>
  (text) => {
    const limit = Number(text);
    return Number.isInteger(limit) ? effective(limit) : 'refuse';
  };

const isHex = (text: string) => /^[0-9a-f]+$/.test(text);
const hexCursor = (offset: number) => (offset * 7919 + 0x5eed).toString(16).padStart(24, '9af3');

const withNames = (...names: readonly string[]) =>
  CUSTOMERS.map((one, index) => ({ ...one, name: names[index] ?? '' }));

const plainCustomers = withNames('Anna Works', 'Benno Works', 'Carla Works', 'Doris Works');

const swapped = (text: string) =>
  text.replaceAll(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

const withSwappedAliases = plainCustomers.map((one) => ({
  ...one,
  aliases: [one.name.toUpperCase(), swapped(one.name), one.name.toLowerCase()],
}));

/** Each has the id of the previous one as its externalId. */
const crossed = CUSTOMERS.map((one, index) => ({
  ...one,
  externalId: CUSTOMERS[index - 1]?.id ?? one.externalId,
}));

const isEvents = ({ method }: Asked) => method === 'POST';
const refsIn = (body: string) => (JSON.parse(body) as { refs: string[] }).refs;
const hasUnknownMember = (asked: Asked, body: string) =>
  isEvents(asked) && Object.keys(JSON.parse(body)).length > 1;

const KINDS: readonly Line[] = [
  [
    'rounds half a limit to even',
    {
      limit: rounding((limit) =>
        limit % 1 === 0.5 ? 2 * Math.round(limit / 2) : Math.round(limit),
      ),
    },
    { 'fractional-limit': null },
  ],
  [
    'finds no ids of zeros with 404, and refuses other unknown ones with 400',
    { notFound: (asked, kind) => PLAIN.error(kind === 'id' && !/0{8}/.test(asked) ? 400 : 404) },
    { 'unknown-identifier-status': null },
  ],
  [
    'finds aliases in any case, and names exactly',
    {
      findsByName: (asked, { name, aliases }) =>
        asked === name || aliases.some((alias) => isFolded(asked, alias)),
    },
    { 'name-matches': null },
  ],
  [
    'finds names in any case of the first customer alone',
    {
      findsByName: (asked, { name, id }) =>
        asked === name || (id.endsWith('0') && isFolded(asked, name)),
    },
    { 'name-matches': null },
  ],
  [
    'ignores unknown refs, but finds none of zeros with 404',
    { unmatchedRefs: 'not-found', isRef: (ref) => /0{8}/.test(ref) },
    { 'unmatched-refs': null },
  ],
  [
    'looks at the form of a token alone',
    { madeUpToken: (token) => (/^[a-z-]+$/.test(token) ? 'same' : 'error') },
    { 'unknown-token': null },
  ],

  [
    'has names in another case as aliases, and finds names in any case',
    {
      customers: withSwappedAliases,
      findsByName: (asked, { name }) => isFolded(asked, name),
    },
    { 'name-matches': 'case-insensitive' },
  ],
  [
    'prefers a customer with an externalId to another with this id',
    { customers: crossed.toReversed() },
    { 'customer-id-matches': null },
  ],
  [
    'takes an unknown cursor after its own prefix as none, and refuses others',
    {
      cursorAt: (offset) => `cur_${hexCursor(offset)}`,
      unknownCursor: (cursor) =>
        cursor.startsWith('cur_') && isHex(cursor.slice(4)) ? 'first' : 'refuse',
    },
    { 'invalid-cursor': null },
  ],
];

/** Replicas that do not all know the last change of the listing. */
const replicas = (): Partial<Rules> => {
  let latest: Row | undefined;
  return {
    moves: (rows, requests) => {
      if (requests % 2 === 0) latest = rows.shift();
      else if (latest) rows.unshift(latest);
    },
  };
};

/** Adds a row at the start and removes the last one before every request, so that the total stays. */
const rolling: Rules['moves'] = (rows, requests) => {
  const [first] = rows;
  if (!first) return;
  const usageDate = { year: 2030 + requests, month: 1, day: 1 };
  rows.pop();
  rows.unshift({ ...first, index: 1000 + requests, id: `n${requests}`, usageDate });
};

const isLookup = ({ path }: Asked) => path.startsWith('/customers');

/** Refuses some requests the first time that they are sent. */
const refusingFirst = (isRefused: (asked: Asked) => boolean): Partial<Rules> => {
  const before = new Set<string>();
  return {
    before: (asked) => {
      if (!isRefused(asked) || before.has(asked.path)) return undefined;
      before.add(asked.path);
      return PLAIN.error(404);
    },
  };
};

type Compare = (one: Row, other: Row) => number;

const byId: Compare = (one, other) => (one.id < other.id ? -1 : 1);
const byDate: Compare = (one, other) => usageDateOf(other) - usageDateOf(one) || byId(one, other);
const byDateThenIdDown: Compare = (one, other) =>
  usageDateOf(other) - usageDateOf(one) || byId(other, one);

/** Alternates between two orders. */
const sortedInTurn =
  (first: Compare, second: Compare): Rules['moves'] =>
  (rows, requests) => {
    rows.sort(requests % 2 === 1 ? first : second);
  };

/** Adds a first row before every request; the total is that of three requests ago. */
const countingLate = (): Partial<Rules> => {
  const sizes: number[] = [];
  return {
    measurements: 137,
    moves: (rows, requests) => {
      const [first] = rows;
      sizes.push(rows.length);
      if (!first) return;
      const usageDate = { year: 2100 + requests, month: 1, day: 1 };
      rows.unshift({ ...first, id: `n${requests}`, usageDate });
    },
    total: () => sizes.at(-3) ?? sizes[0],
  };
};

const LATER: readonly Line[] = [
  [
    'answers a repeated delete with 409 for two seconds, and then with 404',
    {
      repeatedDelete: (contract) =>
        isAfter(contract, 2_000) ? 'not-found' : json(409, { message: 'Is being deleted' }),
    },
    { 'repeat-delete': 'open' },
  ],
  [
    'answers with 409 for two seconds after a deletion of events',
    () => {
      let deletedAt = 0;
      return {
        before: ({ method }) =>
          method === 'POST' && Date.now() - deletedAt < 2_000
            ? json(409, { message: 'Is busy' })
            : undefined,
        after: (reply, { method }) => {
          const { events = [] } = (reply.body ?? {}) as { events?: unknown[] };
          if (method === 'POST' && events.length > 0) deletedAt = Date.now();
          return reply;
        },
      };
    },
  ],
  [
    'lists by id until a customer is looked up, and then the newest first',
    () => {
      let isSorted = false;
      return {
        sort: 'id',
        moves: (rows, _, asked) => {
          if (isSorted || !isLookup(asked)) return;
          isSorted = true;
          rows.sort(
            (one, other) => usageDateOf(other) - usageDateOf(one) || (one.id < other.id ? -1 : 1),
          );
        },
      };
    },
    { 'measurement-order': null },
  ],
  [
    'is served by two replicas in turn, and counts what remains',
    () => ({ ...replicas(), total: (all, before) => all - before }),
    { 'total-counts': 'remaining' },
  ],

  [
    'gains a row and loses another, and takes anything as none',
    { moves: rolling, unknownCursor: 'first', emptyLimit: 10, emptyCursor: 'first' },
    { 'invalid-cursor': 'first-page', 'empty-parameter': 'absent' },
  ],
  [
    'finds an alias only when it is asked for it again',
    () => ({
      ...refusingFirst(({ path }) => path.includes('/alias-')),
      findsByName: (asked, { name, aliases }) => asked === name || aliases.includes(asked),
    }),
    { 'name-matches': 'name-or-alias' },
  ],
  [
    'accepts a delete with 202, and does it two seconds later',
    {
      deleteStatus: 202,
      eventsStatus: 202,
      repeatedDelete: (contract) =>
        isAfter(contract, 2_000) ? 'not-found' : json(202, { contract }),
      after: (reply, { method }) => {
        if (method !== 'DELETE' || reply.status !== 202) return reply;
        const { contract } = reply.body as { contract: object };
        return { ...reply, body: { contract: { ...contract, deletedAt: undefined } } };
      },
    },
    { 'success-status': 202 },
  ],
  [
    'lists rows of one date in another order in turn',
    { moves: sortedInTurn(byDate, byDateThenIdDown) },
    { 'measurement-order': null },
  ],
  ['gains a row at the start before every request, and counts late', countingLate],

  [
    'takes each cursor once',
    () => {
      const used = new Set<string | null>();
      return {
        measurements: 137,
        before: ({ query }) => {
          const cursor = query.get('cursor');
          if (cursor === null || cursor === '') return undefined;
          const isUsed = used.has(cursor);
          used.add(cursor);
          return isUsed ? PLAIN.error(400) : undefined;
        },
      };
    },
    { 'cursor-lifetime': null },
  ],
];

/** Events whose timestamps are neither in the order of their refs nor against it. */
const mixedEvents: Rules['events'] = () =>
  eventsAtFirst().map((event, index) => ({
    ...event,
    timestamp: `2025-03-0${[3, 1, 4, 2][index]}T00:00:00.000Z`,
  }));

const SENT: readonly Line[] = [
  [
    'lists deleted events by ref, the first first',
    { events: mixedEvents, eventsBy: (one, other) => (one.ref < other.ref ? -1 : 1) },
    { 'deleted-events-order': null },
  ],
  ['lists deleted events as they came', { eventsBy: () => 0 }, { 'deleted-events-order': null }],
  [
    'says that nothing follows a page that it has cut to 20',
    { measurements: 40, mostOnPage: 20, hasMore: (_, __, isFull) => isFull },
    { 'last-page': 'trailing-empty-page' },
  ],
  [
    'lists by id, and sorts each page by date',
    {
      sort: 'id',
      after: (reply) => {
        const { measurements, ...body } = (reply.body ?? {}) as { measurements?: Row[] };
        if (!measurements) return reply;
        const sorted = [...measurements].sort(
          (one, other) => usageDateOf(other) - usageDateOf(one) || (one.id < other.id ? -1 : 1),
        );
        return { ...reply, body: { ...body, measurements: sorted } };
      },
    },
    { 'measurement-order': null },
  ],
  [
    'says behind a cursor that more follows a full page',
    {
      after: (reply, { query }) => {
        const body = (reply.body ?? {}) as { hasMore?: unknown; measurements?: unknown[] };
        const isFull = body.measurements?.length === Number(query.get('limit') ?? 10);
        const isEnd = body.hasMore === false && query.has('cursor') && isFull;
        return isEnd ? { ...reply, body: { ...body, hasMore: true, nextCursor: 'c-end' } } : reply;
      },
      unknownCursor: (cursor) => (cursor === 'c-end' ? 100_000 : 'refuse'),
    },
    { 'last-page': null },
  ],
  [
    'has rows that look the same, and answers an unknown cursor with the end',
    {
      unknownCursor: 'last',
      shows: (record, kind) => (kind === 'measurement' ? { meterId: 'calls', value: 1 } : record),
    },
    {
      'invalid-cursor': null,
      'measurement-order': null,
      'optional-fields': null,
      'customer-id-matches': 'id-or-external-id',
    },
  ],
  [
    'counts all, but no more than the limit',
    {
      after: (reply, { query }) => {
        const body = (reply.body ?? {}) as { total?: number };
        const limit = Number(query.get('limit') || 10);
        if (body.total === undefined) return reply;
        return { ...reply, body: { ...body, total: Math.min(body.total, limit) } };
      },
    },
    { 'total-counts': null },
  ],
  [
    'takes one ref at most',
    {
      before: (asked, body) =>
        isEvents(asked) && refsIn(body).length > 1 ? PLAIN.error(400) : undefined,
    },
  ],
];

/** A gateway that replaces the service's reply to every nth request. */
const losing = (every: number, instead: Reply) => (): Partial<Rules> => {
  let replies = 0;
  return {
    after: (reply) => {
      replies += 1;
      return replies % every === 0 ? instead : reply;
    },
  };
};

const noRoute = json(404, { message: 'no Route matched with those values' });
const tooMany: Reply = {
  ...json(429, { message: 'Too many' }),
  headers: { 'retry-after': '0' },
};

const ENVELOPE: readonly Line[] = [
  [
    'deletes with 202, and answers an unknown member with 200 and an error',
    {
      deleteStatus: 202,
      eventsStatus: 202,
      before: (asked, body) => (hasUnknownMember(asked, body) ? refused() : undefined),
    },
    { 'unknown-body-members': null, 'success-status': 202 },
  ],
  [
    'answers what it does not find with 200 and an error',
    { notFound: () => refused() },
    { 'unknown-identifier-status': null, 'repeat-delete': null },
  ],
  [
    'answers a made-up token with 200 and an error',
    { madeUpToken: refused() },
    { 'unknown-token': null },
  ],
  [
    'trims names, behind a gateway without routes to spaces at an end',
    {
      customers: plainCustomers,
      error: problem,
      findsByName: (asked, { name }) => asked.trim() === name,
      before: ({ path }) => (/\/%20|%20$/.test(path) ? noRoute : undefined),
    },
    { 'name-matches': null, 'error-body': 'problem-json' },
  ],
  [
    'is behind a gateway that loses every eleventh response as a page of 404',
    losing(11, { status: 404, text: '<h1>404</h1>', headers: { 'content-type': 'text/html' } }),
  ],
  ['limits the pace of other tokens alone', { madeUpToken: tooMany }, { 'unknown-token': null }],
  [
    'wraps everything in data',
    { after: (reply) => (reply.status < 300 ? { ...reply, body: { data: reply.body } } : reply) },
    {
      'undocumented-fields': 'extra',
      'optional-fields': null,
      'unmatched-refs': null,
      'unknown-body-members': null,
    },
  ],
  [
    'is behind a gateway that takes no fractions',
    {
      error: problem,
      limit: rounding(Math.floor),
      before: ({ query }) =>
        query.get('limit')?.includes('.') ? json(400, { message: 'Bad request' }) : undefined,
    },
    { 'fractional-limit': null, 'error-body': 'problem-json' },
  ],
];

/** Shows another value as `updatedAt`. */
const updatedAs =
  (
    show: (updatedAt: string, record: Readonly<Record<string, unknown>>) => unknown,
  ): Rules['shows'] =>
  (record) => ({ ...record, updatedAt: show(String(record.updatedAt), record) });

const earlier = (text: string, ms: number) => new Date(Date.parse(text) - ms).toISOString();
const MINUTE_MS = 60_000;

const dayOf = (instant: string) => `${instant.slice(0, 10)}T00:00:00.000Z`;

const deletedAs =
  (show: (instant: string) => unknown): Rules['shows'] =>
  ({ deletedAt, ...record }) =>
    deletedAt === undefined ? record : { ...record, deletedAt: show(String(deletedAt)) };

const DIFFERENCE: readonly Line[] = [
  [
    'has local time in updatedAt, five hours earlier',
    { shows: updatedAs((text) => earlier(text, 300 * MINUTE_MS)) },
    { 'updated-at-on-delete': null },
  ],
  [
    'keeps updatedAt of records that were created just now',
    {
      updatesOnDelete: false,
      shows: (record) => {
        const now = new Date().toISOString();
        return { ...record, createdAt: earlier(now, 5_000), updatedAt: earlier(now, 5_000) };
      },
    },
    { 'updated-at-on-delete': 'unchanged' },
  ],
  [
    'lists nothing for a token that it does not know',
    { madeUpToken: 'empty' },
    { 'unknown-token': null },
  ],
  [
    'answers a repeated delete with 400, and an unknown id too',
    { notFoundStatus: 400, repeatedDelete: () => json(400, { message: 'Is deleted' }) },
    { 'repeat-delete': null, 'unknown-identifier-status': 400 },
  ],
  [
    'answers everything unknown with 400',
    { notFoundStatus: 400, unmatchedRefs: 'not-found' },
    { 'unknown-identifier-status': 400, 'unmatched-refs': 'not-found' },
  ],
  [
    'deletes a contract anew each time, and shows the day alone',
    {
      shows: deletedAs(dayOf),
      repeatedDelete: (contract) => {
        const anew = { ...contract, deletedAt: new Date().toISOString() };
        return json(200, { contract: deletedAs(dayOf)(anew, 'contract', 0) });
      },
    },
    { 'repeat-delete': null, 'updated-at-on-delete': null },
  ],
  [
    'deletes events anew each time, and shows the day alone',
    {
      repeatedEvents: 'include',
      shows: (record, kind, index) => {
        const anew = { ...record, deletedAt: new Date().toISOString() };
        return deletedAs(dayOf)(kind === 'event' ? anew : record, kind, index);
      },
    },
    { 'repeat-event-delete': null, 'updated-at-on-delete': null },
  ],
  [
    'answers a repeated delete with 422, and an unknown id too',
    { notFoundStatus: 422, repeatedDelete: () => json(422, { message: 'Is deleted' }) },
    { 'repeat-delete': null, 'unknown-identifier-status': null },
  ],
];

const LIMIT: readonly Line[] = [
  [
    'raises a limit of 0 to 1, and takes more than 100 as 10',
    { measurements: 1500, limit: limiting((limit) => (limit > 100 ? 10 : Math.max(1, limit))) },
    { 'limit-out-of-bounds': null },
  ],
  [
    'refuses a limit above 100, and raises 0 to 1',
    {
      measurements: 1500,
      limit: limiting((limit) => (limit > 100 ? 'refuse' : Math.max(1, limit))),
    },
    { 'limit-out-of-bounds': null },
  ],
  [
    'refuses a limit of 0, and has 50 on a page at most, whatever the limit',
    { measurements: 137, limit: limiting((limit) => (limit < 1 ? 'refuse' : Math.min(limit, 50))) },
    { 'limit-out-of-bounds': null },
  ],
  [
    'has 1 to 50 on a page, whatever the limit',
    { measurements: 137, limit: limiting((limit) => Math.min(Math.max(limit, 1), 50)) },
    { 'limit-out-of-bounds': 'clamp' },
  ],
  [
    'has no upper bound of limits, and raises 0 to 1, over 1500 rows of which it loses some',
    {
      measurements: 1500,
      limit: limiting((limit) => Math.max(limit, 1)),
      moves: (rows) => rows.pop(),
    },
    { 'limit-out-of-bounds': null },
  ],
  [
    'has 5 on a page at most, and takes an empty limit as 1000',
    { mostOnPage: 5, emptyLimit: 1000, emptyCursor: 'first' },
    { 'empty-parameter': null },
  ],
  [
    'refuses limits below 10, rounds others down, and takes unknown cursors as none',
    {
      measurements: 137,
      unknownCursor: 'first',
      limit: (text) => {
        const limit = Math.floor(Number(text));
        return limit >= 10 && limit <= 1000 ? limit : 'refuse';
      },
    },
    { 'fractional-limit': 'round-down', 'invalid-cursor': 'first-page' },
  ],
];

/** Refuses everything after the first request for which `isCause` holds. */
const lockingOut = (status: number, isCause: (asked: Asked) => boolean): Partial<Rules> => {
  let isLocked = false;
  return {
    before: (asked) => {
      if (isLocked) return PLAIN.error(status);
      isLocked = isCause(asked);
      return undefined;
    },
  };
};

/** Answers these requests, counted from 1, with 503 and Retry-After. */
const busyAt = (first: number, last: number, retryAfter: () => string): Partial<Rules> => {
  let requests = 0;
  return {
    before: () => {
      requests += 1;
      if (requests < first || requests > last) return undefined;
      return { ...json(503, { message: 'Is busy' }), headers: { 'retry-after': retryAfter() } };
    },
  };
};

const isMadeUp = ({ token }: Asked) => token !== undefined && token !== TOKEN;
const endsBecauseOf =
  (cause: RegExp): Service['report'] =>
  ({ brokenOff }) =>
    expect(brokenOff).toMatch(cause);
const endsNot: Service['report'] = ({ brokenOff, verdicts }) => {
  expect(brokenOff).toBeUndefined();
  const told = verdicts
    .filter(({ verdict }) => verdict === 'settled')
    .map(({ decision }) => decision);
  const least: readonly DecisionId[] = ['measurement-order', 'total-counts'];
  expect(told).toEqual(expect.arrayContaining([...least]));
};
const inSecond = () => new Date(Date.now() + 1_000).toUTCString();

const quartz = withNames('Quartza', 'Quartzb', 'Quartzc', 'Quartzd');
const REPORT: readonly Line[] = [
  [
    'locks out with 403 whoever sends an unknown token',
    () => lockingOut(403, isMadeUp),
    {},
    endsBecauseOf(/made-up token/),
  ],
  ['is busy for three requests, and says until when', () => busyAt(5, 7, inSecond), {}, endsNot],
  [
    'has names of customers as names of members',
    {
      customers: quartz,
      shows: (record, kind) => {
        const name = String(record.name);
        return kind === 'customer' ? { ...record, balances: { [name]: 5 }, [name]: 1 } : record;
      },
    },
    { 'undocumented-fields': 'extra' },
  ],
  [
    'has what it was asked for as members of its errors',
    {
      customers: quartz,
      error: problem,
      notFound: (asked, kind) =>
        kind === 'name' ? json(404, { [asked]: `No ${asked}` }) : problem(404),
    },
    { 'error-body': null },
  ],
  [
    'is busy for ever, and says that it is not',
    () => busyAt(8, 1_000, () => '0'),
    {},
    endsBecauseOf(/503/),
  ],
  [
    'forbids one of its customers',
    { before: ({ path }) => (path.includes('cus_7Kq2mZ2') ? PLAIN.error(403) : undefined) },
    {},
    endsNot,
  ],
  [
    'is behind a wall that forbids limits out of bounds',
    {
      before: ({ query }) =>
        ['0', '-1', '1001'].includes(query.get('limit') ?? '') ? PLAIN.error(403) : undefined,
    },
    { 'limit-out-of-bounds': null },
    endsNot,
  ],
  [
    'locks out whoever asks for ten customers that it does not find',
    () => {
      let misses = 0;
      return {
        before: () => (misses > 10 ? PLAIN.error(403) : undefined),
        after: (reply, asked) => {
          if (isLookup(asked) && reply.status === 404) misses += 1;
          return reply;
        },
      };
    },
    {},
    endsBecauseOf(/403/),
  ],
];

const TABLE: Readonly<Record<Rule, readonly Line[]>> = {
  kinds: KINDS,
  later: LATER,
  sent: SENT,
  envelope: ENVELOPE,
  difference: DIFFERENCE,
  limit: LIMIT,
  report: REPORT,
  dropped: DROPPED,
  controls: CONTROLS,
  rivals: RIVALS,
  untried: UNTRIED,
  pages: PAGES,
  again: AGAIN,
  records: RECORDS,
};

/** Every service of the table. */
export const SERVICES: readonly Service[] = (Object.keys(TABLE) as Rule[]).flatMap((rule) =>
  TABLE[rule].map(([name, rules, truth = {}, report = () => undefined]) => ({
    rule,
    name,
    truth,
    rules: typeof rules === 'function' ? rules : () => rules,
    report,
  })),
);
