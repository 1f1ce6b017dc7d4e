import { DEFAULT_DECISIONS, type DecisionId, LEDGER } from '../decisions/ledger.js';
import { completeOptions } from '../options/complete-options.js';
import type { SettleOptions } from './settle-options.js';
import type { DecisionVerdict } from './settle-report.js';
import type { Verdict } from './verdict.js';

/** The verdict, compared with the values in force. */
export function compared<Id extends DecisionId>(
  verdict: Verdict<Id>,
  inForce: Readonly<Record<DecisionId, string | number>>,
): DecisionVerdict {
  const { decision, verdict: kind, value, evidence, reason } = verdict;
  const expected = inForce[decision];
  const agrees = kind === 'settled' ? String(value) === String(expected) : undefined;
  return {
    decision,
    verdict: kind,
    // Only the type of a key allows a symbol.
    ...(value !== undefined && { value: value as string | number }),
    inForce: expected,
    ...(agrees !== undefined && { agrees }),
    ...(kind === 'none' && { agrees: false }),
    evidence,
    ...(reason !== undefined && { reason }),
  };
}

/** The value of every decision that a service is compared with. Throws an `OptionError`. */
export function valuesInForce({
  inForce = {},
}: Pick<SettleOptions, 'inForce'>): Readonly<Record<DecisionId, string | number>> {
  const { decisions } = completeOptions({ decisions: inForce });
  const given = Object.entries(decisions).map(([id, change]) => [id, changedValue(id, change)]);
  return { ...DEFAULT_DECISIONS, ...Object.fromEntries(given) };
}

/** A change may say where its value was seen, and have a status as text. */
function changedValue(id: string, change: unknown): unknown {
  const isLong = typeof change === 'object' && change !== null && 'value' in change;
  const value = isLong ? change.value : change;
  return typeof LEDGER[id as DecisionId].default === 'number' ? Number(value) : value;
}
