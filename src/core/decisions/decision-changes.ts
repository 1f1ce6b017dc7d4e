import { isObject } from '../values/json-value.js';
import type { DecisionId, DecisionValue } from './ledger.js';

/**
 * Where the value of a decision was seen: in responses of the service, or in a recording of them.
 *
 * @example
 * const seen: Seen = {
 *   host: 'api.example.com',
 *   at: '2026-10-01T12:00:00.000Z',
 *   evidence: ['GET /measurements?limit=0 -> 400'],
 * };
 */
export interface Seen {
  /** The host, with its port if it has one, or the name of a HAR file. */
  readonly host: string;
  /** When the value was seen, as RFC 3339. */
  readonly at: string;
  /** What showed the value: 1 to 20 lines such as `GET /measurements?limit=0 -> 400`. */
  readonly evidence: readonly string[];
}

/**
 * A value for some of the decisions, plain or with where it was seen. Switching a decision to
 * another value also drops what was seen of the earlier one.
 *
 * @example
 * const changes: DecisionChanges = {
 *   'total-counts': 'page',
 *   'limit-out-of-bounds': {
 *     value: 'reject',
 *     seen: {
 *       host: 'api.example.com',
 *       at: '2026-10-01T12:00:00.000Z',
 *       evidence: ['GET /measurements?limit=0 -> 400'],
 *     },
 *   },
 * };
 */
export type DecisionChanges = {
  readonly [Id in DecisionId]?: DecisionValue<Id> | ChangeWithSeen<DecisionValue<Id>>;
};

/** Unchecked changes, by id. */
export type GivenChanges = Readonly<Record<string, unknown>>;

/** A value, and where it was seen. */
export interface ChangeWithSeen<Value> {
  readonly value: Value;
  readonly seen?: Seen;
  /** `none` if no value describes what the service does. Mocks ignore it. */
  readonly accepted?: 'none';
}

/** A change in its longer form. */
export function withSeen(change: unknown): ChangeWithSeen<unknown> {
  return isObject(change) ? (change as unknown as ChangeWithSeen<unknown>) : { value: change };
}

/** Merges layers, of which later ones win; a value that a later one only repeats stays seen. */
export function combineChanges(layers: readonly GivenChanges[]): GivenChanges {
  const combined = new Map<string, unknown>();
  for (const [id, change] of layers.flatMap((layer) => Object.entries(layer))) {
    const { value, seen } = withSeen(change);
    const before = withSeen(combined.get(id));
    const isRepeated = seen === undefined && String(value) === String(before.value);
    if (!isRepeated || !combined.has(id)) combined.set(id, change);
  }
  return Object.fromEntries(combined);
}
