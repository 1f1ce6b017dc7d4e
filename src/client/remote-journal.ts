import type { Har } from '../accounts/journal/har.js';
import type { JournalControl } from '../accounts/journal/journal-control.js';
import type { JournalFilter } from '../accounts/journal/journal-filter.js';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { unknownRequest } from '../errors/unknown-id.js';
import { refuseWhatJsonLacks } from './refuse-what-json-lacks.js';
import type { Remote } from './remote.js';
import { isNumberOfOne } from './remote-stubs.js';
import type { Send } from './send.js';
import { withData } from './with-data.js';

/** The journal of the account, or that of the server. */
export function remoteJournal(send: Send, of: 'account' | 'server'): Remote<JournalControl> {
  async function search(filter?: JournalFilter, format?: 'har'): Promise<unknown> {
    // Only a body shows what is wrong with a filter.
    if (filter !== undefined) await count(filter);
    // A query has no empty value; no path is a space.
    const path = filter?.path === '' ? ' ' : filter?.path;
    return send('listRequests', { query: { of, format, ...filter, path } });
  }

  async function count(filter: JournalFilter = {}) {
    refuseWhatJsonLacks(filter);
    return send('countRequests', { query: { of }, body: filter });
  }

  const verbs = {
    list: async (filter?: JournalFilter) =>
      ((await search(filter)) as { readonly requests: JournalRequest[] }).requests,
    toHar: async (filter?: JournalFilter) => (await search(filter, 'har')) as Har,
    count: async (filter?: JournalFilter) => (await count(filter)).count,
    async explain(id: number) {
      if (!isNumberOfOne(id)) throw unknownRequest(id);
      return (await send('explainRequest', { id, query: { of } })).explanation;
    },
    clear: async () => (await send('clearRequests', { query: { of } })).count,
  };
  return withData(verbs, { evicted: async () => (await count()).evicted });
}
