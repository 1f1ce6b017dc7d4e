import { type DecisionId, type Decisions, LEDGER, type LedgerRow } from './decisions.js';

/** A decision that cannot be switched as it was told. */
export interface DecisionMistake {
  readonly path: readonly [id: string];
  readonly expected: string;
  readonly received: unknown;
}

/**
 * The decisions with some of them switched, and what is wrong with the changes. An account cannot
 * switch what acts before it is known.
 */
export function switchDecisions(
  inForce: Decisions,
  changes: Readonly<Record<string, unknown>>,
  scope: 'server' | 'account',
): { readonly decisions: Decisions; readonly mistakes: readonly DecisionMistake[] } {
  const mistakes = Object.entries(changes).flatMap(([id, value]) => {
    const expected = expectationOf(id, value, scope);
    const received = Object.hasOwn(LEDGER, id) ? value : id;
    return expected === undefined ? [] : [{ path: [id] as const, expected, received }];
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

/** What was expected instead, if the decision cannot take the value. */
function expectationOf(
  id: string,
  value: unknown,
  scope: 'server' | 'account',
): string | undefined {
  if (!Object.hasOwn(LEDGER, id)) return `the id of a decision: ${Object.keys(LEDGER).join(', ')}`;
  const row: LedgerRow = LEDGER[id as DecisionId];
  if (row.isServerWide && scope === 'account') {
    return 'no change: it holds for the whole server and is switched at its start';
  }
  const isPlain = typeof value === 'string' || typeof value === 'number';
  const isKnown = Object.hasOwn(row.values, String(value)) || row.form?.test(String(value));
  if (!isPlain || !isKnown) return Object.keys(row.values).join(', ');
  return undefined;
}
