import { isNotFound } from '../account-calls.js';
import { type EventDeletion, eventDeletionsOf } from '../event-deletions.js';
import { describeExchange } from '../evidence.js';
import { isSuccess } from '../exchange.js';
import { MADE_UP_REF } from '../made-up.js';
import type { Observation, Observer, Seen } from '../observation.js';
import { unknownCustomers } from './unknown-identifier-status.js';

type Observed = Observation<'unmatched-refs'>;

/** Reads what happens to a ref that no event has, alone and beside others (section 4.5). */
export const unmatchedRefs: Observer<'unmatched-refs'> = {
  wanted: 'a call with a ref that no event has',
  needsWrites: true,
  observe: (seen) => {
    const deletions = eventDeletionsOf(seen).filter((one) => !one.hasUnlistedMembers);
    return deletions.flatMap((deletion, index) =>
      isSuccess(deletion.exchange)
        ? observeSuccess(deletion)
        : observeRefusal(deletion, deletions.slice(index + 1), seen),
    );
  },
};

/** Of another ref that no event of the answer has it is not known whether one had it before. */
function observeSuccess({ exchange, refs }: EventDeletion): Observed[] {
  if (!refs.includes(MADE_UP_REF)) return [];
  return [
    { explainedBy: ['ignore'], evidence: describeExchange(exchange, 'with a ref of no event') },
  ];
}

function observeRefusal(
  { exchange, refs }: EventDeletion,
  later: readonly EventDeletion[],
  seen: Seen,
): Observed[] {
  const { status } = exchange.answer;
  const isMadeUp = refs.includes(MADE_UP_REF);
  if (!isMadeUp && status !== 404) return [];
  const unknown = unknownCustomers(seen).filter(isNotFound);
  const isAsUnknown = status === 404 || unknown.some(({ answer }) => answer.status === status);
  // A 400 may be that of an unknown identifier if it is not known which that is.
  if (!isAsUnknown && status === 400 && unknown.length === 0) return [];
  const isDeleted = refs.some((ref) => isMissing(ref, later));
  const ref = isMadeUp ? 'with a ref of no event' : 'with refs';
  const told = isDeleted ? `${ref}, and yet deleted what others match` : ref;
  return [
    {
      explainedBy: isAsUnknown && !isDeleted ? ['not-found'] : [],
      evidence: describeExchange(exchange, told),
    },
  ];
}

/** True if the next call with the ref that succeeded has no event with it: it was deleted before. */
function isMissing(ref: string, later: readonly EventDeletion[]): boolean {
  const next = later.find(({ refs, events }) => events !== undefined && refs.includes(ref));
  if (ref === MADE_UP_REF || next?.events === undefined) return false;
  return next.events.every((event) => typeof event.ref === 'string' && event.ref !== ref);
}
