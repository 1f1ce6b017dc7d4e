import type { Har } from '../accounts/journal/har.js';
import type { JournalControl } from '../accounts/journal/journal-control.js';
import type { JournalFilter } from '../accounts/journal/journal-filter.js';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { unknownRequest } from '../errors/unknown-id.js';
import { refuseWhatJsonLacks } from './refuse-what-json-lacks.js';
import type { Remote } from './remote.js';
import { isNumberOfOne } from './remote-stubs.js';
import type { Send } from './send.js';

/** The journal of the account, or that of the server. */
export function remoteJournal(send: Send, of: 'account' | 'server'): Remote<JournalControl> {
  async function search(filter: JournalFilter = {}, format?: string): Promise<unknown> {
    refuseWhatJsonLacks(filter);
    return send('searchRequests', { query: { of, format }, body: filter });
  }

  async function count(filter: JournalFilter = {}) {
    refuseWhatJsonLacks(filter);
    return send('countRequests', { query: { of }, body: filter });
  }

  return {
    list: async (filter) =>
      ((await search(filter)) as { readonly requests: JournalRequest[] }).requests,
    toHar: async (filter) => (await search(filter, 'har')) as Har,
    count: async (filter) => (await count(filter)).count,
    get evicted() {
      return count().then(({ evicted }) => evicted);
    },
    async explain(id) {
      if (!isNumberOfOne(id)) throw unknownRequest(id);
      return (await send('explainRequest', { id, query: { of } })).explanation;
    },
    clear: async () => (await send('clearRequests', { query: { of } })).count,
  };
}
