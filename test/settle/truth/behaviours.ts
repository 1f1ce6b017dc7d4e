import type { DecisionId } from '../../../src/index.js';
import { CUSTOMERS } from '../../support/billing-records.js';
import {
  isRecentlyDeleted,
  PLAIN,
  type Reply,
  type Row,
  type Rules,
} from '../../support/billing-service.js';

/** The right value of a decision; `null` if no value describes what the service does. */
export type Truth = Readonly<Partial<Record<DecisionId, string | number | null>>>;

/** One way in which a service may behave. */
export interface Behaviour {
  readonly name: string;
  readonly rules: Partial<Rules>;
  /** The values that differ from those of the plain service. */
  readonly truth: Truth;
}

/** The right values for the plain service; a decision that settle does not ask about needs none. */
export const PLAIN_TRUTH: Truth = {
  'success-status': 200,
  'customer-id-matches': 'id-or-external-id',
  'name-matches': 'exact',
  'duplicate-name': 'oldest',
  'repeat-delete': 'not-found',
  'unmatched-refs': 'ignore',
  'repeat-event-delete': 'omit',
  'deleted-events-order': 'refs',
  'unknown-body-members': 'ignore',
  'updated-at-on-delete': 'deletion-time',
  'measurement-order': 'newest-first',
  'total-counts': 'all',
  'last-page': 'exact',
  'final-cursor': 'absent',
  'cursor-lifetime': 'unlimited',
  'invalid-cursor': 'reject',
  'empty-parameter': 'reject',
  'fractional-limit': 'reject',
  'limit-out-of-bounds': 'reject',
  'unknown-query-parameters': 'ignore',
  'error-body': 'message',
  'invalid-request-status': 400,
  'unknown-identifier-status': 404,
  'unauthorized-status': 401,
  'unknown-token': 'reject',
  'optional-fields': 'present',
  'undocumented-fields': 'none',
};

type Line = readonly [name: string, rules: Partial<Rules>, truth?: Truth];

const json = (status: number, body: unknown): Reply => ({ status, body });
const html = (status: number): Reply => ({
  status,
  text: '<!doctype html><h1>Page</h1>',
  headers: { 'content-type': 'text/html' },
});

/** Clamps limits to these bounds. */
const clampTo =
  (least: number, most: number): Rules['limit'] =>
  (text) => {
    const limit = Number(text);
    if (!Number.isInteger(limit)) return 'refuse';
    return Math.min(Math.max(limit, least), most);
  };

/** Leaves out, or replaces with null, some members of some records of a kind. */
const lacking =
  (
    kind: string,
    member: string,
    isLacking: (index: number) => boolean,
    instead?: null,
  ): Rules['shows'] =>
  (record, of, index) => {
    if (of !== kind || !isLacking(index)) return record;
    const { [member]: _, ...rest } = record;
    return instead === null ? { ...rest, [member]: null } : rest;
  };

const odd = (index: number) => index % 2 === 1;
const always = () => true;

const reversedAtFirst: Rules['moves'] = (rows, requests) => {
  if (requests === 1) rows.reverse();
};

