import { DEFAULT_DECISIONS, type DecisionId, LEDGER } from '../decisions/ledger.js';
import { completeOptions } from '../options/complete-options.js';
import type { Violation } from './conformity.js';
import type { SettleOptions } from './settle-options.js';
import type { Verdict } from './verdict.js';

/**
 * What is known of a service after asking it, or from recordings of it.
 *
 * @example
 * const report: SettleReport = await settle({ target: url, token: 'my-token' });
 * console.log(report.verdicts.filter(({ agrees }) => agrees === false));
 */
export interface SettleReport {
  /** The URL that was asked, or the hosts of the recordings. */
  readonly target: string;
  /** RFC 3339, in UTC. */
  readonly startedAt: string;
  /** How many requests were sent, or read from recordings. */
  readonly requests: number;
  /** How many requests of recordings are none of the five operations. */
  readonly passedOver?: number;
  /** Why the run ended early, as a clause; left out if it did not. */
  readonly brokenOff?: string;
  /** One for each decision, in the order of `docs/decisions.md`. */
  readonly verdicts: readonly DecisionVerdict[];
  /** What successful answers have that `openapi.yaml` does not allow. */
  readonly violations: readonly Violation[];
}

/**
 * Which value of a decision a service follows, and what tells so.
 *
 * @example
 * const verdict: DecisionVerdict | undefined = (
 *   await settle({ target: url, token: 'my-token', only: ['final-cursor'] })
 * ).verdicts[0];
 */
export interface DecisionVerdict {
  readonly decision: DecisionId;
  /**
   * `settled` if one value explains all that was seen, `undecided` if several do, `none` if the
   * service does what no value describes, `could-not-check` if nothing was seen that tells.
   */
  readonly verdict: 'settled' | 'undecided' | 'none' | 'could-not-check';
  /** The value that the service follows, if it is settled. */
  readonly value?: string | number;
  /** The value that it is compared with: that of `inForce`, or else the default. */
  readonly inForce: string | number;
  /** Whether the service follows the value in force; left out if that is not known. */
  readonly agrees?: boolean;
  /** What told, one line for each set of values that was left, without personal data. */
  readonly evidence: readonly string[];
  /** What is missing, or what contradicts. Left out if it is settled. */
  readonly reason?: string;
}

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
