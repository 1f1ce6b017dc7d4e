import type { DecisionId, DecisionValue, FormedValues } from '#spec';
import { describeSample } from '../seen/evidence.js';
import { instantOf, type Members, type Sample, type Seen } from '../seen/samples.js';

/** What one sample, or a few together, show about a decision. */
export interface Observation<Id extends DecisionId> {
  /** The values that explain what was seen: all if it is inconclusive, none if no value fits. */
  readonly explainedBy: readonly (Id extends keyof FormedValues ? string : DecisionValue<Id>)[];
  /** What was seen, in one line without personal data: `GET /measurements?limit=0 -> 400`. */
  readonly evidence: string;
  /** All samples that it rests on. */
  readonly samples: readonly Sample[];
  /** Why a single explaining value still does not settle the decision, as a clause. */
  readonly open?: string | undefined;
  /** True if something else may explain it: then it only keeps open what it contradicts. */
  readonly isDoubtful?: boolean;
  /** What was asked: if responses to one kind of request differ, all of them are doubtful. */
  readonly kind?: string;
}

/** Finds in samples which value of a decision a service follows. Pure: it sends nothing. */
export interface Observer<Id extends DecisionId> {
  readonly observe: (seen: Seen) => readonly Observation<Id>[];
  /** What would tell the alternatives apart, as a noun phrase: `a customer with an alias`. */
  readonly wanted: string;
  /** Why no probe asks about the decision: that would do harm, or take too long. */
  readonly whyNeverAsked?: string;
}

export type ObserversOf<Ids extends DecisionId> = { readonly [Id in Ids]: Observer<Id> };

/** Creates an observation from a sample and the values that explain it, ignoring undefined ones. */
export function tell<const Value extends string | number = never>(
  sample: Sample,
  told: string | undefined,
  ...values: readonly (Value | undefined)[]
) {
  const explainedBy = values.filter((value) => value !== undefined);
  return { explainedBy, evidence: describeSample(sample, told), samples: [sample] };
}

/**
 * Leaves the decision open, for the given reason, if each observation has explaining values but no
 * single value explains all: the service may treat each kind of input differently.
 */
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

/** Why responses right after a deletion leave a decision open. */
const NOT_LATER = 'no later response was seen, and a service may take a moment to delete';

/** An observation of a request that repeats a deletion. */
export type Repeated<Id extends DecisionId> = Observation<Id> & { readonly first: Sample };

/**
 * Doubts the observations of requests sent less than two seconds after the first deletion: a service
 * may respond differently right after it. If all came that early, leaves the decision open.
 */
export function sentLater<Id extends DecisionId>(
  repeated: readonly Repeated<Id>[],
): readonly Observation<Id>[] {
  const isEarly = ({ samples, first }: Repeated<Id>) =>
    !samples.every(({ sentAtMs }) => sentAtMs - first.sentAtMs >= LATE_ENOUGH_MS);
  if (repeated.every(isEarly)) return repeated.map((one) => ({ ...one, open: NOT_LATER }));
  return repeated.map((one) => ({ ...one, isDoubtful: isEarly(one) }));
}

/** Why two equal timestamps may be different instants. */
export const COARSE = 'deletedAt is too coarse to show a difference';

/** True if the timestamp is missing, or may be precise only to a minute or a day. */
export function isCoarse(instant: unknown): boolean {
  const ms = instantOf(instant);
  return ms === undefined || ms % 60_000 === 0;
}

/** Whether each of the lists is sorted by the field: all up or all down, and not all alike. */
export function areSortedBy(name: string, lists: readonly (readonly Members[])[]): boolean {
  const all = lists.map((records) => records.map((record) => record[name]));
  const places = all.map((values) => values.filter(isPlace));
  const isVaried = places.some((values) => new Set(values).size > 1);
  const areAll = places.flat().length === all.flat().length;
  const isSortedUp = (sign: number) =>
    places.every((values) =>
      isSorted(values, (one, other) => sign * (Number(one > other) - Number(one < other))),
    );
  return areAll && isVaried && [1, -1].some(isSortedUp);
}

function isPlace(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

export function isSorted<Value>(
  values: readonly Value[],
  compare: (one: Value, other: Value) => number,
): boolean {
  return values.every((value, at) => at === 0 || compare(values[at - 1] ?? value, value) <= 0);
}
