import type { FidelityRow } from '../../core/decisions/fidelity.js';
import type { AccountControl } from '../accounts/account-interface.js';
import type { Har } from '../accounts/journal/har.js';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { type ByHand, type Remote, remotePart } from './remote.js';
import { readPages, remoteRecords } from './remote-records.js';
import type { Call } from './send.js';
import { VERBS } from './verbs.js';

type Account = Remote<AccountControl>;

const nothing = () => undefined;

export function remoteAccount(call: Call): Account {
  return remotePart(call, VERBS.account, {
    customers: remoteRecords(call, 'customers'),
    contracts: remoteRecords(call, 'contracts'),
    measurements: remoteRecords(call, 'measurements'),
    events: remoteRecords(call, 'events'),
    journal: remoteJournal(call, 'account'),
    faults: remotePart(call, VERBS.faults, {}),
    clock: remoteClock(call),
    stubs: remoteStubs(call, 'account'),
    latency: remotePart(call, VERBS.latency, {}),
    decisions: remotePart(call, VERBS.decisions, {
      fidelity: async () =>
        (await call(VERBS.decisions.fidelity)).behaviours as readonly FidelityRow[],
    }),
    changes: () =>
      readPages((cursor) =>
        call(VERBS.account.changes, { query: { cursor } }, ({ changes: items, nextCursor }) => ({
          items,
          nextCursor,
        })),
      ),
  });
}

export function remoteJournal(call: Call, of: 'account' | 'server'): Account['journal'] {
  const byHand: ByHand<Account['journal'], typeof VERBS.journal> = {
    list: async (filter) =>
      (await call(VERBS.journal.list, { query: { of, ...filter } })).requests as JournalRequest[],
    toHar: async (filter) => (await call(VERBS.journal.toHar, { query: { of, ...filter } })) as Har,
    count: async (filter = {}) =>
      (await call(VERBS.journal.count, { query: { of }, body: filter })).count,
    async waitFor(filter, options = {}) {
      const { timeoutMs: waitMs = 1_000 } = options;
      const body = { ...filter, ...options };
      return (await call(VERBS.journal.waitFor, { query: { of }, body, waitMs })).requests;
    },
  };
  return remotePart(call, VERBS.journal, byHand, { of });
}

export function remoteStubs(call: Call, owner: 'account' | 'server'): Account['stubs'] {
  return remotePart(call, VERBS.stubs, {}, { for: owner });
}

function remoteClock(call: Call): Account['clock'] {
  const set = (body: object) => call(VERBS.clock.freeze, { body }, nothing);
  return remotePart(call, VERBS.clock, {
    now: () => call(VERBS.clock.now, {}, ({ now }) => new Date(now)),
    freeze: (at) => set(at === undefined ? { frozenNow: true } : { frozenAt: at }),
    advance: (advanceMs) => set({ advanceMs }),
    useRealTime: () => set({ real: true }),
  });
}