const LISTINGS: readonly Line[] = [
  ['the plain service', {}],
  [
    'lists by usageDate, the earliest first',
    { sort: 'oldest' },
    { 'measurement-order': 'usage-date' },
  ],
  ['lists by createdAt', { sort: 'created' }, { 'measurement-order': 'created-at' }],
  ['lists by id', { sort: 'id' }, { 'measurement-order': 'id' }],
  ['lists in no order', { sort: 'none' }, { 'measurement-order': null }],
  ['counts what is on the page', { total: (_, __, here) => here }, { 'total-counts': 'page' }],
  [
    'counts what remains',
    { total: (all, before) => all - before },
    { 'total-counts': 'remaining' },
  ],
  ['counts five too many', { total: (all) => all + 5 }, { 'total-counts': null }],
  ['counts in text', { total: (all) => String(all) }, { 'total-counts': null }],
  [
    'counts what comes after the page',
    { total: (all, before, here) => all - before - here },
    { 'total-counts': null },
  ],
  [
    'ends with an empty page',
    { hasMore: (_, __, isFull) => isFull },
    { 'last-page': 'trailing-empty-page' },
  ],
  [
    'says of every page with rows that more follows',
    { hasMore: (all, end) => end < all + 1 && end > 0 },
    { 'last-page': null, 'final-cursor': null, 'total-counts': 'all' },
  ],
  ['has an empty nextCursor at the end', { finalCursor: '' }, { 'final-cursor': 'empty-string' }],
  ['has nextCursor null at the end', { finalCursor: null }, { 'final-cursor': null }],
  ['has a cursor at the end', { finalCursor: 'c-99999' }, { 'final-cursor': null }],
  ['has at most 20 on a page', { mostOnPage: 20 }],
  ...[2, 3, 4].map(
    (measurements): Line => [
      `lists ${measurements} measurements in no order`,
      { measurements, sort: 'none', moves: reversedAtFirst },
      { 'measurement-order': null },
    ],
  ),
  [
    'has 20 on a page without a limit',
    { defaultLimit: 20, emptyLimit: 20, emptyCursor: 'first' },
    { 'empty-parameter': 'absent' },
  ],
  [
    'has 10 on every page, whatever the limit',
    { limit: () => 10 },
    { 'fractional-limit': null, 'limit-out-of-bounds': null, 'invalid-request-status': null },
  ],
  ['has no measurements', { measurements: 0 }],
  ['has one measurement', { measurements: 1 }],
  ['has two measurements', { measurements: 2 }],
  ['has ten measurements', { measurements: 10 }],
  ['has eleven measurements', { measurements: 11 }],
  ['has 137 measurements', { measurements: 137 }],
  ['has 1000 measurements', { measurements: 1000 }],
  ['has 1001 measurements', { measurements: 1001 }],
  ['has 2300 measurements', { measurements: 2300 }],
];

const REQUESTS: readonly Line[] = [
  [
    'takes an unknown cursor as none',
    { unknownCursor: 'first' },
    { 'invalid-cursor': 'first-page' },
  ],
  ['answers an unknown cursor with the end', { unknownCursor: 'last' }, { 'invalid-cursor': null }],
  [
    'answers an unknown cursor with 404',
    { unknownCursor: json(404, { message: 'No' }) },
    { 'invalid-cursor': null },
  ],
  [
    'answers an unknown cursor with 410',
    { unknownCursor: json(410, { message: 'No' }) },
    { 'invalid-cursor': null },
  ],
  [
    'answers an unknown cursor with 422',
    { unknownCursor: json(422, { message: 'No' }) },
    { 'invalid-request-status': null },
  ],
  [
    'answers an unknown cursor with 500',
    { unknownCursor: json(500, { message: 'No' }) },
    { 'invalid-cursor': null },
  ],
  [
    'answers an unknown cursor with a page of HTML',
    { unknownCursor: html(200) },
    { 'invalid-cursor': null },
  ],
  [
    'takes empty parameters as absent',
    { emptyLimit: 10, emptyCursor: 'first' },
    { 'empty-parameter': 'absent' },
  ],
  ['takes limit= as absent and refuses cursor=', { emptyLimit: 10 }, { 'empty-parameter': null }],
  [
    'takes cursor= as absent and refuses limit=',
    { emptyCursor: 'first' },
    { 'empty-parameter': null },
  ],
  ['takes limit= as 1', { emptyLimit: 1, emptyCursor: 'first' }, { 'empty-parameter': null }],
  [
    'answers cursor= with the end',
    { emptyLimit: 10, emptyCursor: 'last' },
    { 'empty-parameter': null },
  ],
  [
    'rounds a limit down',
    { limit: (text) => PLAIN.limit(text.replace(/(?<=\d)\..*/, '')) },
    { 'fractional-limit': 'round-down' },
  ],
  [
    'rounds a limit up',
    { limit: (text) => PLAIN.limit(String(Math.ceil(Number(text)))) },
    { 'fractional-limit': null },
  ],
  [
    'takes any limit as 10',
    { limit: (text) => (PLAIN.limit(text) === 'refuse' ? 10 : PLAIN.limit(text)) },
    { 'fractional-limit': null, 'limit-out-of-bounds': null, 'invalid-request-status': null },
  ],
  ['clamps limits, over 37 rows', { limit: clampTo(1, 1000) }, { 'limit-out-of-bounds': 'clamp' }],
  [
    'clamps limits, over 1500 rows',
    { measurements: 1500, limit: clampTo(1, 1000) },
    { 'limit-out-of-bounds': 'clamp' },
  ],
  [
    'clamps limits, at most 200 on a page',
    { measurements: 1500, mostOnPage: 200, limit: clampTo(1, 1000) },
    { 'limit-out-of-bounds': 'clamp' },
  ],
  [
    'raises a limit of 0 to 1, over 137 rows, and has no upper bound',
    { measurements: 137, limit: clampTo(1, Number.POSITIVE_INFINITY) },
    { 'limit-out-of-bounds': null },
  ],
  [
    'has no upper bound of limits, over 1500 rows',
    { measurements: 1500, limit: clampTo(1, Number.POSITIVE_INFINITY) },
    { 'limit-out-of-bounds': null },
  ],
  [
    'refuses a limit of 0, and has no upper bound, over 137 rows',
    {
      measurements: 137,
      limit: (text) => (Number(text) > 1000 ? Number(text) : PLAIN.limit(text)),
    },
    { 'limit-out-of-bounds': null },
  ],
  [
    'refuses a limit of 0 and clamps 1001',
    { measurements: 1500, limit: (text) => (Number(text) > 1000 ? 1000 : PLAIN.limit(text)) },
    { 'limit-out-of-bounds': null },
  ],
  [
    'returns nothing for a limit of 0',
    { limit: (text) => (text === '0' ? 0 : PLAIN.limit(text)) },
    { 'limit-out-of-bounds': null },
  ],
  [
    'refuses unknown parameters',
    { unknownParameter: 'refuse' },
    { 'unknown-query-parameters': 'reject' },
  ],
  [
    'filters by unknown parameters',
    { unknownParameter: 'filters' },
    { 'unknown-query-parameters': null },
  ],
  ['refuses with 422', { invalidStatus: 422 }, { 'invalid-request-status': 422 }],
  [
    'refuses with 409',
    { invalidStatus: 409 },
    { 'invalid-request-status': null, 'unknown-body-members': 'ignore' },
  ],
  [
    'refuses with 500',
    { invalidStatus: 500 },
    {
      'invalid-request-status': null,
      'invalid-cursor': null,
      'empty-parameter': null,
      'fractional-limit': null,
      'limit-out-of-bounds': null,
    },
  ],
];

