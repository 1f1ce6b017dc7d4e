import type { StubsControl } from '../stubs/stubs.js';
import { refuseWhatJsonLacks } from './refuse-what-json-lacks.js';
import type { Remote } from './remote.js';
import type { Send } from './send.js';
import { undefinedIfUnknown } from './undefined-if-unknown.js';

/** The stubs of the account, or those of the server. */
export function remoteStubs(send: Send, owner: 'account' | 'server'): Remote<StubsControl> {
  const query = { for: owner };
  return {
    async add(request) {
      const body = asJson(request);
      refuseWhatJsonLacks(body);
      return send('addStub', { query, body });
    },
    list: async () => (await send('listStubs', { query })).stubs,
    remove: async (id) =>
      isNumberOfOne(id) ? undefinedIfUnknown(send('removeStub', { id, query })) : undefined,
    clear: async () => (await send('clearStubs', { query })).count,
  };
}

/** The stub as JSON has it, as the library keeps it; what JSON cannot express unchanged. */
function asJson(request: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(request));
  } catch {
    return request;
  }
}

/** Whether something may have this number: the text '1' is the number of nothing. */
export function isNumberOfOne(id: unknown): id is number {
  return Number.isSafeInteger(id);
}
