import { instantOf, textOf } from '../account-calls.js';
import { type EventDeletion, eventDeletionsOf } from '../event-deletions.js';
import { describeExchange } from '../evidence.js';
import type { Observation, Observer } from '../observation.js';

type Event = Readonly<Record<string, unknown>>;

/** Looks for events of an answer in later answers to calls with their refs (section 4.5). */
export const repeatEventDelete: Observer<'repeat-event-delete'> = {
  wanted: 'a second call with the refs of events that were deleted',
  needsWrites: true,
  observe: (seen) => {
    const deletions = eventDeletionsOf(seen);
    return deletions.flatMap((deletion, index) =>
      observeRepeated(deletion, deletions.slice(0, index)),
    );
  },
};

function observeRepeated(
  { exchange, refs, events }: EventDeletion,
  earlier: readonly EventDeletion[],
): Observation<'repeat-event-delete'>[] {
  if (events === undefined) return [];
  const deleted = earlier.flatMap((before) => deletedBy(before, refs));
  const first = new Map(deleted.map((event) => [textOf(event.id), event]).reverse() as Entries);
  if (first.size === 0) return [];
  const repeated = events.filter(({ id }) => first.has(textOf(id)));
  const isSame = repeated.every(
    ({ id, deletedAt }) => instantOf(deletedAt) === instantOf(first.get(textOf(id))?.deletedAt),
  );
  const tell = (explainedBy: Observation<'repeat-event-delete'>['explainedBy'], told: string) => [
    { explainedBy, evidence: describeExchange(exchange, told) },
  ];
  if (repeated.length === 0) return tell(['omit'], 'without the events that were deleted before');
  if (repeated.length < first.size)
    return tell([], 'with some of the events that were deleted before');
  return isSame
    ? tell(['include'], 'with the events that were deleted before')
    : tell([], 'with the events that were deleted before, and another deletedAt');
}

type Entries = [string | undefined, Event][];

/** The events of an earlier answer that the refs match; an answer may not show the refs. */
function deletedBy(before: EventDeletion, refs: readonly string[]): readonly Event[] {
  const hasAll = before.refs.every((ref) => refs.includes(ref));
  return (before.events ?? []).filter(
    ({ id, ref }) =>
      textOf(id) !== undefined && (hasAll || (typeof ref === 'string' && refs.includes(ref))),
  );
}
