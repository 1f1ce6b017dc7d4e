import type { DecisionValue } from '../../decisions/ledger.js';
import { instantOf } from '../account-calls.js';
import { type EventDeletion, eventDeletionsOf } from '../event-deletions.js';
import { describeExchange } from '../evidence.js';
import type { Observation, Observer } from '../observation.js';

/** Where an event is in each order. Of equal places the sequence tells nothing: ids differ in how they compare. */
type Place = readonly number[];

/** Compares the sequence of events in an answer with each order (section 4.5). */
export const deletedEventsOrder: Observer<'deleted-events-order'> = {
  wanted: 'a call whose refs are not in the order of the timestamps of their events',
  needsWrites: true,
  observe: (seen) => eventDeletionsOf(seen).flatMap(observeOrder),
};

const ORDERS: Readonly<Record<DecisionValue<'deleted-events-order'>, (place: Place) => Place>> = {
  refs: (place) => place,
  timestamp: ([, timestamp = 0]) => [timestamp],
};

function observeOrder(deletion: EventDeletion): Observation<'deleted-events-order'>[] {
  const places = placesOf(deletion);
  if (places === undefined || places.length < 2) return [];
  const values = Object.keys(ORDERS) as DecisionValue<'deleted-events-order'>[];
  const explainedBy = values.filter((value) => isInOrder(places.map(ORDERS[value])));
  const told =
    explainedBy.length === 0
      ? 'neither in the order of the refs nor of the timestamps'
      : `${places.length} events in the order of ${explainedBy.map((value) => WORDS[value]).join(' and of ')}`;
  return [{ explainedBy, evidence: describeExchange(deletion.exchange, told) }];
}

const WORDS: Readonly<Record<DecisionValue<'deleted-events-order'>, string>> = {
  refs: 'the refs',
  timestamp: 'the timestamps',
};

/** Undefined if an event does not show both, or has a ref that was not asked for. */
function placesOf({ refs, events = [] }: EventDeletion): readonly Place[] | undefined {
  const places = events.map(({ ref, timestamp }) => [
    typeof ref === 'string' ? refs.indexOf(ref) : -1,
    instantOf(timestamp) ?? Number.NaN,
  ]);
  const areShown = places.every(([ref = -1, timestamp]) => ref >= 0 && !Number.isNaN(timestamp));
  return areShown ? places : undefined;
}

function isInOrder(places: readonly Place[]): boolean {
  return places.every((place, index) => compare(places[index - 1] ?? place, place) <= 0);
}

function compare(one: Place, other: Place): number {
  const differences = one.map((part, index) => part - (other[index] ?? part));
  return differences.find((difference) => difference !== 0) ?? 0;
}
