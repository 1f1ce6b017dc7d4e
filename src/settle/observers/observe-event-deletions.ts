import type { DecisionValue } from '../../decisions/ledger.js';
import { isObject } from '../../values/json-value.js';
import { requestMembersOf } from '../seen/documented-members.js';
import { MADE_UP_REF } from '../seen/made-up-values.js';
import {
  idOf,
  instantOf,
  isSuccess,
  type Members,
  type Sample,
  type Seen,
  samplesOf,
  successBody,
} from '../seen/samples.js';
import { statusesOfUnknown } from '../seen/seen-customers.js';
import { isSorted, mayLinger, type Observation, type ObserversOf, tell } from './observer.js';

type Decisions =
  | 'unmatched-refs'
  | 'repeat-event-delete'
  | 'deleted-events-order'
  | 'unknown-body-members';

/** A request of `deleteEventsByRefs` with a list of refs. */
interface EventDeletion {
  readonly sample: Sample;
  readonly refs: readonly string[];
  /** True if the body has members that the document does not list. */
  readonly hasUnlistedMembers: boolean;
  /** The events of the response; undefined if it was refused, or has none to read. */
  readonly events: readonly Members[] | undefined;
}

/** Compare the deletions of events with their refs, and with those before and after (section 4.5). */
export const EVENT_DELETIONS: ObserversOf<Decisions> = {
  'unmatched-refs': {
    wanted: 'a call with a ref that no event has',
    observe: (seen) => {
      const deletions = deletionsIn(seen).filter((one) => !one.hasUnlistedMembers);
      return deletions.flatMap((deletion, index) =>
        observeUnmatched(deletion, deletions.slice(index + 1), seen),
      );
    },
  },
  'repeat-event-delete': {
    wanted: 'a second call with the refs of events that were deleted',
    observe: (seen) => {
      const told = deletionsIn(seen).flatMap((deletion, index, all) =>
        observeRepeated(deletion, all.slice(0, index)),
      );
      // A service may find for a moment what it has deleted: then it leaves it out later.
      const [last] = told.slice(-1);
      const isOmitted = last?.explainedBy[0] === 'omit';
      return told
        .filter(({ explainedBy }) => !isOmitted || explainedBy[0] === 'omit')
        .map((observation) => ({ ...observation, open: last?.open }));
    },
  },
  'deleted-events-order': {
    wanted: 'a call whose refs are not in the order of the timestamps of their events',
    observe: (seen) => {
      const deletions = deletionsIn(seen);
      // Fewer are too often in some order by chance.
      const isEnough = deletions.some(({ events = [] }) => events.length >= 4);
      const open = isEnough ? undefined : 'fewer than 4 events were deleted';
      return deletions.flatMap(observeOrder).map((observation) => ({ ...observation, open }));
    },
  },
  'unknown-body-members': {
    wanted: 'the same refs with and without a member that the document does not list',
    observe: (seen) => deletionsIn(seen).flatMap(observeUnlisted),
  },
};

/** The deletions of events, in the sequence in which they were sent. */
function deletionsIn(seen: Seen): readonly EventDeletion[] {
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
  { sample, refs }: EventDeletion,
  later: readonly EventDeletion[],
  seen: Seen,
) {
  const isMadeUp = refs.includes(MADE_UP_REF);
  const { status } = sample.response;
  // Of another ref that no event of the response has it is not known whether one had it before.
  if (isSuccess(sample)) return isMadeUp ? tell(sample, 'with an unknown ref', 'ignore') : [];
  if (!isMadeUp && status !== 404) return [];
  const ofUnknown = statusesOfUnknown(seen);
  const isAsUnknown = status === 404 || ofUnknown.includes(status);
  // A 400 may be that of an unknown identifier if it is not known which that is.
  if (!isAsUnknown && status === 400 && ofUnknown.length === 0) return [];
  const isDeleted = refs.some((ref) => isMissing(ref, later));
  const ref = isMadeUp ? 'with an unknown ref' : 'with refs';
  return isDeleted
    ? tell(sample, `${ref}, but deleted events that other refs match`)
    : tell(sample, ref, isAsUnknown ? 'not-found' : undefined);
}

/** True if the next request with the ref that succeeded has no event with it: it was deleted before. */
function isMissing(ref: string, later: readonly EventDeletion[]): boolean {
  const next = later.find(({ refs, events }) => events !== undefined && refs.includes(ref));
  if (ref === MADE_UP_REF || next?.events === undefined) return false;
  return next.events.every((event) => typeof event.ref === 'string' && event.ref !== ref);
}

function observeRepeated(
  { sample, refs, events }: EventDeletion,
  earlier: readonly EventDeletion[],
): Observation<'repeat-event-delete'> | readonly [] {
  if (events === undefined) return [];
  const deleted = earlier.flatMap((before) => deletedBy(before, refs)).reverse();
  const first = new Map(deleted.map((event) => [idOf(event.id), event]));
  const [deletion] = earlier.filter((before) => deletedBy(before, refs).length > 0);
  if (deletion === undefined) return [];
  const repeated = events.filter(({ id }) => first.has(idOf(id)));
  const isSame = repeated.every(
    ({ id, deletedAt }) => instantOf(deletedAt) === instantOf(first.get(idOf(id))?.deletedAt),
  );
  const before = 'the events that were deleted before';
  if (repeated.length === 0) return tell(sample, `without ${before}`, 'omit');
  if (repeated.length < first.size) return tell(sample, `with some of ${before}`);
  return isSame
    ? { ...tell(sample, `with ${before}`, 'include'), open: mayLinger(deletion.sample, sample) }
    : tell(sample, `with ${before}, and another deletedAt`);
}

/** The events of an earlier response that the refs match; a response may not show the refs. */
function deletedBy(before: EventDeletion, refs: readonly string[]): readonly Members[] {
  const hasAll = before.refs.every((ref) => refs.includes(ref));
  return (before.events ?? []).filter(
    ({ id, ref }) =>
      idOf(id) !== undefined && (hasAll || (typeof ref === 'string' && refs.includes(ref))),
  );
}

/** Where an event is. Of equal places the sequence tells nothing: ids differ in how they compare. */
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

function observeUnlisted(
  { sample, refs, hasUnlistedMembers }: EventDeletion,
  index: number,
  all: readonly EventDeletion[],
) {
  const told = 'with a member that the document does not list';
  if (!hasUnlistedMembers) return [];
  if (isSuccess(sample)) return tell(sample, told, 'ignore');
  const isSame = (other: EventDeletion) =>
    !other.hasUnlistedMembers && keyOf(other.refs) === keyOf(refs);
  // The last one before with the same refs alone, or else the first after.
  const same = all.slice(0, index).findLast(isSame) ?? all.slice(index).find(isSame);
  const isRefusedOnlyWithIt = same !== undefined && isSuccess(same.sample);
  const isInvalid = [400, 422].includes(sample.response.status);
  return isRefusedOnlyWithIt && isInvalid ? tell(sample, `${told}; not without it`, 'reject') : [];
}

function keyOf(refs: readonly string[]): string {
  return JSON.stringify([...new Set(refs)].sort());
}
