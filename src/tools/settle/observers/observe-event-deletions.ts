import type { DecisionValue } from '#spec';
import { isObject } from '../../../core/values/json-value.js';
import { requestMembersOf } from '../seen/documented-members.js';
import { isMadeUp } from '../seen/made-up-values.js';
import {
  idOf,
  instantOf,
  isRefusal,
  isSuccess,
  isUnseen,
  isWithoutEnvelope,
  type Members,
  type Sample,
  type Seen,
  samplesOf,
  successBody,
} from '../seen/samples.js';
import { statusesOfUnknown } from '../seen/seen-customers.js';
import {
  agreed,
  areSortedBy,
  COARSE,
  isCoarse,
  isSorted,
  type Observation,
  type ObserversOf,
  type Repeated,
  sentLater,
  tell,
} from './observer.js';

type Decisions =
  | 'unmatched-refs'
  | 'repeat-event-delete'
  | 'deleted-events-order'
  | 'unknown-body-members';

/** A call of `deleteEventsByRefs` with a list of refs. */
export interface EventDeletion {
  readonly sample: Sample;
  readonly refs: readonly string[];
  readonly hasUnlistedMembers: boolean;
  /** The events of the response; undefined if the call was refused or returned no list of them. */
  readonly events: readonly Members[] | undefined;
}

/** Compare each deletion of events with its refs, and with other deletions (section 4.5). */
export const EVENT_DELETIONS: ObserversOf<Decisions> = {
  'unmatched-refs': {
    wanted: 'a call with a ref that no event has',
    observe: (seen) => {
      const all = deletionsIn(seen);
      const plain = all.filter(({ hasUnlistedMembers }) => !hasUnlistedMembers);
      const isAlone = ({ refs }: EventDeletion) => refs.length === 1 && refs.every(isMadeUp);
      const observe = (one: EventDeletion) => observeUnmatched(one, all, seen);
      const alone = plain.filter(isAlone).flatMap(observe);
      return comingBack([
        ...agreed(alone, 'a different unknown ref gets a different response'),
        ...plain.filter((one) => !isAlone(one)).flatMap(observe),
      ]);
    },
  },
  'repeat-event-delete': {
    wanted: 'a second call with the refs of events that were deleted',
    observe: (seen) => {
      const all = deletionsIn(seen);
      const repeated = all.flatMap((one, index) => observeRepeated(one, all.slice(0, index)));
      return sentLater(repeated);
    },
  },
  'deleted-events-order': {
    wanted: 'a call whose refs are not in the order of the timestamps of their events',
    observe: (seen) => {
      const deletions = deletionsIn(seen);
      // Fewer events are too often in some order by chance.
      const long = deletions.filter(({ events = [] }) => events.length >= 4);
      const isFew = long.length === 0 && 'fewer than 4 events were deleted';
      const isAmbiguous = long.every(({ events = [] }) => mayHaveOtherOrder(events));
      const open = isFew || (isAmbiguous && 'the events are in another order too') || undefined;
      return deletions.flatMap(observeOrder).map((observation) => ({ ...observation, open }));
    },
  },
  'unknown-body-members': {
    wanted: 'the same refs with and without a member that the document does not list',
    observe: (seen) => comingBack(deletionsIn(seen).flatMap(observeUnlisted)),
  },
};

/** Doubts what came instead of a list of events, unless it came back: no write is just repeated. */
function comingBack<Id extends Decisions>(observations: readonly Observation<Id>[]) {
  const isOdd = ({ samples }: Observation<Id>) => samples.every(isWithoutEnvelope);
  const isOnce = observations.filter(isOdd).length === 1;
  return observations.map((one) => ({
    ...one,
    isDoubtful: one.isDoubtful ?? (isOnce && isOdd(one)),
  }));
}

/** The deletions of events, in the order in which they were sent. */
export function deletionsIn(seen: Seen): readonly EventDeletion[] {
  const listed = requestMembersOf('deleteEventsByRefs', seen.document);
  return samplesOf(seen, 'deleteEventsByRefs').flatMap((sample) => {
    const { body } = sample.request;
    const refs = isObject(body) ? body.refs : undefined;
    if (!Array.isArray(refs) || refs.some((ref) => typeof ref !== 'string')) return [];
    const events = successBody(sample)?.events;
    return {
      sample,
      refs,
      hasUnlistedMembers: Object.keys(Object(body)).some((name) => !listed.includes(name)),
      events: Array.isArray(events) ? events.filter(isObject) : undefined,
    };
  });
}

