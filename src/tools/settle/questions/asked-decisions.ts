import type { DecisionId } from '#spec';
import type { Value } from '../judge.js';

/** How samples show a decision. */
export interface Row {
  /** The only part of a success that it changes; otherwise it may change all of it. */
  readonly part?: string;
  /** How many kinds of requests it takes: 1 by default. */
  readonly needs?: number;
  /** The value that refuses none of these requests. */
  readonly lenient?: Value;
  /** What a service may do for a moment, until all its parts know of a deletion. */
  readonly lagging?: Value;
}

/** The requests that show each decision; one that is in no row is not asked. */
export const ASKED = {
  oddListings: {
    'invalid-cursor': { lenient: 'first-page', needs: 3 },
    'empty-parameter': { lenient: 'absent', needs: 2 },
    'fractional-limit': { lenient: 'round-down', needs: 2 },
    'limit-out-of-bounds': { lenient: 'clamp', needs: 2 },
    'unknown-query-parameters': { lenient: 'ignore' },
  },
  pages: {
    'measurement-order': { part: 'records' },
    'total-counts': { part: 'total' },
    'last-page': { part: 'hasMore' },
  },
  ends: { 'final-cursor': { part: 'next' } },
  getCustomer: { 'customer-id-matches': {} },
  getCustomerByName: { 'name-matches': { needs: 2 }, 'duplicate-name': {} },
  deleteContract: {
    'repeat-delete': { lagging: 'same-result' },
    'updated-at-on-delete': { part: 'stamp' },
    'success-status': { part: 'status' },
  },
  deleteEventsByRefs: {
    'unmatched-refs': {},
    'unknown-body-members': {},
    'repeat-event-delete': { lagging: 'include' },
    'deleted-events-order': { part: 'order' },
    'updated-at-on-delete': { part: 'stamp' },
    'success-status': { part: 'status' },
  },
  invalidRequests: { 'invalid-request-status': {}, 'error-body': {} },
  unknownCustomers: { 'unknown-identifier-status': {}, 'error-body': {} },
  tokens: { 'unauthorized-status': {}, 'unknown-token': {}, 'error-body': {} },
  records: { 'optional-fields': {}, 'undocumented-fields': {} },
  customersAndContracts: { 'enum-values': {} },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<DecisionId, Row>>>>>;

/** What the rows of a question say, as `judge` takes it. */
export function asQuestion(rows: Readonly<Partial<Record<DecisionId, Row>>>) {
  const entries = Object.entries(rows) as [DecisionId, Row][];
  const of = <Key extends keyof Row>(key: Key) =>
    Object.fromEntries(entries.flatMap(([id, row]) => (row[key] ? [[id, row[key]]] : []))) as {
      readonly [Id in DecisionId]?: NonNullable<Row[Key]>;
    };
  const owned = of('part');
  return {
    ids: entries.map(([id]) => id),
    needs: of('needs'),
    lagging: of('lagging'),
    lenient: of('lenient'),
    ...{ owned, parts: [...new Set(Object.values(owned))] },
  };
}
