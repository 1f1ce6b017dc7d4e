import { type DecisionId, type DecisionValue, LEDGER } from '../decisions/ledger.js';
import type { Observation, Observer, Seen } from './observation.js';

/** Which value of a decision a service follows, and what tells so. */
export interface Verdict<Id extends DecisionId = DecisionId> {
  readonly decision: Id;
  /**
   * `settled` if one value explains all that was seen, `undecided` if several do, `none` if the
   * service does what no value describes, `could-not-check` if nothing was seen that tells.
   */
  readonly verdict: 'settled' | 'undecided' | 'none' | 'could-not-check';
  /** The value that the service follows, if it is settled. */
  readonly value?: DecisionValue<Id>;
  /** What told, one line each: an exchange, without personal data. */
  readonly evidence: readonly string[];
  /** What is missing, or what contradicts. Left out if it is settled. */
  readonly reason?: string;
}

/** Why a decision for which nothing was seen could not be checked. */
export type ReasonOf = (
  decision: DecisionId,
  observer: Pick<Observer<DecisionId>, 'wanted' | 'needsWrites' | 'isNeverAsked'>,
) => NothingSeen;

/** The verdict on a decision for which nothing was seen. */
export interface NothingSeen {
  readonly verdict: 'undecided' | 'could-not-check';
  readonly reason: string;
}

const MOST_EVIDENCE = 5;

/** The verdict on a decision: the values that explain everything seen of it. */
export function conclude<Id extends DecisionId>(
  decision: Id,
  observer: Observer<Id>,
  seen: Seen,
  nothingSeen: ReasonOf,
): Verdict<Id> {
  const observations = observer.observe(seen);
  const values = observations.map(({ explainedBy }) => explainedBy);
  const evidence = evidenceOf(decision, observations);
  const [first, ...others] = values;
  if (first === undefined) return { decision, evidence, ...nothingSeen(decision, observer) };
  const remaining = first.filter((value) => others.every((more) => more.includes(value)));
  const [value] = remaining;
  if (value === undefined) {
    const isContradiction = values.every((explainedBy) => explainedBy.length > 0);
    const reason = isContradiction
      ? 'No single value explains all that was seen.'
      : 'No value of the decision describes what the service does.';
    return { decision, verdict: 'none', evidence, reason };
  }
  if (remaining.length === 1) return { decision, verdict: 'settled', value, evidence };
  const reason = `${remaining.join(', ')} explain what was seen; ${observer.wanted} would tell.`;
  return { decision, verdict: 'undecided', evidence, reason };
}

/** One line for each set of values that was left: what rules out the same is counted. */
function evidenceOf<Id extends DecisionId>(
  decision: Id,
  observations: readonly Observation<Id>[],
): readonly string[] {
  const all = Object.keys(LEDGER[decision].values).length;
  const telling = observations.filter(({ explainedBy }) => explainedBy.length < all);
  const kept = telling.length > 0 ? telling : observations;
  const groups = new Map<string, string[]>();
  for (const { explainedBy, evidence } of kept) {
    const key = explainedBy.join();
    const group = groups.get(key);
    if (group) group.push(evidence);
    else groups.set(key, [evidence]);
  }
  return [...groups.values()].slice(0, MOST_EVIDENCE).map((lines) => {
    const others = new Set(lines).size - 1;
    return others === 0 ? String(lines[0]) : `${lines[0]} (and ${others} more like it)`;
  });
}