function observeUnmatched(
  deletion: EventDeletion,
  all: readonly EventDeletion[],
  seen: Seen,
): Observation<'unmatched-refs'> | readonly [] {
  const { sample, refs } = deletion;
  const at = all.indexOf(deletion);
  const [earlier, later] = [all.slice(0, at), all.slice(at + 1)];
  const hasMadeUp = refs.some(isMadeUp);
  const isRepeated = earlier.some((before) => deletedBy(before, refs).length > 0);
  const { status } = sample.response;
  const ref = hasMadeUp ? 'with an unknown ref' : 'with refs';
  if (isUnseen(sample)) return [];
  // Only made-up refs are known to match no event.
  if (isSuccess(sample)) return hasMadeUp ? tell(sample, ref, 'ignore') : [];
  if (isWithoutEnvelope(sample)) return hasMadeUp ? tell(sample, `${ref}, but without events`) : [];
  if (!hasMadeUp && status !== 404) return [];
  const isAsUnknown = status === 404 || statusesOfUnknown(seen).includes(status);
  // A token that may not delete may get the same for any ref.
  const isControlled = all.some((one) => isSuccess(one.sample) && !one.refs.some(isMadeUp));
  if (!isControlled) {
    const open = 'no call with the ref of an event succeeded';
    return { ...tell(sample, ref, isAsUnknown ? 'not-found' : undefined), isDoubtful: true, open };
  }
  if (!isAsUnknown && [400, 422].includes(status)) {
    const open = 'it may be the form of the ref that the service refuses';
    return { ...tell(sample, ref, 'ignore', 'not-found'), open };
  }
  const isDeleted =
    !isRepeated && !hasUnseenDeletions(seen) && refs.some((one) => isMissing(one, later));
  return isDeleted
    ? tell(sample, `${ref}, but deleted events that other refs match`)
    : tell(sample, ref, isAsUnknown ? 'not-found' : undefined);
}

/** True if a call with unknown refs or an unknown result may have deleted any events. */
function hasUnseenDeletions({ samples, unanswered = [] }: Seen): boolean {
  return [...samples, ...unanswered].some(
    (sample) =>
      sample.request.operationId === 'deleteEventsByRefs' &&
      (sample.request.isBodyUnknown || isUnseen(sample)),
  );
}

/** True if the next successful call with this ref returned no event for it: it was gone by then. */
function isMissing(ref: string, later: readonly EventDeletion[]): boolean {
  const next = later.find(({ refs, events }) => events !== undefined && refs.includes(ref));
  if (isMadeUp(ref) || next?.events === undefined) return false;
  return next.events.every((event) => typeof event.ref === 'string' && event.ref !== ref);
}

function observeRepeated(
  { sample, refs, events }: EventDeletion,
  earlier: readonly EventDeletion[],
): Repeated<'repeat-event-delete'> | readonly [] {
  const deletion = earlier.find((before) => deletedBy(before, refs).length > 0);
  if (events === undefined || deletion === undefined) return [];
  const first = deletion.sample;
  const deleted = earlier.flatMap((before) => deletedBy(before, refs)).reverse();
  const instants = new Map(deleted.map(({ id, deletedAt }) => [idOf(id), instantOf(deletedAt)]));
  const repeated = events.filter(({ id }) => instants.has(idOf(id)));
  const isSame = repeated.every(
    ({ id, deletedAt }) => instantOf(deletedAt) === instants.get(idOf(id)),
  );
  const before = 'the events that were deleted before';
  if (repeated.length === 0) return { ...tell(sample, `without ${before}`, 'omit'), first };
  if (repeated.length < instants.size) return { ...tell(sample, `with some of ${before}`), first };
  if (!isSame) return { ...tell(sample, `with ${before}, and a different deletedAt`), first };
  const open = deleted.every(({ deletedAt }) => isCoarse(deletedAt)) ? COARSE : undefined;
  return { ...tell(sample, `with ${before}`, 'include'), open, first };
}

