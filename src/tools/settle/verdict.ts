import { DEFAULT_DECISIONS, type DecisionId, LEDGER } from '#spec';
import { memberOf } from '../../core/values/json-value.js';
import { completeOptions } from '../../host/options/complete-options.js';
import { restsOn } from './basis.js';
import { violationsOf } from './conformity.js';
import type { Observation, Observer } from './observers/observer.js';
import { type ObservedId, observerOf } from './observers/observers.js';
import { hidingCustomers } from './seen/hide-customers.js';
import { withoutFailed, withoutLost, withoutRecovered } from './seen/lost-responses.js';
import type { Sample, Seen } from './seen/samples.js';
import type { SettleOptions } from './settle-options.js';
import type { DecisionVerdict, SettleReport } from './settle-report.js';
import { weighed } from './weigh-observations.js';

export type Verdict = Omit<DecisionVerdict, 'inForce' | 'agrees'>;

/** Judges a decision without evidence. */
export type ConcludeUnseen = (
  decision: DecisionId,
  observer: Pick<Observer<DecisionId>, 'wanted' | 'whyNeverAsked'>,
) => Pick<Verdict, 'verdict' | 'reason'>;

type ValuesInForce = Readonly<Record<DecisionId, string | number>>;

const MOST_EVIDENCE = 5;

const NOT_ASKED = {
  verdict: 'could-not-check',
  evidence: [],
  reason: 'Not asked: no request of settle is about this decision.',
} as const;

export function concludeAll(
  decisions: readonly DecisionId[],
  seen: Seen,
  concludeUnseen: ConcludeUnseen,
  options: Pick<SettleOptions, 'inForce'>,
): Pick<SettleReport, 'verdicts' | 'violations'> {
  const inForce = valuesInForce(options);
  const received = { ...seen, samples: withoutRecovered(seen.samples) };
  const telling = { ...seen, samples: withoutLost(received.samples) };
  // An error page is what clients see, whoever sends it.
  const errors = { ...seen, samples: withoutFailed(received.samples) };
  const concludeOne = <Id extends DecisionId>(id: Id) => {
    const seenOfIt = id === 'error-body' ? errors : telling;
    const observer = observerOf(id);
    const told: Verdict = observer
      ? conclude(id, observer, seenOfIt, concludeUnseen, tried)
      : { decision: id, ...NOT_ASKED };
    const isKnown = told.verdict === 'settled' || told.verdict === 'none';
    const agrees = String(told.value) === String(inForce[id]);
    return { ...told, inForce: inForce[id], ...(isKnown && { agrees }) };
  };
  // A request was tried even if its response was lost.
  const tried = [...seen.samples, ...(seen.unanswered ?? [])];
  const hide = hidingCustomers(seen);
  return hide({ verdicts: decisions.map(concludeOne), violations: violationsOf(received) });
}

/**
 * A decision is settled if a single value explains all that counts, unless an observation leaves it
 * open or a doubtful one contradicts it.
 */
export function conclude<Id extends DecisionId>(
  decision: Id,
  observer: Observer<Id>,
  seen: Seen,
  concludeUnseen: ConcludeUnseen,
  tried: readonly Sample[] = seen.samples,
): Verdict {
  const observations = observer.observe(seen);
  const { counted, doubtful } = weighed(observations);
  const values = counted.map(({ explainedBy }) => explainedBy);
  const samples = [...new Set(observations.flatMap((one) => one.samples))];
  const [first, ...others] = values;
  const seenOfIt = {
    evidence: evidenceOf(decision, observations),
    ...(observations.length > 0 && { restsOn: restsOn(decision as ObservedId, samples, tried) }),
  };
  const [doubt] = doubtful;
  if (first === undefined) {
    const reason = doubt?.open && `Nothing settles this decision: ${doubt.open}.`;
    return reason
      ? { decision, verdict: 'undecided', ...seenOfIt, reason }
      : { decision, ...seenOfIt, ...concludeUnseen(decision, observer) };
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
  // The type is that of a key, which could be a symbol.
  const settled = value as string | number;
  const against = doubtful.find(({ explainedBy }) => !explainedBy.includes(value));
  const open =
    counted.find((one) => one.open !== undefined)?.open ??
    (against && (against.open ?? 'another response contradicts it'));
  const reason =
    remaining.length > 1
      ? `${remaining.join(', ')} explain the evidence; ${observer.wanted} would tell them apart.`
      : open && `${settled} explains the evidence, but ${open}.`;
  return reason
    ? { decision, verdict: 'undecided', ...seenOfIt, reason }
    : { decision, verdict: 'settled', value: settled, ...seenOfIt };
}

/**
 * One line for each set of explaining values, at most five, with the number of other lines for the
 * set. Leaves out observations that all values explain, unless there are no others.
 */
function evidenceOf<Id extends DecisionId>(
  decision: Id,
  observations: readonly Observation<Id>[],
): readonly string[] {
  const all = Object.keys(LEDGER[decision].values).length;
  const telling = observations.filter(({ explainedBy }) => explainedBy.length < all);
  const groups = new Map<string, Set<string>>();
  for (const { explainedBy, evidence } of telling.length > 0 ? telling : observations) {
    const values = explainedBy.join();
    groups.set(values, (groups.get(values) ?? new Set()).add(evidence));
  }
  return [...groups.values()].slice(0, MOST_EVIDENCE).map((lines) => {
    const [first, ...others] = lines;
    return others.length === 0 ? String(first) : `${first} (and ${others.length} more like it)`;
  });
}

/** The values to compare a service with. Throws an `OptionError` if one is not valid. */
export function valuesInForce({ inForce = {} }: Pick<SettleOptions, 'inForce'>): ValuesInForce {
  const { decisions } = completeOptions({ decisions: inForce });
  const given = Object.entries(decisions).map(([id, change]: [string, unknown]) => {
    // A decision may come with its evidence, and a status may be text.
    const value = memberOf(change, 'value') ?? change;
    const isStatus = typeof LEDGER[id as DecisionId].default === 'number';
    return [id, isStatus ? Number(value) : value];
  });
  return { ...DEFAULT_DECISIONS, ...Object.fromEntries(given) };
}
