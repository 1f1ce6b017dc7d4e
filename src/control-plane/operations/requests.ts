import type { Journal } from '../../accounts/journal/journal.js';
import type { JournalFilter } from '../../accounts/journal/journal-filter.js';
import type { ControlContext, ControlOperations } from './control-operation.js';

/** The requests in the journals of the account and of the server. */
export const REQUEST_OPERATIONS = {
  listRequests(context, { query: { of, format, ...filter } }) {
    const journal = journalOf(context, of);
    if (format === 'har') return journal.toHar(filter);
    return { requests: journal.list(filter), evicted: journal.evicted };
  },
  getRequest(context, { path: { requestId }, query: { of, format } }) {
    const journal = journalOf(context, of);
    return format === 'har' ? journal.harOfOne(requestId) : journal.get(requestId);
  },
  clearRequests: ({ account }) => ({ count: account.journal.clear() }),
  countRequests(context, { body }) {
    const { of, ...filter }: JournalFilter & { readonly of?: JournalName } = body ?? {};
    return { count: journalOf(context, of).count(filter) };
  },
  explainRequest(context, { path: { requestId }, query: { of } }) {
    return { id: requestId, explanation: journalOf(context, of).explain(requestId) };
  },
} satisfies Partial<ControlOperations>;

type JournalName = 'account' | 'server';

function journalOf({ account, serverJournal }: ControlContext, name?: JournalName): Journal {
  return name === 'server' ? serverJournal : account.journal;
}
