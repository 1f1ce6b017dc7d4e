import { DEFAULT_DECISIONS, type DecisionId, LEDGER } from '../decisions/ledger.js';
import { completeOptions } from '../options/complete-options.js';
import { isObject } from '../values/json-value.js';
import { restsOn } from './basis.js';
import { violationsOf } from './conformity.js';
import type { Observation, Observer } from './observers/observer.js';
import { OBSERVERS } from './observers/observers.js';
import { hidingCustomers } from './seen/hide-customers.js';
import { withLastingPages, withoutLost, withoutRecovered } from './seen/lost-responses.js';
import type { Seen } from './seen/samples.js';
import type { SettleOptions } from './settle-options.js';
import type { DecisionVerdict, SettleReport } from './settle-report.js';

/** Which value of a decision a service follows, whatever it is compared with. */
export type Verdict = Omit<DecisionVerdict, 'inForce' | 'agrees'>;

/** The verdict on a decision of which nothing was seen, and why. */
export type ConcludeUnseen = (
  decision: DecisionId,
  observer: Pick<Observer<DecisionId>, 'wanted' | 'isNeverAsked'>,
) => Pick<Verdict, 'verdict' | 'reason'>;

type ValuesInForce = Readonly<Record<DecisionId, string | number>>;

const MOST_EVIDENCE = 5;

/** What a report says of what was seen. */
export function concludeAll(
  decisions: readonly DecisionId[],
  seen: Seen,
  concludeUnseen: ConcludeUnseen,
  options: Pick<SettleOptions, 'inForce'>,
): Pick<SettleReport, 'verdicts' | 'violations'> {
  const inForce = valuesInForce(options);
  const received = { ...seen, samples: withoutRecovered(seen.samples) };
  const telling = { ...seen, samples: withoutLost(received.samples) };
  // An error page that stays is an error that clients see, whoever sends it.
  const errors = { ...seen, samples: withLastingPages(received.samples) };
  const concludeOne = <Id extends DecisionId>(id: Id) => {
    const seenOfIt = id === 'error-body' ? errors : telling;
    return compared(conclude(id, OBSERVERS[id], seenOfIt, concludeUnseen), inForce);
  };
  const hide = hidingCustomers(seen);
  return hide({ verdicts: decisions.map(concludeOne), violations: violationsOf(received) });
}

/** The verdict on a decision: the values that explain everything seen of it. */
export function conclude<Id extends DecisionId>(
  decision: Id,
  observer: Observer<Id>,
  seen: Seen,
  concludeUnseen: ConcludeUnseen,
): Verdict {
  const observations = observer.observe(seen);
  const values = observations.map(({ explainedBy }) => explainedBy);
  const samples = [...new Set(observations.flatMap((one) => one.samples))];
  const [first, ...others] = values;
  const seenOfIt = {
    evidence: evidenceOf(decision, observations),
    ...(first && { restsOn: restsOn(decision, samples, seen.samples) }),
  };
  if (first === undefined) {
    return { decision, ...seenOfIt, ...concludeUnseen(decision, observer) };
  }
  const remaining = first.filter((value) => others.every((more) => more.includes(value)));
  const [value] = remaining;
  if (value === undefined) {
    const isContradiction = values.every((explainedBy) => explainedBy.length > 0);
    const reason = isContradiction
      ? 'No single value explains all the evidence.'
      : 'No value of the decision describes what the service does.';
    return { decision, verdict: 'none', ...seenOfIt, reason };
  }
  // Only the type of a key allows a symbol.
  const settled = value as string | number;
  const open = observations.find((one) => one.open !== undefined)?.open;
  if (remaining.length === 1 && open === undefined) {
    return { decision, verdict: 'settled', value: settled, ...seenOfIt };
  }
  const reason =
    remaining.length === 1
      ? `${settled} explains the evidence, but ${open}.`
      : `${remaining.join(', ')} explain the evidence; ${observer.wanted} would settle it.`;
  return { decision, verdict: 'undecided', ...seenOfIt, reason };
}

/** One line for each set of values that was left: what rules out the same is counted. */
function evidenceOf<Id extends DecisionId>(
  decision: Id,
  observations: readonly Observation<Id>[],
): readonly string[] {
  const all = Object.keys(LEDGER[decision].values).length;
  const telling = observations.filter(({ explainedBy }) => explainedBy.length < all);
  const groups = new Map<string, string[]>();
  for (const { explainedBy, evidence } of telling.length > 0 ? telling : observations) {
    const group = groups.get(explainedBy.join()) ?? [];
    groups.set(explainedBy.join(), group);
    group.push(evidence);
  }
  return [...groups.values()].slice(0, MOST_EVIDENCE).map((lines) => {
    const others = new Set(lines).size - 1;
    return others === 0 ? String(lines[0]) : `${lines[0]} (and ${others} more like it)`;
  });
}

/** The verdict, compared with the values in force. */
function compared(
  { decision, verdict, value, ...told }: Verdict,
  inForce: ValuesInForce,
): DecisionVerdict {
  const expected = inForce[decision];
  const isKnown = verdict === 'settled' || verdict === 'none';
  return {
    decision,
    verdict,
    ...(value !== undefined && { value }),
    inForce: expected,
    ...(isKnown && { agrees: String(value) === String(expected) }),
    ...told,
  };
}

/** The value of every decision that a service is compared with. Throws an `OptionError`. */
export function valuesInForce({ inForce = {} }: Pick<SettleOptions, 'inForce'>): ValuesInForce {
  const { decisions } = completeOptions({ decisions: inForce });
  const given = Object.entries(decisions).map(([id, change]: [string, unknown]) => {
    // A change may say where its value was seen, and have a status as text.
    const value = isObject(change) && 'value' in change ? change.value : change;
    const isStatus = typeof LEDGER[id as DecisionId].default === 'number';
    return [id, isStatus ? Number(value) : value];
  });
  return { ...DEFAULT_DECISIONS, ...Object.fromEntries(given) };
}
