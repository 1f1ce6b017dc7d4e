import type { JournalFilter } from '../../accounts/journal/journal-filter.js';
import { writingList } from '../json-in-pieces.js';
import { journalOf } from './by-verb.js';
import type { ControlOperations } from './control-operation.js';

export const REQUEST_OPERATIONS = {
  // In steps, because the list of a full journal takes seconds to write.
  'GET /requests'(context, { query: { of, received, ...filter } }) {
    const journal = journalOf(context, of);
    const whole = { evicted: journal.evicted, requests: [] };
    return context.run(writingList(whole, journal.listing(filter, received)));
  },
  'GET /requests/har'(context, { query: { of, ...filter } }) {
    const { log, entries } = journalOf(context, of).har(filter);
    return context.run(writingList({ log: { ...log, entries: [] } }, entries));
  },
  'GET /requests/{requestId}': (context, { path: { requestId }, query: { of } }) =>
    journalOf(context, of).get(requestId),
  'GET /requests/{requestId}/har': (context, { path: { requestId }, query: { of } }) =>
    journalOf(context, of).harOfOne(requestId),
  'POST /requests/count'(context, { query, body }) {
    const { of, filter } =
      query.of === undefined ? journalIn(body) : { of: query.of, filter: body };
    const journal = journalOf(context, of);
    return { count: journal.count(filter), evicted: journal.evicted };
  },
  async 'POST /requests/wait'(context, { query: { of }, body }) {
    return { requests: await journalOf(context, of).waitForRequests(body, context.signal) };
  },
  'GET /requests/{requestId}/explain'(context, { path: { requestId }, query: { of } }) {
    return { id: requestId, explanation: journalOf(context, of).explain(requestId) };
  },
} satisfies Partial<ControlOperations>;

type JournalName = 'account' | 'server';

function journalIn(body: (JournalFilter & { readonly of?: JournalName }) | undefined) {
  if (typeof body !== 'object' || body === null) return { of: undefined, filter: body };
  const { of, ...filter } = body;
  return { of, filter };
}