/** The decisions that only a refusal shows. */
const REFUSALS: readonly DecisionId[] = [
  'invalid-cursor',
  'empty-parameter',
  'fractional-limit',
  'limit-out-of-bounds',
  'invalid-request-status',
  'unknown-identifier-status',
  'unauthorized-status',
  'unknown-token',
];

const ERRORS: readonly Line[] = [
  [
    'has problems as errors',
    {
      error: (status) => ({
        ...json(status, { title: 'No', status }),
        headers: { 'content-type': 'application/problem+json' },
      }),
    },
    { 'error-body': 'problem-json' },
  ],
  [
    'has objects as errors',
    { error: (status) => json(status, { error: { code: 'E', message: 'No' } }) },
    { 'error-body': 'error-object' },
  ],
  ['has errors without a body', { error: (status) => ({ status }) }, { 'error-body': 'empty' }],
  [
    'has 200 for errors',
    { error: (status) => json(200, { error: { code: status, message: 'No' } }) },
    {
      ...Object.fromEntries(REFUSALS.map((id) => [id, null])),
      'error-body': null,
      'repeat-delete': null,
    },
  ],
  ['has errors in HTML', { error: html }, { 'error-body': null }],
  ['has texts as errors', { error: (status) => json(status, 'No') }, { 'error-body': null }],
  [
    'has HTML for what it does not find, and JSON otherwise',
    { error: (status) => (status === 404 ? html(404) : PLAIN.error(status)) },
    { 'error-body': null },
  ],
  [
    'answers 400 for what it does not find',
    { notFoundStatus: 400 },
    { 'unknown-identifier-status': 400 },
  ],
  [
    'answers 410 for what it does not find',
    { notFoundStatus: 410 },
    { 'unknown-identifier-status': null, 'repeat-delete': 'gone' },
  ],
  [
    'answers 422 for what it does not find',
    { notFoundStatus: 422 },
    { 'unknown-identifier-status': null },
  ],
  ['forbids without a token', { unauthorizedStatus: 403 }, { 'unauthorized-status': 403 }],
  [
    'answers 404 without a token',
    { unauthorizedStatus: 404 },
    { 'unauthorized-status': null, 'unknown-token': null },
  ],
  [
    'needs no token',
    { unauthorized: 'accept', madeUpToken: 'same' },
    { 'unauthorized-status': null, 'unknown-token': 'open-account' },
  ],
  [
    'opens an empty account for any token',
    { madeUpToken: 'empty' },
    { 'unknown-token': 'open-account' },
  ],
  [
    'takes any token for the same account',
    { madeUpToken: 'same' },
    { 'unknown-token': 'open-account' },
  ],
  [
    'answers a made-up token with a page of HTML',
    { madeUpToken: html(200) },
    { 'unknown-token': null },
  ],
  [
    'answers every refused token with a page of HTML',
    { madeUpToken: html(200), unauthorized: html(200) },
    { 'unknown-token': null, 'unauthorized-status': null },
  ],
  [
    'answers a made-up token with JSON of no listing',
    { madeUpToken: json(200, { login: '/login' }) },
    { 'unknown-token': null },
  ],
];

