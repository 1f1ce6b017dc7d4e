import { isObject } from '../values/json-value.js';
import {
  DEFAULT_DECISIONS,
  type DecisionId,
  type Decisions,
  type DecisionValue,
  LEDGER,
} from './ledger.js';

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
  /** `none` if no value describes what the service does. `settle` reads it; mocks ignore it. */
  readonly accepted?: 'none';
}

function withSeen(change: unknown): ChangeWithSeen<unknown> {
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

export interface DecisionState {
  readonly inForce: Decisions;
  readonly seen: Readonly<Partial<Record<DecisionId, Seen>>>;
}

export const DEFAULT_STATE: DecisionState = { inForce: DEFAULT_DECISIONS, seen: {} };

/**
 * Applies valid changes. A decision that gets another value is no longer seen, unless the change
 * says where.
 */
export function switchDecisions(state: DecisionState, changes: GivenChanges): DecisionState {
  const inForce: Record<string, unknown> = { ...state.inForce };
  const allSeen: Record<string, Seen | undefined> = { ...state.seen };
  for (const [id, change] of Object.entries(changes)) {
    const { value: given, seen } = withSeen(change);
    // A status may be given as text.
    const value = typeof LEDGER[id as DecisionId].default === 'number' ? Number(given) : given;
    if (seen !== undefined) allSeen[id] = frozen(seen);
    else if (value !== inForce[id]) delete allSeen[id];
    inForce[id] = value;
  }
  return { inForce: Object.freeze(inForce) as Decisions, seen: Object.freeze(allSeen) };
}

/** A copy that does not follow later changes of the given object. */
function frozen({ host, at, evidence }: Seen): Seen {
  return Object.freeze({ host, at, evidence: Object.freeze([...evidence]) });
}
