import type { DecisionId, SettleReport } from '../../../src/index.js';
import { CUSTOMERS, eventsAtFirst, SCRATCH, usageDateOf } from '../../support/billing-records.js';
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
const headersOf = (policy: string) => ({ 'ratelimit-policy': policy });

/** Whether a contract was deleted at least this long ago. */
const isAfter = ({ deletedAt = '' }: { deletedAt?: string }, ms: number) =>
  Date.now() - Date.parse(deletedAt) >= ms;

const isFolded = (asked: string, text: string) => asked.toLowerCase() === text.toLowerCase();
const isAsciiFolded = (asked: string, text: string) =>
  [asked, text]
    .map((one) => one.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()))
    .join(' ') ===
  [text, text].map((one) => one.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())).join(' ');
const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

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
/** Customers with these ids, and their measurements. */
const withIds = (...ids: readonly string[]): Partial<Rules> => ({
  customers: CUSTOMERS.map((one, index) => ({ ...one, id: ids[index] ?? '' })),
  shows: (record, kind, index) =>
    kind === 'measurement' ? { ...record, customerId: ids[index % ids.length] } : record,
});

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

const isUuid4 = (text: string) =>
  /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(text);
const listOfErrors = (status: number) => json(status, { errors: [{ code: 'E', detail: 'No' }] });
const errorObject = (status: number) => json(status, { error: { code: 'E', message: 'No' } });
/** A different shape of errors for invalid requests than for what is not found. */
const inTwoShapes =
  (invalid: Rules['error']): Rules['error'] =>
  (status) =>
    status === 400 ? invalid(status) : PLAIN.error(status);

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
    'rounds half a limit down, and more up',
    { limit: rounding((limit) => Math.ceil(limit - 0.5)) },
    { 'fractional-limit': null },
  ],
  ['rounds half a limit up', { limit: rounding(Math.round) }, { 'fractional-limit': null }],
  [
    'rounds every limit down',
    { limit: rounding(Math.floor) },
    { 'fractional-limit': 'round-down' },
  ],
  [
    'refuses ids of zeros with 400, and finds no others with 404',
    { notFound: (asked, kind) => PLAIN.error(kind === 'id' && /0{8}/.test(asked) ? 400 : 404) },
    { 'unknown-identifier-status': null },
  ],
  [
    'finds no ids of zeros with 404, and refuses other unknown ones with 400',
    { notFound: (asked, kind) => PLAIN.error(kind === 'id' && !/0{8}/.test(asked) ? 400 : 404) },
    { 'unknown-identifier-status': null },
  ],
  [
    'refuses ids of another length than its own with 400',
    { notFound: (asked, kind) => PLAIN.error(kind === 'id' && asked.length !== 11 ? 400 : 404) },
    { 'unknown-identifier-status': null },
  ],
  [
    'refuses unknown names with 400, and finds no ids with 404',
    { notFound: (_, kind) => PLAIN.error(kind === 'name' ? 400 : 404) },
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
    'finds aliases exactly, and names in any case',
    {
      findsByName: (asked, { name, aliases }) => isFolded(asked, name) || aliases.includes(asked),
    },
    { 'name-matches': null },
  ],
  [
    'finds names in lower case too',
    { findsByName: (asked, { name }) => asked === name || asked === name.toLowerCase() },
    { 'name-matches': null },
  ],
  [
    'finds names in upper case too',
    { findsByName: (asked, { name }) => asked === name || asked === name.toUpperCase() },
    { 'name-matches': null },
  ],
  [
    'finds names in any case of ASCII letters alone',
    { findsByName: (asked, { name }) => isAsciiFolded(asked, name) },
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
    'finds names in any case, but not of the first customer',
    {
      findsByName: (asked, { name, id }) =>
        asked === name || (!id.endsWith('0') && isFolded(asked, name)),
    },
    { 'name-matches': null },
  ],
  [
    'finds aliases of customers from Salesforce alone',
    {
      findsByName: (asked, { name, aliases, source }) =>
        asked === name || (source === 'Salesforce' && aliases.includes(asked)),
    },
    { 'name-matches': null },
  ],
  [
    'finds aliases, but not of customers from Salesforce',
    {
      findsByName: (asked, { name, aliases, source }) =>
        asked === name || (source !== 'Salesforce' && aliases.includes(asked)),
    },
    { 'name-matches': null },
  ],
  [
    'finds externalIds of customers from Salesforce alone',
    {
      findsById: (asked, { id, externalId, source }) =>
        asked === id || (source === 'Salesforce' && asked === externalId),
    },
    { 'customer-id-matches': null },
  ],
  [
    'finds externalIds, but not of customers from Salesforce',
    {
      findsById: (asked, { id, externalId, source }) =>
        asked === id || (source !== 'Salesforce' && asked === externalId),
    },
    { 'customer-id-matches': null },
  ],
  [
    'finds ids in any case, and externalIds exactly',
    { findsById: (asked, { id, externalId }) => isFolded(asked, id) || asked === externalId },
    { 'customer-id-matches': null },
  ],
  [
    'finds externalIds in any case, and ids exactly',
    { findsById: (asked, { id, externalId }) => asked === id || isFolded(asked, externalId) },
    { 'customer-id-matches': null },
  ],
  [
    'ignores refs of zeros, and finds no other unknown ones with 404',
    { unmatchedRefs: 'not-found', isRef: (ref) => !/0{8}/.test(ref) },
    { 'unmatched-refs': null },
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
    'takes an unknown cursor in its own letters as none, and refuses others',
    { cursorAt: hexCursor, unknownCursor: (cursor) => (isHex(cursor) ? 'first' : 'refuse') },
    { 'invalid-cursor': null },
  ],
  [
    'answers an unknown cursor in its own letters with the end, and refuses others',
    { cursorAt: hexCursor, unknownCursor: (cursor) => (isHex(cursor) ? 'last' : 'refuse') },
    { 'invalid-cursor': null },
  ],
  [
    'takes every number as a cursor, and refuses others',
    {
      cursorAt: String,
      unknownCursor: (cursor) => (/^\d+$/.test(cursor) ? Number(cursor) : 'refuse'),
    },
    { 'invalid-cursor': null },
  ],
  ...[2, 3].flatMap((measurements): Line[] => [
    [
      `rounds half a limit to even, over ${measurements} rows`,
      { measurements, limit: rounding((limit) => 2 * Math.round(limit / 2)) },
      { 'fractional-limit': null, 'measurement-order': null },
    ],
    [
      `rounds a limit up, over ${measurements} rows`,
      { measurements, limit: rounding(Math.ceil) },
      { 'fractional-limit': null, 'measurement-order': null },
    ],
  ]),
  [
    'finds names in any case, of which none has ASCII letters',
    {
      customers: CUSTOMERS.map((one, index) => ({ ...one, name: `Завод № ${index + 1}` })),
      findsByName: (asked, { name }) => isFolded(asked, name),
    },
    { 'name-matches': 'case-insensitive' },
  ],
  ['has ids that differ in case alone', withIds('aBcDeF', 'AbCdEf', 'abcdef', 'ABCDEF')],
  [
    'has a customer whose id is all zeros',
    withIds('0'.repeat(24), '65b'.padEnd(24, '1'), '65b'.padEnd(24, '2'), '65b'.padEnd(24, '3')),
  ],
  [
    'has externalIds that differ in case alone',
    {
      customers: CUSTOMERS.map((one, index) => ({
        ...one,
        externalId: ['xYz-A', 'XyZ-a', 'xyz-a', 'XYZ-A'][index] ?? '',
      })),
    },
  ],
  [
    'has names that differ in case alone',
    { customers: withNames('Kiosk Nord', 'kIOSK nORD', 'kiosk nord', 'KIOSK NORD') },
  ],
  [
    'has names that differ in case alone, and finds the oldest in any case',
    {
      customers: withNames('Kiosk Nord', 'kIOSK nORD', 'kiosk nord', 'KIOSK NORD'),
      findsByName: (asked, { name }) => isFolded(asked, name),
    },
    { 'name-matches': 'case-insensitive' },
  ],
  [
    'has names in another case as aliases, and finds them',
    {
      customers: withSwappedAliases,
      findsByName: (asked, { name, aliases }) => asked === name || aliases.includes(asked),
    },
    { 'name-matches': 'name-or-alias' },
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
  ['prefers a customer with an id to another with this externalId', { customers: crossed }],
  [
    'finds no unknown refs beside others with 404, and ignores them alone',
    {
      before: (asked, body) => {
        if (!isEvents(asked)) return undefined;
        const refs = refsIn(body);
        const unknown = refs.filter((ref) => !SCRATCH.scratchRefs.includes(ref));
        return unknown.length > 0 && unknown.length < refs.length ? PLAIN.error(404) : undefined;
      },
    },
    { 'unmatched-refs': null },
  ],
  [
    'finds no unknown refs alone with 404, and ignores them beside others',
    {
      before: (asked, body) => {
        if (!isEvents(asked)) return undefined;
        const refs = refsIn(body);
        return refs.some((ref) => SCRATCH.scratchRefs.includes(ref)) ? undefined : PLAIN.error(404);
      },
    },
    { 'unmatched-refs': null },
  ],
  [
    'forbids a made-up token, and refuses none with 401',
    { madeUpToken: PLAIN.error(403) },
    { 'unauthorized-status': null },
  ],
  [
    'deletes contracts with 202, and events with 200',
    { deleteStatus: 202 },
    { 'success-status': null },
  ],
  [
    'updates contracts when it deletes, and keeps events',
    {
      shows: (record, kind) =>
        kind === 'event' ? { ...record, updatedAt: record.createdAt } : record,
    },
    { 'updated-at-on-delete': null },
  ],
  [
    'is gone for every unknown contract',
    { notFound: (_, kind) => PLAIN.error(kind === 'contract' ? 410 : 404) },
    { 'repeat-delete': 'gone' },
  ],
  [
    'finds customers by their names where their ids belong',
    { findsById: (asked, { id, externalId, name }) => [id, externalId, name].includes(asked) },
    { 'customer-id-matches': null },
  ],
  [
    'finds customers by their externalIds where their names belong',
    { findsByName: (asked, { name, externalId }) => asked === name || asked === externalId },
    { 'name-matches': null },
  ],
  ...(
    [
      ['exact', (asked: string, name: string) => asked === name],
      ['case-insensitive', isFolded],
    ] as const
  ).map(
    ([value, isSame]): Line => [
      `has names of others as aliases, and finds ${value} names alone`,
      {
        customers: plainCustomers.map((one, index) => ({
          ...one,
          aliases: [plainCustomers[(index + 1) % 4]?.name ?? ''],
        })),
        findsByName: (asked, { name }) => isSame(asked, name),
      },
      { 'name-matches': value },
    ],
  ),
  ...(['cur_', 'cur-', 'v1.'] as const).map(
    (prefix): Line => [
      `takes an unknown cursor after ${prefix} as none, and refuses others`,
      {
        cursorAt: (offset) => prefix + hexCursor(offset),
        unknownCursor: (cursor) =>
          cursor.startsWith(prefix) && isHex(cursor.slice(prefix.length)) ? 'first' : 'refuse',
      },
      { 'invalid-cursor': null },
    ],
  ),
  ...(['cus-', 'cus:', 'c.'] as const).map(
    (prefix): Line => [
      `finds no unknown ids after ${prefix} with 404, and refuses others with 400`,
      {
        ...withIds(...[1, 2, 3, 4].map((one) => prefix + hexCursor(one))),
        notFound: (asked, kind) => {
          const isOwn = asked.startsWith(prefix) && isHex(asked.slice(prefix.length));
          return PLAIN.error(kind === 'id' && !isOwn ? 400 : 404);
        },
      },
      { 'unknown-identifier-status': null },
    ],
  ),
  [
    'refuses ids that are no UUID of version 4 with 400, and finds no others with 404',
    {
      ...withIds(...[1, 2, 3, 4].map((one) => `7c9e667${one}-7425-40de-944b-e07fc1f90ae${one}`)),
      notFound: (asked, kind) => PLAIN.error(kind === 'id' && !isUuid4(asked) ? 400 : 404),
    },
    { 'unknown-identifier-status': null },
  ],
  [
    'refuses ids of zeros with 400 and a list of errors, and finds no others with 404',
    {
      error: inTwoShapes(listOfErrors),
      notFound: (asked, kind) =>
        inTwoShapes(listOfErrors)(kind === 'id' && /0{8}/.test(asked) ? 400 : 404),
    },
    { 'unknown-identifier-status': null, 'error-body': null },
  ],
  [
    'refuses refs of zeros with 422 and a list of errors, and finds no others with 404',
    {
      error: inTwoShapes(listOfErrors),
      before: (asked, body) =>
        isEvents(asked) && /0{8}/.test(body) ? listOfErrors(422) : undefined,
      unmatchedRefs: 'not-found',
    },
    { 'unmatched-refs': null, 'error-body': null },
  ],
  [
    'answers a repeated delete with 409 and an error object, and other errors with messages',
    {
      error: inTwoShapes(errorObject),
      repeatedDelete: () => errorObject(409),
    },
    { 'repeat-delete': 'conflict', 'error-body': null },
  ],
  [
    'returns the first customer for every unknown id',
    {
      notFound: (_, kind) =>
        kind === 'id' ? json(200, { customer: CUSTOMERS[0] }) : PLAIN.error(404),
    },
    { 'customer-id-matches': null, 'unknown-identifier-status': null },
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

/** Rows are added at the start and removed at the end, so that the total stays. */
const rolling =
  (every: number): Rules['moves'] =>
  (rows, requests) => {
    const [first] = rows;
    if (requests % every !== 0 || !first) return;
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

const IN_2099 = { deletedAt: '2099-01-01T00:00:00Z', updatedAt: '2099-01-01T00:00:00Z' };

type Compare = (one: Row, other: Row) => number;

const byId: Compare = (one, other) => (one.id < other.id ? -1 : 1);
const byDate: Compare = (one, other) => usageDateOf(other) - usageDateOf(one) || byId(one, other);
const byDateThenIdDown: Compare = (one, other) =>
  usageDateOf(other) - usageDateOf(one) || byId(other, one);

/** Alternates between two orders. */
const sortedInTurn =
  (turn: number, first: Compare, second: Compare): Rules['moves'] =>
  (rows, requests) => {
    rows.sort((requests + turn) % 2 === 1 ? first : second);
  };

/** Adds or removes a row before every request; the total is that of three requests ago. */
const countingLate = (place: 'start' | 'end', more: -1 | 1): Partial<Rules> => {
  const sizes: number[] = [];
  return {
    measurements: 137,
    moves: (rows, requests) => {
      const [first] = rows;
      sizes.push(rows.length);
      if (more < 0) return place === 'start' ? rows.shift() : rows.pop();
      if (!first) return undefined;
      const year = place === 'start' ? 2100 + requests : 1900 - requests;
      const row = { ...first, id: `n${requests}`, usageDate: { year, month: 1, day: 1 } };
      return place === 'start' ? rows.unshift(row) : rows.push(row);
    },
    total: () => sizes.at(-3) ?? sizes[0],
  };
};

/** Repeats the reply to a request that it received before. */
const cached = (): Partial<Rules> => {
  const replies = new Map<string, Reply>();
  const keyOf = ({ method, path, query, token }: Asked) => `${method} ${path}?${query} ${token}`;
  return {
    before: (asked) => (asked.method === 'GET' ? replies.get(keyOf(asked)) : undefined),
    after: (reply, asked) => {
      replies.set(keyOf(asked), reply);
      return reply;
    },
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
    'answers a repeated delete with 409 for two seconds, and then with 410',
    {
      repeatedDelete: (contract) =>
        json(isAfter(contract, 2_000) ? 410 : 409, { message: 'Is deleted' }),
    },
    { 'repeat-delete': 'open' },
  ],
  [
    'answers a repeated delete with 404 for two seconds, and then with 410',
    {
      repeatedDelete: (contract) =>
        json(isAfter(contract, 2_000) ? 410 : 404, { message: 'Is deleted' }),
    },
    { 'repeat-delete': 'open' },
  ],
  [
    'answers a repeated delete with 410 for two seconds, and then with 404',
    {
      repeatedDelete: (contract) =>
        json(isAfter(contract, 2_000) ? 404 : 410, { message: 'Is deleted' }),
    },
    { 'repeat-delete': 'open' },
  ],
  [
    'answers a repeated delete with 423 for two seconds, and then with the contract',
    {
      repeatedDelete: (contract) =>
        isAfter(contract, 2_000) ? json(200, { contract }) : json(423, { message: 'Is locked' }),
    },
    { 'repeat-delete': 'open' },
  ],
  [
    'answers a repeated delete with 409 for two seconds, and then with the contract',
    {
      repeatedDelete: (contract) =>
        isAfter(contract, 2_000) ? json(200, { contract }) : json(409, { message: 'Is locked' }),
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
    'answers the first delete of a contract with 409',
    () => {
      const asked = new Set<string>();
      return {
        before: ({ method, path }) => {
          if (method !== 'DELETE' || asked.has(path)) return undefined;
          asked.add(path);
          return json(409, { message: 'Is being invoiced' });
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
    'lists the newest first until a customer is looked up, and then in no order',
    () => {
      let isSorted = true;
      return {
        moves: (rows, _, asked) => {
          if (!isSorted || !isLookup(asked)) return;
          isSorted = false;
          rows.sort((one, other) => ((one.value * 11) % 37) - ((other.value * 11) % 37));
        },
      };
    },
    { 'measurement-order': null },
  ],
  [
    'counts the page until a customer is looked up, and then all',
    () => {
      let isExact = false;
      return {
        moves: (_, __, asked) => {
          isExact ||= isLookup(asked);
        },
        total: (all, _, here) => (isExact ? all : here),
      };
    },
    { 'total-counts': null },
  ],
  [
    'ends exactly until a customer is looked up, and then with an empty page and cursor',
    () => {
      let isExact = true;
      return {
        moves: (_, __, asked) => {
          if (isLookup(asked)) isExact = false;
        },
        hasMore: (all, end, isFull) => (isExact ? end < all : isFull),
        after: (reply) => {
          const body = reply.body as { hasMore?: unknown } | undefined;
          if (isExact || body?.hasMore !== false) return reply;
          return { ...reply, body: { ...body, nextCursor: '' } };
        },
      };
    },
    { 'last-page': null, 'final-cursor': null },
  ],
  ['is served by two replicas in turn, one without the latest row', replicas],
  [
    'is served by two replicas in turn, and counts what remains',
    () => ({ ...replicas(), total: (all, before) => all - before }),
    { 'total-counts': 'remaining' },
  ],
  ...[1, 2, 3].map(
    (every): Line => [
      `gains a row and loses another before every ${every}. request`,
      { moves: rolling(every) },
    ],
  ),
  [
    'gains a row and loses another, and counts what remains',
    { moves: rolling(1), total: (all, before) => all - before },
    { 'total-counts': 'remaining' },
  ],
  [
    'gains a row and loses another, and takes anything as none',
    { moves: rolling(1), unknownCursor: 'first', emptyLimit: 10, emptyCursor: 'first' },
    { 'invalid-cursor': 'first-page', 'empty-parameter': 'absent' },
  ],
  ['finds a customer only when it is asked for it again', () => refusingFirst(isLookup)],
  [
    'finds an alias only when it is asked for it again',
    () => ({
      ...refusingFirst(({ path }) => path.includes('/alias-')),
      findsByName: (asked, { name, aliases }) => asked === name || aliases.includes(asked),
    }),
    { 'name-matches': 'name-or-alias' },
  ],
  [
    'finds an externalId only when it is asked for it again',
    () => refusingFirst(({ path }) => path.includes('/SF-')),
  ],
  [
    'answers a repeated delete with 404 for two seconds, and then with the contract',
    {
      repeatedDelete: (contract) =>
        isAfter(contract, 2_000) ? json(200, { contract }) : PLAIN.error(404),
    },
    { 'repeat-delete': 'open' },
  ],
  [
    'answers a repeated delete with 409 for two seconds, and then deletes anew',
    {
      repeatedDelete: (contract) =>
        isAfter(contract, 2_000)
          ? json(200, { contract: { ...contract, ...IN_2099 } })
          : PLAIN.error(409),
    },
    { 'repeat-delete': null },
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
    'has deleted the scratch contracts before, and answers 409',
    { before: ({ method }) => (method === 'DELETE' ? PLAIN.error(409) : undefined) },
    { 'repeat-delete': 'conflict' },
  ],
  [
    'leaves deleted events out for two seconds, and then includes them',
    () => {
      let deletedAt = 0;
      return {
        repeatedEvents: 'include',
        after: (reply, { method }) => {
          const { events = [] } = (reply.body ?? {}) as { events?: unknown[] };
          if (method !== 'POST' || events.length === 0) return reply;
          const isFirst = deletedAt === 0;
          if (isFirst) deletedAt = Date.now();
          const isHidden = !isFirst && Date.now() - deletedAt < 2_000;
          return isHidden ? { ...reply, body: { events: [] } } : reply;
        },
      };
    },
    { 'repeat-event-delete': 'include' },
  ],
  ...[0, 1].flatMap((turn): Line[] => [
    [
      `lists rows of one date in another order in turn, ${turn === 0 ? 'first' : 'second'} by id`,
      { moves: sortedInTurn(turn, byDate, byDateThenIdDown) },
      { 'measurement-order': null },
    ],
    [
      `lists by id and by date in turn, by id ${turn === 0 ? 'first' : 'second'}`,
      { moves: sortedInTurn(turn, byId, byDate) },
      { 'measurement-order': null },
    ],
  ]),
  ...(['start', 'end'] as const).flatMap((place): Line[] => [
    [
      `loses a row at the ${place} before every request, and counts late`,
      () => countingLate(place, -1),
    ],
    [
      `gains a row at the ${place} before every request, and counts late`,
      () => countingLate(place, 1),
    ],
  ]),
  ...(['start', 'end'] as const).flatMap((place): Line[] => [
    [
      `is behind a cache, and loses a row at the ${place} before every request`,
      () => ({ ...countingLate(place, -1), total: PLAIN.total, ...cached() }),
    ],
    [
      `is behind a cache, and gains a row at the ${place} before every request`,
      () => ({ ...countingLate(place, 1), total: PLAIN.total, ...cached() }),
    ],
  ]),
  [
    'has one cursor for all pages of a listing',
    { measurements: 137, cursorAt: () => 'scroll-5eed', mostOnPage: 50 },
    { 'invalid-cursor': 'reject' },
  ],
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
  [
    'refuses a cursor with another limit than before',
    () => {
      const limits = new Map<unknown, string | null>();
      return {
        measurements: 137,
        mostOnPage: 50,
        before: ({ query }) => {
          const [cursor, limit] = [query.get('cursor'), query.get('limit')];
          const isOther = limits.has(cursor) && limits.get(cursor) !== limit;
          return isOther ? PLAIN.error(400) : undefined;
        },
        after: (reply, { query }) => {
          const { nextCursor } = (reply.body ?? {}) as { nextCursor?: unknown };
          if (nextCursor !== undefined) limits.set(nextCursor, query.get('limit'));
          return reply;
        },
      };
    },
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
    'lists deleted events by ref, the last first',
    { eventsBy: (one, other) => (one.ref > other.ref ? -1 : 1) },
    { 'deleted-events-order': null },
  ],
  [
    'lists deleted events by ref, the first first',
    { events: mixedEvents, eventsBy: (one, other) => (one.ref < other.ref ? -1 : 1) },
    { 'deleted-events-order': null },
  ],
  [
    'lists deleted events by ref, the last first, and by timestamp',
    {
      eventsBy: (one, other) =>
        other.ref.localeCompare(one.ref) || Date.parse(one.timestamp) - Date.parse(other.timestamp),
    },
    { 'deleted-events-order': null },
  ],
  [
    'lists deleted events by ref, and by timestamp',
    {
      events: mixedEvents,
      eventsBy: (one, other) =>
        one.ref.localeCompare(other.ref) || Date.parse(one.timestamp) - Date.parse(other.timestamp),
    },
    { 'deleted-events-order': null },
  ],
  ['lists deleted events as they came', { eventsBy: () => 0 }, { 'deleted-events-order': null }],
  [
    'lists deleted events by timestamp, the latest first',
    {
      events: mixedEvents,
      eventsBy: (one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp),
    },
    { 'deleted-events-order': null },
  ],
  [
    'has 20 on a page at most, over 40 rows, and ends with an empty page',
    {
      measurements: 40,
      limit: limiting((limit) => (limit < 1 || limit > 1000 ? 'refuse' : Math.min(limit, 20))),
      hasMore: (_, __, isFull) => isFull,
    },
    { 'last-page': 'trailing-empty-page' },
  ],
  [
    'has 20 on a page at most, over 37 rows, and ends with an empty page',
    {
      limit: limiting((limit) => (limit < 1 || limit > 1000 ? 'refuse' : Math.min(limit, 20))),
      hasMore: (_, __, isFull) => isFull,
    },
    { 'last-page': 'trailing-empty-page' },
  ],
  [
    'has 20 on a page at most, over 40 rows, and ends exactly',
    { measurements: 40, mostOnPage: 20 },
  ],
  [
    'says that nothing follows a page that it has cut to 20',
    { measurements: 40, mostOnPage: 20, hasMore: (_, __, isFull) => isFull },
    { 'last-page': 'trailing-empty-page' },
  ],
  [
    'counts one less behind a cursor',
    { total: (all, before) => (before === 0 ? all : all - 1) },
    { 'total-counts': null },
  ],
  [
    'counts two less behind a cursor',
    { total: (all, before) => (before === 0 ? all : all - 2) },
    { 'total-counts': null },
  ],
  [
    'counts one more than it has shown if more follows',
    { total: (all, before, here) => Math.min(all, before + here + 1) },
    { 'total-counts': null },
  ],
  [
    'counts 20 at most',
    { total: (all) => Math.min(all, 20), mostOnPage: 20 },
    { 'total-counts': null },
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
    'has an empty cursor at the end of a listing of several pages alone',
    {
      after: (reply, { query }) => {
        const body = (reply.body ?? {}) as { hasMore?: unknown };
        const isEnd = body.hasMore === false && query.has('cursor');
        return isEnd ? { ...reply, body: { ...body, nextCursor: '' } } : reply;
      },
    },
    { 'final-cursor': null },
  ],
  [
    'refuses a cursor behind 1000 rows',
    {
      measurements: 2300,
      after: (reply, { query }) => (query.get('cursor') === 'c-1000' ? PLAIN.error(400) : reply),
    },
    { 'cursor-lifetime': null },
  ],
  [
    'lists deleted events as they came, all of one timestamp',
    {
      events: () =>
        eventsAtFirst().map((event) => ({ ...event, timestamp: '2025-03-01T00:00:00.000Z' })),
      eventsBy: () => 0,
    },
    { 'deleted-events-order': null },
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
  ['has 20 on a page at most, over 2300 rows', { measurements: 2300, mostOnPage: 20 }],
  [
    'takes two refs at most',
    {
      before: (asked, body) =>
        isEvents(asked) && refsIn(body).length > 2 ? PLAIN.error(400) : undefined,
    },
  ],
  [
    'deletes two events at most',
    {
      after: (reply, asked) => {
        const { events } = (reply.body ?? {}) as { events?: unknown[] };
        return isEvents(asked) && events
          ? { ...reply, body: { events: events.slice(0, 2) } }
          : reply;
      },
    },
    { 'deleted-events-order': null },
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
const tooMany = (policy: string): Reply => ({
  ...json(429, { message: 'Too many' }),
  headers: { 'retry-after': '0', ...headersOf(policy) },
});

const ENVELOPE: readonly Line[] = [
  [
    'answers refs of no event with 200 and an error',
    {
      unmatchedRefs: 'not-found',
      notFound: (_, kind) => (kind === 'ref' ? refused() : PLAIN.error(404)),
    },
    { 'unmatched-refs': null },
  ],
  [
    'deletes with 202, and answers refs of no event with 200 and an error',
    {
      deleteStatus: 202,
      eventsStatus: 202,
      unmatchedRefs: 'not-found',
      notFound: (_, kind) => (kind === 'ref' ? refused() : PLAIN.error(404)),
    },
    { 'unmatched-refs': null, 'success-status': 202 },
  ],
  [
    'answers an unknown member with 200 and an error',
    {
      before: (asked, body) => (hasUnknownMember(asked, body) ? refused() : undefined),
    },
    { 'unknown-body-members': null },
  ],
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
    'answers a repeated delete with 200 and an error',
    { repeatedDelete: () => refused() },
    { 'repeat-delete': null },
  ],
  [
    'deletes with 202, and answers a repeated delete with 200 and an error',
    { deleteStatus: 202, eventsStatus: 202, repeatedDelete: () => refused() },
    { 'repeat-delete': null, 'success-status': 202 },
  ],
  [
    'answers what it does not find with 200 and an error',
    { notFound: () => refused() },
    { 'unknown-identifier-status': null, 'repeat-delete': null },
  ],
  [
    'answers what it does not find with 200 and null',
    { notFound: (_, kind) => json(200, { [kind === 'contract' ? 'contract' : 'customer']: null }) },
    { 'unknown-identifier-status': null, 'repeat-delete': null },
  ],
  [
    'answers a made-up token with 200 and an error',
    { madeUpToken: refused() },
    { 'unknown-token': null },
  ],
  [
    'answers without a token with 200 and an error',
    { unauthorized: refused() },
    { 'unauthorized-status': null },
  ],
  [
    'answers an unknown parameter with 200 and an error',
    {
      before: ({ query }) =>
        [...query.keys()].some((name) => name !== 'limit' && name !== 'cursor')
          ? refused()
          : undefined,
    },
    { 'unknown-query-parameters': null },
  ],
  [
    'folds accents, behind a gateway without routes to them',
    {
      customers: plainCustomers,
      error: problem,
      findsByName: (asked, { name }) => withoutAccents(asked) === name,
      // Percent-encoded characters beyond ASCII begin with such a byte.
      before: ({ path }) => (/%[C-F]/.test(path) ? noRoute : undefined),
    },
    { 'name-matches': null, 'error-body': 'problem-json' },
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
    'is behind a gateway without a route to names',
    { error: problem, before: ({ path }) => (path.includes('/name/') ? noRoute : undefined) },
    { 'name-matches': null, 'error-body': 'problem-json' },
  ],
  [
    'is behind a gateway without a route to aliases',
    {
      error: problem,
      findsByName: (asked, { name, aliases }) => asked === name || aliases.includes(asked),
      before: ({ path }) => (path.includes('alias-') ? noRoute : undefined),
    },
    { 'name-matches': null, 'error-body': 'problem-json' },
  ],
  [
    'is behind a gateway that loses every seventh response',
    losing(7, json(502, { message: 'An invalid response was received from the upstream server' })),
  ],
  [
    'is behind a gateway that loses every eleventh response as a page of 404',
    losing(11, { status: 404, text: '<h1>404</h1>', headers: { 'content-type': 'text/html' } }),
  ],
  [
    'limits the pace of other tokens alone',
    { madeUpToken: tooMany('"other";q=5;w=60') },
    { 'unknown-token': null },
  ],
  ['limits the pace without a token alone', { unauthorized: tooMany('"none";q=5;w=60') }],
  [
    'states another limit of its pace for refused tokens',
    {
      headers: headersOf('"own";q=5000;w=60'),
      madeUpToken: { ...PLAIN.error(401), headers: headersOf('"other";q=5;w=60') },
      unauthorized: { ...PLAIN.error(401), headers: headersOf('"other";q=5;w=60') },
    },
    { 'rate-limit': '5000/60s' },
  ],
  [
    'states the limit of its pace for refused tokens alone',
    {
      madeUpToken: { ...PLAIN.error(401), headers: headersOf('"other";q=5;w=60') },
      unauthorized: { ...PLAIN.error(401), headers: headersOf('"other";q=5;w=60') },
    },
  ],
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
    'is behind a gateway with routes to ids of the length of its own alone',
    {
      error: problem,
      notFoundStatus: 400,
      before: ({ path }) =>
        /^\/customers\/(?!name\/|SF-|cus_.{7}$)/.test(path) ? noRoute : undefined,
    },
    { 'unknown-identifier-status': 400, 'error-body': 'problem-json' },
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
  [
    'is behind a gateway that loses every seventh response, and states a limit of its own',
    losing(7, { ...json(502, { message: 'No' }), headers: headersOf('"gateway";q=10;w=1') }),
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

const hidingDeletion: Rules['shows'] = ({ deletedAt: _, ...record }) => ({
  ...record,
  updatedAt: record.createdAt,
});

/** Forms of an instant that do not show when something was done. */
const COARSE: Readonly<Record<string, (instant: string) => unknown>> = {
  'the day alone': (instant) => `${instant.slice(0, 10)}T00:00:00.000Z`,
  'the hour alone': (instant) => `${instant.slice(0, 13)}:00:00.000Z`,
  'the minute alone': (instant) => `${instant.slice(0, 16)}:00.000Z`,
  'a date': (instant) => instant.slice(0, 10),
  'words for instants': () => 'today',
};

const deletedAs =
  (show: (instant: string) => unknown): Rules['shows'] =>
  ({ deletedAt, ...record }) =>
    deletedAt === undefined ? record : { ...record, deletedAt: show(String(deletedAt)) };

const DIFFERENCE: readonly Line[] = [
  [
    'has the day alone in updatedAt',
    { shows: updatedAs((text) => `${text.slice(0, 10)}T00:00:00.000Z`) },
    { 'updated-at-on-delete': null },
  ],
  [
    'has local time in updatedAt, five hours earlier',
    { shows: updatedAs((text) => earlier(text, 300 * MINUTE_MS)) },
    { 'updated-at-on-delete': null },
  ],
  [
    'has a clock for updatedAt that is two minutes late',
    { shows: updatedAs((text) => earlier(text, 2 * MINUTE_MS)) },
    { 'updated-at-on-delete': null },
  ],
  [
    'has the present in updatedAt, whenever it is shown',
    { shows: updatedAs((_, { deletedAt }) => deletedAt ?? new Date().toISOString()) },
  ],
  [
    'has createdAt in updatedAt',
    { shows: updatedAs((_, { createdAt }) => createdAt) },
    { 'updated-at-on-delete': 'unchanged' },
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
    'lists nothing for a token that it does not know, nor for the right one',
    { measurements: 0, madeUpToken: 'same' },
    { 'unknown-token': null },
  ],
  [
    'answers a repeated delete with 400, and an unknown id with 404',
    { repeatedDelete: () => json(400, { message: 'Is deleted' }) },
    { 'repeat-delete': null },
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
    'deletes nothing if a body has an unknown member',
    {
      before: (asked, body) =>
        hasUnknownMember(asked, body) ? json(200, { events: [] }) : undefined,
    },
    { 'unknown-body-members': null },
  ],
  [
    'deletes a contract anew each time, and shows no instant of it',
    {
      shows: hidingDeletion,
      repeatedDelete: (contract) =>
        json(200, { contract: hidingDeletion(contract, 'contract', 0) }),
    },
    { 'repeat-delete': null },
  ],
  ...Object.entries(COARSE).flatMap(([part, show]): Line[] => [
    [
      `deletes a contract anew each time, and shows ${part}`,
      {
        shows: deletedAs(show),
        repeatedDelete: (contract) => {
          const anew = { ...contract, deletedAt: new Date().toISOString() };
          return json(200, { contract: deletedAs(show)(anew, 'contract', 0) });
        },
      },
      { 'repeat-delete': null, 'updated-at-on-delete': null },
    ],
    [
      `deletes events anew each time, and shows ${part}`,
      {
        repeatedEvents: 'include',
        shows: (record, kind, index) => {
          const anew = { ...record, deletedAt: new Date().toISOString() };
          return deletedAs(show)(kind === 'event' ? anew : record, kind, index);
        },
      },
      { 'repeat-event-delete': null, 'updated-at-on-delete': null },
    ],
    [
      `has ${part} in createdAt and updatedAt, of records of just now`,
      {
        shows: (record) => {
          const now = show(new Date().toISOString());
          return { ...record, createdAt: now, updatedAt: now };
        },
      },
      { 'updated-at-on-delete': null },
    ],
  ]),
  [
    'deletes events anew each time, and shows no instant of it',
    {
      repeatedEvents: 'include-anew',
      shows: (record, kind) => (kind === 'event' ? { ...record, deletedAt: undefined } : record),
    },
    { 'repeat-event-delete': null },
  ],
  [
    'answers a repeated delete with 422, and an unknown id too',
    { notFoundStatus: 422, repeatedDelete: () => json(422, { message: 'Is deleted' }) },
    { 'repeat-delete': null, 'unknown-identifier-status': null },
  ],
  [
    'shows measurements that were deleted, and changed since',
    {
      shows: (record, kind) =>
        kind === 'measurement'
          ? { ...record, deletedAt: '2026-02-01T00:00:00Z', updatedAt: '2026-03-01T00:00:00Z' }
          : record,
    },
    { 'undocumented-fields': 'extra' },
  ],
];

const LIMIT: readonly Line[] = [
  ...[15, 37, 1500].map(
    (measurements): Line => [
      `raises a limit of 0 to 1, and takes more than 100 as 10, over ${measurements} rows`,
      { measurements, limit: limiting((limit) => (limit > 100 ? 10 : Math.max(1, limit))) },
      { 'limit-out-of-bounds': null },
    ],
  ),
  [
    'takes more than 1000 as 10, has 100 at most otherwise, and raises 0 to 1',
    {
      measurements: 1500,
      limit: limiting((limit) => (limit > 1000 ? 10 : Math.min(100, Math.max(1, limit)))),
    },
    { 'limit-out-of-bounds': null },
  ],
  [
    'takes a limit of 0 as 10, and has 1000 at most',
    { measurements: 1500, limit: limiting((limit) => (limit < 1 ? 10 : Math.min(limit, 1000))) },
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
    'refuses limits above 100 and below 1',
    {
      measurements: 1500,
      limit: limiting((limit) => (limit > 100 || limit < 1 ? 'refuse' : limit)),
    },
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
    'has no upper bound of limits, over 50 rows, and raises 0 to 1',
    { measurements: 50, limit: limiting((limit) => Math.max(limit, 1)) },
    { 'limit-out-of-bounds': null },
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
    'has 5 on a page at least, and rounds a limit down',
    {
      limit: (text) => {
        const limit = Math.floor(Number(text));
        return limit >= 1 && limit <= 1000 ? Math.max(5, limit) : 'refuse';
      },
    },
    { 'fractional-limit': 'round-down' },
  ],
  [
    'has 5 on a page at least, and raises 0 to that',
    { measurements: 1500, limit: limiting((limit) => Math.min(Math.max(5, limit), 1000)) },
    { 'limit-out-of-bounds': null },
  ],
  [
    'has 2 on a page at most, and rounds half a limit up',
    { mostOnPage: 2, limit: rounding(Math.round) },
    { 'fractional-limit': null },
  ],
  [
    'has 1 on a page at most, and takes limits out of bounds as 10',
    { mostOnPage: 1, limit: limiting((limit) => (limit < 1 || limit > 1000 ? 10 : limit)) },
    { 'limit-out-of-bounds': null },
  ],
  [
    'has 5 on a page at most, and takes empty parameters as absent',
    { mostOnPage: 5, emptyLimit: 10, emptyCursor: 'first' },
    { 'empty-parameter': 'absent' },
  ],
  [
    'has 5 on a page at most, and takes an empty limit as 1000',
    { mostOnPage: 5, emptyLimit: 1000, emptyCursor: 'first' },
    { 'empty-parameter': null },
  ],
  ...(
    [
      ['below 10', (limit) => limit < 10],
      ['that are no multiple of 10', (limit) => limit % 10 !== 0],
    ] as readonly (readonly [string, (limit: number) => boolean])[]
  ).flatMap(([which, isRefused]): Line[] => [
    [
      `refuses limits ${which}, rounds others down, and takes unknown cursors as none`,
      {
        measurements: 137,
        unknownCursor: 'first',
        limit: (text) => {
          const limit = Math.floor(Number(text));
          return limit >= 1 && limit <= 1000 && !isRefused(limit) ? limit : 'refuse';
        },
      },
      { 'fractional-limit': 'round-down', 'invalid-cursor': 'first-page' },
    ],
    [
      `refuses limits ${which}, and refuses unknown parameters`,
      {
        measurements: 137,
        unknownParameter: 'refuse',
        limit: limiting((limit) =>
          limit < 1 || limit > 1000 || isRefused(limit) ? 'refuse' : limit,
        ),
      },
      { 'unknown-query-parameters': 'reject' },
    ],
  ]),
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
  [
    'locks out with 401 whoever sends an unknown token',
    () => lockingOut(401, isMadeUp),
    {},
    endsBecauseOf(/made-up token/),
  ],
  [
    'locks out with 403 whoever sends no token',
    () => lockingOut(403, ({ token }) => token === undefined),
    {},
    endsBecauseOf(/without a token/),
  ],
  ['refuses the token', { before: () => PLAIN.error(401) }, {}, endsBecauseOf(/the token/)],
  ['is busy for three requests, and says for how long', () => busyAt(5, 7, () => '1'), {}, endsNot],
  [
    'is busy for the first three requests, and says for how long',
    () => busyAt(1, 3, () => '1'),
    {},
    endsNot,
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
    'has names of customers in their sources, behind letters that are longer in lower case',
    {
      customers: quartz,
      shows: (record, kind) =>
        kind === 'customer' ? { ...record, source: `${'İ'.repeat(15)}${record.name}` } : record,
    },
    { 'enum-values': null },
  ],
  [
    'has names of customers as their sources',
    {
      customers: quartz,
      shows: (record, kind) => (kind === 'customer' ? { ...record, source: record.name } : record),
    },
    { 'enum-values': null },
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
    'forbids customers alone',
    { before: (asked) => (isLookup(asked) ? PLAIN.error(403) : undefined) },
    {},
    ({ brokenOff }) => expect(brokenOff).toBeUndefined(),
  ],
  [
    'is busy for ever, and says that it is not',
    () => busyAt(8, 1_000, () => '0'),
    {},
    endsBecauseOf(/503/),
  ],
  [
    'forbids the repeated delete of a contract',
    { repeatedDelete: () => PLAIN.error(403) },
    { 'repeat-delete': null },
    endsNot,
  ],
  [
    'forbids one of its customers',
    { before: ({ path }) => (path.includes('cus_7Kq2mZ2') ? PLAIN.error(403) : undefined) },
    {},
    endsNot,
  ],
  [
    'is behind a wall that forbids names with an underscore or a full stop',
    {
      before: ({ path }) =>
        /name\/.*(_|\.)/.test(path)
          ? { ...PLAIN.error(403), text: '<h1>Forbidden</h1>' }
          : undefined,
    },
    {},
    ({ brokenOff }) => expect(brokenOff).toBeUndefined(),
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
