import type { DecisionsBehindResponse } from '../../decisions/decisions-behind-response.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import { ProblemError } from '../../errors/problem-error.js';
import type { ProblemName } from '../../errors/problem-types.js';
import { inOrder } from '../../store/order.js';
import { cut } from '../../values/received-value.js';
import { deletionStamps } from '../deletion-stamps.js';
import type { Operation } from '../operation.js';
import { inTimeOrder, type UsageEvent } from '../resources.js';

/** Soft-deletes the account's events with these refs (section 4.5). */
export const deleteEventsByRefs: Operation<'deleteEventsByRefs'> = {
  run(context, { body }) {
    const { account, decisions } = context;
    const usageEvents = account.store.events;
    const refs = [...new Set(body.refs)];
    const matches = refs.map((ref) => inOrder(usageEvents.find('ref', ref), BY_TIMESTAMP));
    const unmatched = refs.filter((_, index) => matches[index]?.length === 0);
    const problem = unmatched.length > 0 ? unmatchedRefs(decisions) : undefined;
    if (problem) throw refusal(problem, unmatched);

    const isListed = ({ deletedAt }: UsageEvent) =>
      !deletedAt || REPEAT_EVENT_DELETE[decisions.apply('repeat-event-delete')];
    const stamps = deletionStamps(context);
    const events = matches
      .flat()
      .filter(isListed)
      .map((event) => (event.deletedAt ? event : usageEvents.softDelete(event, stamps)));
    return { events: DELETED_EVENTS_ORDER[decisions.apply('deleted-events-order')](events) };
  },
  refusals: (decisions) => [unmatchedRefs(decisions)],
};

const BY_TIMESTAMP = inTimeOrder<UsageEvent>('timestamp', ({ timestamp }) => timestamp);

function unmatchedRefs(decisions: DecisionsBehindResponse): ProblemName | undefined {
  return UNMATCHED_REFS[decisions.apply('unmatched-refs')];
}

const UNMATCHED_REFS: Record<DecisionValue<'unmatched-refs'>, ProblemName | undefined> = {
  ignore: undefined,
  'not-found': 'unknown-identifier',
};

function refusal(problem: ProblemName, unmatched: readonly string[]): ProblemError {
  const named = unmatched.slice(0, 20).map((ref) => `'${cut(ref)}'`);
  const rest =
    unmatched.length > named.length ? ` and ${unmatched.length - named.length} more` : '';
  return new ProblemError(
    problem,
    `This account has no event for ${unmatched.length === 1 ? 'this ref' : 'these refs'}: ${named.join(', ')}${rest}; expected refs of existing events. Nothing was deleted. Leave out the refs without an event.`,
    { decision: 'unmatched-refs' },
  );
}

const REPEAT_EVENT_DELETE: Record<DecisionValue<'repeat-event-delete'>, boolean> = {
  omit: false,
  include: true,
};

const DELETED_EVENTS_ORDER: Record<
  DecisionValue<'deleted-events-order'>,
  (events: UsageEvent[]) => UsageEvent[]
> = {
  refs: (events) => events,
  timestamp: (events) => inOrder(events, BY_TIMESTAMP),
};