const fold = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

const CUSTOMER_LOOKUPS: readonly Line[] = [
  [
    'finds customers by id alone',
    { findsById: (asked, { id }) => asked === id },
    { 'customer-id-matches': 'id' },
  ],
  [
    'finds customers by externalId alone',
    { findsById: (asked, { externalId }) => asked === externalId },
    { 'customer-id-matches': 'external-id' },
  ],
  [
    'finds names in any case',
    { findsByName: (asked, { name }) => asked.toLowerCase() === name.toLowerCase() },
    { 'name-matches': 'case-insensitive' },
  ],
  [
    'finds names and aliases',
    { findsByName: (asked, { name, aliases }) => asked === name || aliases.includes(asked) },
    { 'name-matches': 'name-or-alias' },
  ],
  [
    'finds names and aliases in any case',
    {
      findsByName: (asked, { name, aliases }) =>
        [name, ...aliases].some((one) => one.toLowerCase() === asked.toLowerCase()),
    },
    { 'name-matches': null },
  ],
  [
    'trims names',
    { findsByName: (asked, { name }) => asked.trim() === name },
    { 'name-matches': null },
  ],
  [
    'finds names by their beginning',
    { findsByName: (asked, { name }) => name.startsWith(asked) },
    { 'name-matches': null },
  ],
  [
    'finds names by a part',
    { findsByName: (asked, { name }) => name.includes(asked) },
    { 'name-matches': null },
  ],
  [
    'finds names by their end',
    { findsByName: (asked, { name }) => name.endsWith(asked) },
    { 'name-matches': null },
  ],
  [
    'finds names by what begins with them',
    { findsByName: (asked, { name }) => asked.startsWith(name) },
    { 'name-matches': null },
  ],
  [
    'folds accents in names',
    { findsByName: (asked, { name }) => fold(asked) === fold(name) },
    { 'name-matches': null },
  ],
  [
    'normalises names',
    { findsByName: (asked, { name }) => asked.normalize('NFC') === name.normalize('NFC') },
    { 'name-matches': null },
  ],
  [
    'normalises names by compatibility',
    { findsByName: (asked, { name }) => asked.normalize('NFKC') === name.normalize('NFKC') },
    { 'name-matches': null },
  ],
  [
    'collapses spaces in names',
    { findsByName: (asked, { name }) => asked.replaceAll(/\s+/g, ' ') === name },
    { 'name-matches': null },
  ],
  [
    'trims names and ignores their case',
    { findsByName: (asked, { name }) => asked.trim().toLowerCase() === name.toLowerCase() },
    { 'name-matches': null },
  ],
  [
    'trims names, and finds aliases',
    { findsByName: (asked, { name, aliases }) => asked.trim() === name || aliases.includes(asked) },
    { 'name-matches': null },
  ],
  [
    'trims names, and shows no aliases',
    {
      findsByName: (asked, { name }) => asked.trim() === name,
      shows: lacking('customer', 'aliases', always),
    },
    { 'name-matches': null },
  ],
  [
    'takes an underscore in a name for any letter',
    {
      findsByName: (asked, { name }) =>
        asked.length === name.length &&
        [...asked].every((one, at) => one === '_' || one === name[at]),
    },
    { 'name-matches': null },
  ],
  [
    'passes over full stops in names',
    { findsByName: (asked, { name }) => asked.replaceAll('.', '') === name },
    { 'name-matches': null },
  ],
  [
    'shows no customer to this token',
    { findsById: () => false, findsByName: () => false },
    { 'customer-id-matches': null, 'name-matches': null },
  ],
  ['finds no names', { findsByName: () => false }, { 'name-matches': null }],
  ['has one customer', { customers: CUSTOMERS.slice(0, 1) }],
  [
    'has customers without externalId',
    {
      shows: lacking('customer', 'externalId', always),
      findsById: (asked, { id }) => asked === id,
    },
    { 'customer-id-matches': null },
  ],
  [
    'has names in plain letters',
    { customers: CUSTOMERS.map((one) => ({ ...one, name: `Plain ${one.id.slice(-1)}` })) },
  ],
];