/**
 * The events of an earlier response that match these refs. If that call had no other refs, its
 * events need not show theirs.
 */
function deletedBy(before: EventDeletion, refs: readonly string[]): readonly Members[] {
  const hasAll = before.refs.every((ref) => refs.includes(ref));
  return (before.events ?? []).filter(
    ({ id, ref }) =>
      idOf(id) !== undefined && (hasAll || (typeof ref === 'string' && refs.includes(ref))),
  );
}

/** Without the id: services compare ids in different ways, so their order proves nothing. */
interface EventPlace {
  readonly ref: number;
  readonly timestamp: number;
}

type Order = DecisionValue<'deleted-events-order'>;

const ORDERS: Readonly<Record<Order, (one: EventPlace, other: EventPlace) => number>> = {
  refs: (one, other) => one.ref - other.ref || one.timestamp - other.timestamp,
  timestamp: (one, other) => one.timestamp - other.timestamp,
};

function observeOrder({ sample, refs, events = [] }: EventDeletion) {
  const places = events.map(({ ref, timestamp }) => ({
    ref: typeof ref === 'string' ? refs.indexOf(ref) : -1,
    timestamp: instantOf(timestamp) ?? Number.NaN,
  }));
  const areShown = places.every(({ ref, timestamp }) => ref >= 0 && !Number.isNaN(timestamp));
  if (!areShown || places.length < 2) return [];
  const values = (Object.keys(ORDERS) as Order[]).filter((value) =>
    isSorted(places, ORDERS[value]),
  );
  const order = values.map((value) => `the ${value === 'refs' ? 'refs' : 'timestamps'}`);
  const told =
    values.length === 0
      ? 'neither in the order of the refs nor of the timestamps'
      : `${places.length} events in the order of ${order.join(' and of ')}`;
  return tell(sample, told, ...values);
}

/** Few events are in the order of some other field too often by chance. */
const RIVALS = ['ref', 'id', 'createdAt'];

function mayHaveOtherOrder(events: readonly Members[]): boolean {
  if (new Set(events.map(({ timestamp }) => timestamp)).size === 1) return true;
  const down = events.toReversed();
  const isDown = isSorted(down, (one, other) => timeOf(one) - timeOf(other));
  return isDown || RIVALS.some((name) => areSortedBy(name, [events]));
}

const timeOf = ({ timestamp }: Members) => instantOf(timestamp) ?? 0;

function observeUnlisted(
  { sample, refs, hasUnlistedMembers, events = [] }: EventDeletion,
  index: number,
  all: readonly EventDeletion[],
): Observation<'unknown-body-members'> | readonly [] {
  const told = 'with a member that the document does not list';
  if (!hasUnlistedMembers || isUnseen(sample)) return [];
  if (isWithoutEnvelope(sample)) return tell(sample, `${told}, but without events`);
  if (isSuccess(sample)) {
    const isDone = events.length > 0 || sample.response.body.kind !== 'json';
    // If the next call deleted the events, this one did not.
    const next = all.slice(index + 1).find((other) => keyOf(other.refs) === keyOf(refs));
    if (!isDone && (next?.events ?? []).length > 0)
      return tell(sample, `${told}, and deleted nothing`);
    const open = isDone ? undefined : 'there was nothing left to delete';
    return { ...tell(sample, told, 'ignore'), open };
  }
  const isInvalid = [400, 422].includes(sample.response.status);
  return isInvalid && isRefusedForMember(all, index)
    ? tell(sample, `${told}; not without it`, 'reject')
    : [];
}

/** True if a deletion with an unlisted member was refused, but one without it succeeded. */
export function isRefusedForMember(all: readonly EventDeletion[], index: number): boolean {
  const { sample, refs = [], hasUnlistedMembers } = all[index] ?? {};
  if (!sample || !hasUnlistedMembers || !isRefusal(sample)) return false;
  const isSame = (other: EventDeletion) =>
    !other.hasUnlistedMembers && keyOf(other.refs) === keyOf(refs);
  // The last call without the member before it, or else the first after it.
  const same = all.slice(0, index).findLast(isSame) ?? all.slice(index).find(isSame);
  return same !== undefined && isSuccess(same.sample);
}

function keyOf(refs: readonly string[]): string {
  return JSON.stringify([...new Set(refs)].sort());
}
