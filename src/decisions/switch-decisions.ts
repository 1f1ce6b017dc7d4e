import { didYouMean } from '../messages/nearest-name.js';
import { type DecisionId, type Decisions, LEDGER, type LedgerRow } from './ledger.js';

/** An invalid change of a decision. */
export interface DecisionMistake {
  readonly path: readonly [id: string];
  readonly expected: string;
  readonly received: unknown;
  /** The nearest known id or value, if one is near. */
  readonly fix?: string;
}

/**
 * The decisions with some of them switched, and what is wrong with the changes. An account cannot
 * switch decisions that act before it is known.
 */
export function switchDecisions(
  inForce: Decisions,
  changes: Readonly<Record<string, unknown>>,
  scope: 'server' | 'account',
): { readonly decisions: Decisions; readonly mistakes: readonly DecisionMistake[] } {
  const mistakes = Object.entries(changes).flatMap(([id, value]) => {
    const mistake = mistakeOf(id, value, scope);
    return mistake === undefined ? [] : [mistake];
  });
  if (mistakes.length > 0) return { decisions: inForce, mistakes };
  const switched = Object.entries(changes).map(([id, value]) => [
    id,
    // A status may be given as text.
    typeof LEDGER[id as DecisionId].default === 'number' ? Number(value) : value,
  ]);
  return {
    decisions: Object.freeze({ ...inForce, ...Object.fromEntries(switched) }),
    mistakes,
  };
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

/** What is wrong with the change, if anything is. */
function mistakeOf(
  id: string,
  value: unknown,
  scope: 'server' | 'account',
): DecisionMistake | undefined {
  if (!Object.hasOwn(LEDGER, id)) {
    return unknownName(id, id, 'the id of a decision: ', Object.keys(LEDGER));
  }
  const row: LedgerRow = LEDGER[id as DecisionId];
  if (row.isServerWide && scope === 'account') {
    const expected = 'no change: it applies to the whole server and is switched at its start';
    return { path: [id], expected, received: value };
  }
  const isPlain = typeof value === 'string' || typeof value === 'number';
  const isKnown = Object.hasOwn(row.values, String(value)) || row.form?.test(String(value));
  return isPlain && isKnown ? undefined : unknownName(id, value, '', Object.keys(row.values));
}

function unknownName(
  id: string,
  received: unknown,
  what: string,
  known: readonly string[],
): DecisionMistake {
  const fix = didYouMean(received, known);
  return { path: [id], expected: what + known.join(', '), received, ...(fix && { fix }) };
}