const DELETIONS: readonly Line[] = [
  [
    'answers a repeated delete with 410',
    { repeatedDelete: () => json(410, { message: 'Gone' }) },
    { 'repeat-delete': 'gone' },
  ],
  [
    'answers a repeated delete with 409',
    { repeatedDelete: () => json(409, { message: 'Again' }) },
    { 'repeat-delete': 'conflict' },
  ],
  [
    'answers a repeated delete with the contract',
    { repeatedDelete: (contract) => json(200, { contract }) },
    { 'repeat-delete': 'same-result' },
  ],
  [
    'answers a repeated delete with another deletedAt',
    {
      repeatedDelete: (contract, repeated) =>
        json(200, { contract: { ...contract, deletedAt: `2030-01-0${repeated}T00:00:00Z` } }),
    },
    { 'repeat-delete': null, 'updated-at-on-delete': null },
  ],
  [
    'finds a deleted contract once more',
    {
      repeatedDelete: (contract, repeated) =>
        repeated === 1 ? json(200, { contract }) : 'not-found',
    },
  ],
  [
    'finds a deleted contract for two seconds',
    {
      repeatedDelete: (contract) =>
        isRecentlyDeleted(contract) ? json(200, { contract }) : 'not-found',
    },
  ],
  ['includes deleted events for two seconds', { repeatedEvents: 'include-for-two-seconds' }],
  [
    'finds a deleted contract once more, and is then 410',
    {
      repeatedDelete: (contract, repeated) =>
        repeated === 1 ? json(200, { contract }) : json(410, { message: 'Gone' }),
    },
    { 'repeat-delete': 'gone' },
  ],
  [
    'answers a repeated delete with 204',
    { repeatedDelete: () => ({ status: 204 }) },
    { 'repeat-delete': null, 'success-status': null },
  ],
  [
    'answers a repeated delete with 500',
    { repeatedDelete: () => json(500, {}) },
    { 'repeat-delete': null },
  ],
  ['deletes with 202', { deleteStatus: 202, eventsStatus: 202 }, { 'success-status': 202 }],
  ['deletes events with 201', { eventsStatus: 201 }, { 'success-status': 201 }],
  ['deletes contracts with 204', { deleteStatus: 204 }, { 'success-status': null }],
  [
    'refuses refs of no event',
    { unmatchedRefs: 'not-found' },
    { 'unmatched-refs': 'not-found', 'repeat-event-delete': 'omit' },
  ],
  [
    'refuses refs of no event, but deletes the others',
    { unmatchedRefs: 'not-found-after-deleting' },
    { 'unmatched-refs': null },
  ],
  [
    'includes events that were deleted before',
    { repeatedEvents: 'include' },
    { 'repeat-event-delete': 'include' },
  ],
  [
    'includes them with another deletedAt',
    { repeatedEvents: 'include-anew' },
    { 'repeat-event-delete': null, 'updated-at-on-delete': null },
  ],
  [
    'lists deleted events by timestamp',
    { eventsBy: 'timestamp' },
    { 'deleted-events-order': 'timestamp' },
  ],
  ['lists deleted events by id', { eventsBy: 'id' }, { 'deleted-events-order': null }],
  [
    'refuses unknown members of a body',
    { unknownMember: 'refuse' },
    { 'unknown-body-members': 'reject' },
  ],
  [
    'keeps updatedAt when it deletes',
    { updatesOnDelete: false },
    { 'updated-at-on-delete': 'unchanged' },
  ],
  [
    'keeps updatedAt of every other record when it deletes',
    {
      updatesOnDelete: false,
      shows: (record, _, index) =>
        record.deletedAt !== undefined && odd(index)
          ? { ...record, updatedAt: record.deletedAt }
          : record,
    },
    { 'updated-at-on-delete': null },
  ],
];

const both =
  (one: Rules['shows'], other: Rules['shows']): Rules['shows'] =>
  (record, kind, index) =>
    other(one(record, kind, index) as Readonly<Record<string, unknown>>, kind, index);

