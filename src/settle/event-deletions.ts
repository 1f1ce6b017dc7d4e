import { isObject } from '../messages/is-object.js';
import { callsOf } from './account-calls.js';
import { requestMembersOf } from './documented-members.js';
import { type Exchange, successBody } from './exchange.js';
import type { Seen } from './observation.js';

/** A call of `deleteEventsByRefs` with a list of refs. */
export interface EventDeletion {
  readonly exchange: Exchange;
  readonly refs: readonly string[];
  /** True if the body has members that the document does not list. */
  readonly hasUnlistedMembers: boolean;
  /** The events of the answer; undefined if it was refused, or has none to read. */
  readonly events: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** The deletions of events, in the sequence in which they were sent. */
export function eventDeletionsOf(seen: Seen): readonly EventDeletion[] {
  const listed = requestMembersOf('deleteEventsByRefs', seen.document);
  return callsOf(seen, 'deleteEventsByRefs').flatMap((exchange) => {
    const { body } = exchange.call;
    if (!isObject(body) || !isTexts(body.refs)) return [];
    const events = successBody(exchange)?.events;
    return [
      {
        exchange,
        refs: body.refs,
        hasUnlistedMembers: Object.keys(body).some((name) => !listed.includes(name)),
        events: Array.isArray(events) ? events.filter(isObject) : undefined,
      },
    ];
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
