import type { DecisionId, DecisionValue, FormedValues } from '../../decisions/ledger.js';
import { describeSample } from '../seen/evidence.js';
import { instantOf, type Sample, type Seen } from '../seen/samples.js';

/** What one sample, or a few together, tell about a decision. */
export interface Observation<Id extends DecisionId> {
  /** The values that explain what was seen: all if it tells nothing, none if no value describes it. */
  readonly explainedBy: readonly (Id extends keyof FormedValues ? string : DecisionValue<Id>)[];
  /** What was seen, in one line without personal data: `GET /measurements?limit=0 -> 400`. */
  readonly evidence: string;
  /** The samples that were read for it, also those before it that say the same. */
  readonly samples: readonly Sample[];
  /** What no value describes and yet explains it too, as a clause: nothing is settled then. */
  readonly open?: string | undefined;
}

/** Reads from samples which value of a decision a service follows. Pure: it sends nothing. */
export interface Observer<Id extends DecisionId> {
  /** Returns an observation for whatever tells something; none for what tells nothing. */
  readonly observe: (seen: Seen) => readonly Observation<Id>[];
  /** What would tell the alternatives apart, as a noun phrase: `a customer with an alias`. */
  readonly wanted: string;
  /** Why it is never asked for, where asking would do harm or take too long. */
  readonly isNeverAsked?: string;
}

/** The observers of these decisions. */
export type ObserversOf<Ids extends DecisionId> = { readonly [Id in Ids]: Observer<Id> };

/** The observation of a sample: what it told, and the values that explain that; undefined is none. */
export function tell<const Value extends string | number = never>(
  sample: Sample,
  told: string | undefined,
  ...values: readonly (Value | undefined)[]
) {
  const explainedBy = values.filter((value) => value !== undefined);
  return { explainedBy, evidence: describeSample(sample, told), samples: [sample] };
}

/** Leaves open what different kinds of value got different responses to: each may follow another value. */
export function agreed<Id extends DecisionId>(
  observations: readonly Observation<Id>[],
  open: string,
): readonly Observation<Id>[] {
  const all = observations.map(({ explainedBy }) => explainedBy);
  const isAgreed = all[0]?.some((value) => all.every((values) => values.includes(value)));
  if (isAgreed !== false || all.some((values) => values.length === 0)) return observations;
  const either = [...new Set(all.flat())];
  return observations.map((one) => ({ ...one, explainedBy: either, open }));
}

const LATE_ENOUGH_MS = 2_000;

/**
 * The observations that say how a deletion is repeated: what a service says just after it may hold for
 * a moment alone, whether it finds the record or refuses. If none was sent later, that is open.
 */
export function sentLater<Id extends DecisionId>(
  first: Sample,
  repeated: readonly Observation<Id>[],
): readonly Observation<Id>[] {
  const samples = repeated.flatMap((one) => one.samples);
  const later = repeated.filter((one) =>
    one.samples.every(({ sentAtMs }) => sentAtMs - first.sentAtMs >= LATE_ENOUGH_MS),
  );
  const open = 'nothing shows what it says later, and a service may take a moment to delete';
  return later.length > 0
    ? later.map((one) => ({ ...one, samples }))
    : repeated.map((one) => ({ ...one, samples, open }));
}

/** Why the same instant twice may be two. */
export const COARSE = 'deletedAt is too coarse to show a difference';

/** True if the timestamp is missing or only precise to a day or a minute. */
export function isCoarse(instant: unknown): boolean {
  const ms = instantOf(instant);
  return ms === undefined || ms % 60_000 === 0;
}

/** Whether values are in the order of a comparison. */
export function isSorted<Value>(
  values: readonly Value[],
  compare: (one: Value, other: Value) => number,
): boolean {
  return values.every((value, at) => at === 0 || compare(values[at - 1] ?? value, value) <= 0);
}