/** Shows half of the members, different ones for each record. */
const mixed: Rules['shows'] = (record, kind, index) =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name], place) =>
        ['id', 'deletedAt', 'index'].includes(name) ||
        (place * 7 + index * 3 + kind.length) % 2 === 0,
    ),
  );

const bare: Rules['shows'] = ({ id, deletedAt }) => ({
  id,
  ...(deletedAt !== undefined && { deletedAt }),
});

const RECORDS: readonly Line[] = [
  [
    'lacks updatedAt in half of the measurements',
    { shows: lacking('measurement', 'updatedAt', odd) },
    { 'optional-fields': '/measurements/*/updatedAt' },
  ],
  [
    'lacks value in half of the measurements',
    { shows: lacking('measurement', 'value', odd) },
    { 'optional-fields': '/measurements/*/value' },
  ],
  [
    'lacks value in one measurement of 37',
    { shows: lacking('measurement', 'value', (index) => index === 20) },
    { 'optional-fields': '/measurements/*/value' },
  ],
  [
    'lacks value and meterId in some measurements',
    {
      shows: both(
        lacking('measurement', 'value', (index) => index % 5 === 0),
        lacking('measurement', 'meterId', odd),
      ),
    },
    { 'optional-fields': '/measurements/*/meterId,/measurements/*/value' },
  ],
  [
    'has null as value in half of the measurements',
    { shows: lacking('measurement', 'value', odd, null) },
    { 'optional-fields': '/measurements/*/value=null' },
  ],
  [
    'has null as usageDate in one measurement, and lacks value in some',
    {
      shows: both(
        lacking('measurement', 'usageDate', (index) => index === 20, null),
        lacking('measurement', 'value', (index) => index % 5 === 0),
      ),
    },
    { 'optional-fields': '/measurements/*/usageDate=null,/measurements/*/value' },
  ],
  [
    'lacks half of the members, and has null as value now and then',
    {
      shows: both(
        mixed,
        lacking('measurement', 'value', (index) => index % 4 === 0, null),
      ),
    },
    { 'optional-fields': null },
  ],
  [
    'updates a little after it deletes',
    {
      shows: ({ deletedAt, updatedAt, ...record }) => {
        const later = new Date(Date.parse(String(updatedAt)) + 5).toISOString();
        return { ...record, deletedAt, updatedAt: deletedAt === undefined ? updatedAt : later };
      },
    },
  ],
  [
    'has ids that are numbers',
    {
      shows: (record, kind, index) => {
        if (kind === 'customer') return { ...record, id: index + 1 };
        return kind === 'measurement'
          ? { ...record, id: index, customerId: (index % CUSTOMERS.length) + 1 }
          : record;
      },
      findsById: (asked, { id, externalId }) =>
        asked === String(Number(id.slice(-1)) + 1) || asked === externalId,
    },
  ],
  [
    'has null as externalId in every customer',
    {
      shows: lacking('customer', 'externalId', always, null),
      findsById: (asked, { id }) => asked === id,
    },
    { 'optional-fields': null, 'customer-id-matches': null },
  ],
  [
    'lacks externalId in one customer',
    { shows: lacking('customer', 'externalId', (index) => index === 0) },
    { 'optional-fields': '/customer/externalId' },
  ],
  [
    'lacks customerErpId in one customer',
    { shows: lacking('customer', 'customerErpId', (index) => index === 0) },
    { 'optional-fields': '/customer/customerErpId' },
  ],
  ['lacks half of the members', { shows: mixed }, { 'optional-fields': 'mixed' }],
  ['has bare records', { shows: bare }, { 'optional-fields': 'absent' }],
  [
    'has bare customers',
    { shows: (record, kind, index) => (kind === 'customer' ? bare(record, kind, index) : record) },
    { 'optional-fields': null },
  ],
  [
    'has a member more',
    { shows: (record) => ({ ...record, tier: 'gold' }) },
    { 'undocumented-fields': 'extra' },
  ],
  [
    'has a member more in customers',
    { shows: (record, kind) => (kind === 'customer' ? { ...record, tier: 'gold' } : record) },
    { 'undocumented-fields': 'extra' },
  ],
];

/** Removes the first row before every nth request. */
const shrinking =
  (every: number, from: 'start' | 'end'): Rules['moves'] =>
  (rows, requests) => {
    if (requests % every !== 0 || rows.length < 5) return;
    if (from === 'start') rows.shift();
    else rows.pop();
  };

