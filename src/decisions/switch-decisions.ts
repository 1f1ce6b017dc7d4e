import { type GivenChanges, type Seen, withSeen } from './decision-changes.js';
import {
  DEFAULT_DECISIONS,
  type DecisionId,
  type Decisions,
  LEDGER,
  type LedgerRow,
} from './ledger.js';

/** The value of every decision, and where those that were seen were seen. */
export interface DecisionState {
  readonly inForce: Decisions;
  readonly seen: Readonly<Partial<Record<DecisionId, Seen>>>;
}

/** The decisions by default. */
export const DEFAULT_STATE: DecisionState = { inForce: DEFAULT_DECISIONS, seen: {} };

/**
 * The decisions with some of them switched by valid changes. A decision that gets another value is
 * no longer seen, unless the change says where.
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

/** Says how to switch the decision to another of its values. */
export function howToSwitch(id: DecisionId, inForce: Decisions): string {
  const row: LedgerRow = LEDGER[id];
  const [first, ...others] = Object.keys(row.values).filter(
    (value) => value !== String(inForce[id]),
  );
  const further = others.length > 0 ? ` (or ${others.join(', ')})` : '';
  const perAccount = row.isServerWide ? '' : ', or PATCH /__control/decisions';
  return `Start with --decide ${id}=${first}${further}${perAccount}.`;
}

/** A copy that does not follow later changes of the given object. */
function frozen({ host, at, evidence }: Seen): Seen {
  return Object.freeze({ host, at, evidence: Object.freeze([...evidence]) });
}
