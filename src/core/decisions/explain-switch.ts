import type { components } from '../../generated/openapi.js';
import { type DecisionId, type Decisions, LEDGER, type LedgerRow } from './ledger.js';

type Problem = components['schemas']['Problem'];

/** The members of a problem that rests on a decision, with how to switch it. */
export function decisionMembers(
  decision: DecisionId,
  inForce: Decisions,
): Pick<Problem, 'decision' | 'section' | 'switch'> {
  const { section } = LEDGER[decision];
  return { decision, section, switch: howToSwitch(decision, inForce) };
}

function howToSwitch(id: DecisionId, inForce: Decisions): string {
  const row: LedgerRow = LEDGER[id];
  const [first, ...others] = Object.keys(row.values).filter(
    (value) => value !== String(inForce[id]),
  );
  const further = others.length > 0 ? ` (or ${others.join(', ')})` : '';
  const perAccount = row.isServerWide ? '' : ', or PATCH /__control/decisions';
  return `Start with --decide ${id}=${first}${further}${perAccount}.`;
}