const growing =
  (every: number, at: 'start' | 'end'): Rules['moves'] =>
  (rows, requests) => {
    const [first] = rows;
    if (requests % every !== 0 || first === undefined) return;
    const year = at === 'start' ? 2030 : 2000;
    const usageDate = {
      year: year + (at === 'start' ? 1 : -1) * (requests % 900),
      month: 1,
      day: 1,
    };
    const row: Row = { ...first, index: 1000 + requests, id: `n${requests}`, usageDate };
    if (at === 'start') rows.unshift(row);
    else rows.push(row);
  };

const remaining: Rules['total'] = (all, before) => all - before;
const lenient: Partial<Rules> = { unknownCursor: 'first', emptyLimit: 10, emptyCursor: 'first' };
const LENIENT: Truth = { 'invalid-cursor': 'first-page', 'empty-parameter': 'absent' };

const BUSY: readonly Line[] = [
  ...[1, 2, 3, 5].flatMap((every): Line[] => [
    [`loses its first row before every ${every}. request`, { moves: shrinking(every, 'start') }],
    [`loses its last row before every ${every}. request`, { moves: shrinking(every, 'end') }],
    [`gains a first row before every ${every}. request`, { moves: growing(every, 'start') }],
    [`gains a last row before every ${every}. request`, { moves: growing(every, 'end') }],
  ]),
  [
    'counts what remains while it loses rows',
    { total: remaining, moves: shrinking(2, 'start') },
    { 'total-counts': 'remaining' },
  ],
  [
    'counts what remains while it gains rows',
    { total: remaining, moves: growing(2, 'start') },
    { 'total-counts': 'remaining' },
  ],
  ['refuses nothing while it loses rows', { ...lenient, moves: shrinking(2, 'start') }, LENIENT],
  ['refuses nothing while it gains rows', { ...lenient, moves: growing(2, 'start') }, LENIENT],
  [
    'refuses nothing and gains a row now and then',
    { ...lenient, moves: growing(7, 'start') },
    LENIENT,
  ],
  ['has 2300 measurements and gains rows', { measurements: 2300, moves: growing(1, 'start') }],
  ['has 2300 measurements and loses rows', { measurements: 2300, moves: shrinking(1, 'start') }],
  [
    'has 2300 measurements, loses rows and counts what remains',
    { measurements: 2300, total: remaining, moves: shrinking(1, 'start') },
    { 'total-counts': 'remaining' },
  ],
];

const WIRE: readonly Line[] = [
  ['begins every body with a byte order mark', { writes: (text) => `\ufeff${text}` }],
  [
    'answers everything with a page of HTML',
    { before: () => html(200) },
    Object.fromEntries(Object.keys(PLAIN_TRUTH).map((id) => [id, null])),
  ],
  ['answers everything with 503', { before: () => json(503, {}) }, {}],
  [
    'redirects to itself',
    { before: ({ path }) => ({ status: 307, headers: { location: path } }) },
    {},
  ],
  [
    'answers no customer',
    { before: ({ path }) => (path.startsWith('/customers') ? json(503, {}) : undefined) },
    {},
  ],
  [
    'has no customers at all',
    { before: ({ path }) => (path.startsWith('/customers') ? html(404) : undefined) },
    { 'error-body': null, 'name-matches': null, 'customer-id-matches': null },
  ],
  [
    'has a wall before it that refuses odd limits',
    {
      before: ({ query }) =>
        /^(0|1001|2\.5)$/.test(query.get('limit') ?? '') ? html(406) : undefined,
    },
    { 'limit-out-of-bounds': null, 'fractional-limit': null },
  ],
  [
    'has a wall before it that answers odd limits with a page of 400',
    {
      before: ({ query }) =>
        /^(1001|2\.5)$/.test(query.get('limit') ?? '') ? html(400) : undefined,
    },
    { 'error-body': null, 'limit-out-of-bounds': null, 'fractional-limit': null },
  ],
];

/** Every behaviour, with its right values. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...LISTINGS,
  ...REQUESTS,
  ...ERRORS,
  ...CUSTOMER_LOOKUPS,
  ...DELETIONS,
  ...RECORDS,
  ...BUSY,
  ...WIRE,
].map(([name, rules, truth = {}]) => ({ name, rules, truth }));
