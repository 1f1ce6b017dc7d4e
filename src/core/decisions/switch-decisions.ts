import { type GivenChanges, type Seen, withSeen } from './decision-changes.js';
import { DEFAULT_DECISIONS, type DecisionId, type Decisions, LEDGER } from './ledger.js';

export interface DecisionState {
  readonly inForce: Decisions;
  readonly seen: Readonly<Partial<Record<DecisionId, Seen>>>;
}

export const DEFAULT_STATE: DecisionState = { inForce: DEFAULT_DECISIONS, seen: {} };

/**
 * Switches decisions by valid changes. A decision that gets another value is no longer seen, unless the change
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
