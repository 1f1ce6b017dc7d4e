/** The values of `source`. They were chosen freely, because the specification lists none (section 2.6). */
export const CUSTOMER_SOURCES = ['Api', 'Stripe', 'Salesforce', 'HubSpot'] as const;

const quoted = CUSTOMER_SOURCES.map((source) => `\`${source}\``);

export const SOURCES_SENTENCE = `\`source\` is ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}.`;

/** A row of the ledger: a question that the specification leaves open, and its possible answers. */
export interface LedgerRow {
  /** The section of `docs/specification.md` that leaves the question open. */
  readonly section: string;
  readonly question: string;
  /** The value in force unless it is switched. Never changes in a minor release. */
  readonly default: string | number;
  /** The meanings of the values. If there is a `form`, the last value is an example of it. */
  readonly values: Readonly<Record<string | number, string>>;
  /** The form of further values that are accepted. */
  readonly form?: RegExp;
  /** What has this form, in words: `a duration`. */
  readonly formIs?: string;
  /** True if a decision applies to the whole server, because it acts before an account is known. */
  readonly isServerWide?: true;
}

/** The meaning of values that refuse a request as invalid. */
const INVALID = 'The request gets a 400 (see `invalid-request-status`).';

/** The ledger: everything the specification does not show and the mock has to decide. */
export const LEDGER = {
  'success-status': {
    section: '4.6',
    question: 'Which status does a successful call get?',
    default: 200,
    values: {
      200: 'Every success is 200 OK.',
      201: '`deleteEventsByRefs` returns 201 Created, and the others return 200.',
      202: '`deleteContract` and `deleteEventsByRefs` return 202 Accepted, and the others return 200.',
    },
  },
  'customer-id-matches': {
    section: '4.3',
    question: 'What is the path value of `getCustomer` matched against?',
    default: 'id-or-external-id',
    values: {
      'id-or-external-id':
        'The `id` and, if no `id` matches, the `externalId`. If several customers match, the oldest is returned.',
      id: 'Only the `id`.',
      'external-id': 'Only the `externalId`. If several customers match, the oldest is returned.',
    },
  },
  'name-matches': {
    section: '4.2',
    question: 'How is a name matched?',
    default: 'exact',
    values: {
      exact: 'Exactly, including case and spaces.',
      'case-insensitive': 'Like `exact`, but ignoring case.',
      'name-or-alias': 'Like `exact`, but aliases match too.',
    },
  },
  'duplicate-name': {
    section: '4.2',
    question: 'Which customer is returned if several have the same name?',
    default: 'oldest',
    values: {
      oldest: 'The one with the earliest `createdAt`, then the smallest `id`.',
      conflict: 'None. The request gets a 409.',
    },
  },
  'repeat-delete': {
    section: '3',
    question: 'What does a second delete of a contract return?',
    default: 'not-found',
    values: {
      'not-found': '404 (see `unknown-identifier-status`), as for an unknown id.',
      'same-result': 'The contract as the first delete left it.',
      gone: '410 Gone.',
      conflict: '409 Conflict.',
    },
  },
  'unmatched-refs': {
    section: '4.5',
    question: 'What happens to refs that match no event?',
    default: 'ignore',
    values: {
      ignore: 'They are ignored.',
      'not-found': '404 (see `unknown-identifier-status`), and nothing is deleted.',
    },
  },
  'repeat-event-delete': {
    section: '4.5',
    question: 'Does the response include events that were already deleted?',
    default: 'omit',
    values: {
      omit: 'No, only the events that this call deleted.',
      include: 'Yes, with the `deletedAt` of the first delete.',
    },
  },
  'deleted-events-order': {
    section: '4.5',
    question: 'In which order does the response list the deleted events?',
    default: 'refs',
    values: {
      refs: 'In the order of the given refs, then by `timestamp`, then by `id`.',
      timestamp: 'By `timestamp`, then by `id`.',
    },
  },
  'unknown-body-members': {
    section: '4.5',
    question: 'What happens to body members that the document does not list?',
    default: 'ignore',
    values: { ignore: 'They are ignored.', reject: INVALID },
  },
  'updated-at-on-delete': {
    section: '2.1',
    question: 'Does deleting a contract or an event (section 2.5) change `updatedAt`?',
    default: 'unchanged',
    values: {
      unchanged: 'No.',
      'deletion-time': 'Yes. It equals `deletedAt`.',
    },
  },
  'measurement-order': {
    section: '4.4',
    question: 'In which order are measurements listed?',
    default: 'usage-date',
    values: {
      'usage-date': 'By `usageDate`, earliest first, then by `id`.',
      'newest-first': 'By `usageDate`, latest first, then by `id`.',
      'created-at': 'By `createdAt`, earliest first, then by `id`.',
      id: 'By `id`.',
    },
  },
  'total-counts': {
    section: '4.4',
    question: 'What does `total` count?',
    default: 'all',
    values: {
      all: 'All measurements of the account.',
      remaining: 'The measurements on this page and after it.',
      page: 'The measurements on this page.',
    },
  },
  'last-page': {
    section: '4.4',
    question: 'How does a listing end if its size is a multiple of `limit`?',
    default: 'exact',
    values: {
      exact: 'With a full page, which says that nothing follows.',
      'trailing-empty-page': 'With an empty page, because every full page says that more follows.',
    },
  },
  'final-cursor': {
    section: '4.4',
    question: 'What is `nextCursor` when nothing follows?',
    default: 'absent',
    values: { absent: 'It is absent.', 'empty-string': 'It is the empty string.' },
  },
  'cursor-lifetime': {
    section: '4.4',
    question: 'How long is a cursor valid?',
    default: 'unlimited',
    values: {
      unlimited: 'Forever.',
      '15m':
        'For this long. After that, it gets a 400 (see `invalid-request-status`). `15m` is 15 minutes; the other units are `ms`, `s` and `h`.',
    },
    form: /^\d{1,9}(ms|s|m|h)$/,
    formIs: 'a duration',
  },
  'invalid-cursor': {
    section: '4.4',
    question: 'What happens to a cursor that was never issued for this listing?',
    default: 'reject',
    values: { reject: INVALID, 'first-page': 'It is ignored: the request gets the first page.' },
  },
  'empty-parameter': {
    section: '4.4',
    question: 'What does `cursor=` or `limit=` without a value mean?',
    default: 'reject',
    values: {
      reject: INVALID,
      absent: 'The same as leaving it out: the first page, or a limit of 10.',
    },
  },
  'fractional-limit': {
    section: '4.4',
    question: 'What does a `limit` of 2.5 mean?',
    default: 'round-down',
    values: { 'round-down': 'It is rounded down to 2.', reject: INVALID },
  },
  'limit-out-of-bounds': {
    section: '8',
    question: 'What happens to a `limit` below or above the bounds?',
    default: 'reject',
    values: { reject: INVALID, clamp: 'The nearest bound is used instead.' },
  },
  'unknown-query-parameters': {
    section: '4.4',
    question: 'What happens to query parameters that the document does not list?',
    default: 'reject',
    values: { reject: INVALID, ignore: 'They are ignored.' },
  },
  'error-body': {
    section: '7',
    question: 'What does an error body look like?',
    default: 'problem-json',
    values: {
      'problem-json': 'It is an RFC 9457 problem (`application/problem+json`).',
      message: 'It is `{ "message": "…" }` (`application/json`).',
      'error-object': 'It is `{ "error": { "code": "…", "message": "…" } }` (`application/json`).',
      empty: 'There is no body.',
    },
  },
  'invalid-request-status': {
    section: '7',
    question: 'Which status does an invalid body or parameter get?',
    default: 400,
    values: { 400: '400 Bad Request.', 422: '422 Unprocessable Content.' },
  },
  'unknown-identifier-status': {
    section: '7',
    question: 'Which status does an id or name that matches nothing get?',
    default: 404,
    values: { 404: '404 Not Found.', 400: '400 Bad Request.' },
  },
  'unauthorized-status': {
    section: '7',
    question: 'Which status does a missing or refused token get?',
    default: 401,
    values: { 401: '401 Unauthorized.', 403: '403 Forbidden.' },
    isServerWide: true,
  },
  'unknown-token': {
    section: '5',
    question: 'What happens to a token that was never seen before?',
    default: 'open-account',
    values: {
      'open-account': 'It opens a new account on the dataset.',
      reject:
        'It gets a 401 (see `unauthorized-status`), unless the fixture declares it or a mock issued it.',
    },
    isServerWide: true,
  },
  'optional-fields': {
    section: '2.6',
    question: 'Which fields does a record have, if none of them is required?',
    default: 'present',
    values: {
      present: 'Every field that has a value.',
      absent: 'Only `id` and, if it was deleted, `deletedAt`. The envelope keeps its members.',
      mixed:
        'About half of them, nested ones too, and always `id` and `deletedAt`. The same record always lacks the same fields.',
      '/measurements/*/updatedAt':
        'About half of the records, always the same ones, lack these fields; all others are present. Separate pointers into the body by commas; `id` and `deletedAt` of a record cannot be absent. With `=null` after a pointer, the field is `null` instead.',
    },
    // Bounded, because what is derived from values is cached for later accounts.
    form: /^(\/[\w*]{1,64}){2,8}(=null)?(,(\/[\w*]{1,64}){2,8}(=null)?){0,63}$/,
    formIs: 'JSON pointers',
  },
  'enum-values': {
    section: '2.6',
    question: 'Which values do `source`, `duration.unit` and `pricing.type` have?',
    default: 'documented',
    values: {
      documented: `\`duration.unit\` is \`MONTH\`, and \`pricing.type\` is \`ONE_TIME\`. ${SOURCES_SENTENCE}`,
      varied:
        'The unit can also be `DAY`, `WEEK` or `YEAR`, and the type `SUBSCRIPTION`, `TIERED`, `PER_UNIT` or `CONTRACT_TERMS`.',
      unfamiliar:
        '`source` is `Unfamiliar`, `duration.unit` is `FORTNIGHT`, and `pricing.type` is `UNFAMILIAR`.',
    },
  },
  'undocumented-fields': {
    section: '2',
    question: 'Do responses contain members that the document does not list?',
    default: 'none',
    values: {
      none: 'No.',
      extra: 'Yes. Each record has `undocumentedText` and `undocumentedObject`.',
    },
  },
  'rate-limit': {
    section: '8',
    question: 'How many requests may an account make?',
    default: 'unlimited',
    values: {
      unlimited: 'Any number.',
      '100/1m':
        'This many per window. Further requests get a 429. `100/1m` is 100 a minute, and `5/10s` is 5 in 10 seconds. A window starts with the first request after the previous window has ended.',
    },
    form: /^[1-9]\d{0,8}\/[1-9]\d{0,8}(ms|s|m|h)$/,
    formIs: 'a limit',
  },
} as const satisfies Record<string, LedgerRow>;

