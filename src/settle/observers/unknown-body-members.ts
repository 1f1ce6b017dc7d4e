import { type EventDeletion, eventDeletionsOf } from '../event-deletions.js';
import { describeExchange } from '../evidence.js';
import { isSuccess } from '../exchange.js';
import type { Observation, Observer } from '../observation.js';

const INVALID = [400, 422];

/** Compares calls whose body has a member that the document does not list with those without (section 4.5). */
export const unknownBodyMembers: Observer<'unknown-body-members'> = {
  wanted: 'the same refs with and without a member that the document does not list',
  needsWrites: true,
  observe: (seen) => {
    const deletions = eventDeletionsOf(seen);
    return deletions.flatMap((deletion, index) =>
      deletion.hasUnlistedMembers
        ? observeUnlisted(deletion, comparedWith(deletion, deletions, index))
        : [],
    );
  },
};

/** The last call before with the same refs alone, or else the first after. */
function comparedWith(
  { refs }: EventDeletion,
  deletions: readonly EventDeletion[],
  index: number,
): EventDeletion | undefined {
  const isSame = (other: EventDeletion) =>
    !other.hasUnlistedMembers && keyOf(other.refs) === keyOf(refs);
  return deletions.slice(0, index).findLast(isSame) ?? deletions.slice(index).find(isSame);
}

function keyOf(refs: readonly string[]): string {
  return JSON.stringify([...new Set(refs)].sort());
}

function observeUnlisted(
  { exchange }: EventDeletion,
  same: EventDeletion | undefined,
): Observation<'unknown-body-members'>[] {
  const told = 'with a member that the document does not list';
  if (isSuccess(exchange)) {
    return [{ explainedBy: ['ignore'], evidence: describeExchange(exchange, told) }];
  }
  const isRefusedOnlyWithIt = same !== undefined && isSuccess(same.exchange);
  if (!isRefusedOnlyWithIt || !INVALID.includes(exchange.answer.status)) return [];
  return [
    { explainedBy: ['reject'], evidence: describeExchange(exchange, `${told}; not without it`) },
  ];
}