type Ledger = typeof LEDGER;

/**
 * The id of a decision; stable.
 *
 * @example
 * const id: DecisionId = 'repeat-delete';
 */
export type DecisionId = keyof Ledger;

/**
 * The values that a decision can take.
 *
 * @example
 * const value: DecisionValue<'repeat-delete'> = 'gone';
 */
export type DecisionValue<Id extends DecisionId> =
  | keyof Ledger[Id]['values']
  | (Id extends keyof FormedValues ? FormedValues[Id] : never);

/** The unlisted values of decisions with a `form`. These types allow more than the forms do. */
interface FormedValues {
  'cursor-lifetime': `${number}${'ms' | 's' | 'm' | 'h'}`;
  'optional-fields': `/${string}`;
  'rate-limit': `${number}/${number}${'ms' | 's' | 'm' | 'h'}`;
}

/**
 * A value for every decision of the ledger.
 *
 * @example
 * const inForce: Decisions = account.decisions.inForce;
 * console.log(inForce['repeat-delete']); // not-found
 */
export type Decisions = { readonly [Id in DecisionId]: DecisionValue<Id> };

/** What a value means. An unlisted value has the meaning of the example of its form. */
export function meaningOf({ values }: LedgerRow, value: string): string {
  return values[value] ?? Object.values(values).at(-1) ?? value;
}

export const DEFAULT_DECISIONS = Object.freeze(
  Object.fromEntries(Object.entries(LEDGER).map(([id, row]) => [id, row.default])),
) as Decisions;

export const LEDGER_ROWS = Object.entries<LedgerRow>(LEDGER) as [DecisionId, LedgerRow][];
