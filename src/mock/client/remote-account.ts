import type { FidelityRow } from '../../core/decisions/fidelity.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { unknownSnapshot } from '../../core/errors/unknown-id.js';
import { isObject } from '../../core/values/json-value.js';
import type { AccountControl, ListOptions } from '../accounts/account-interface.js';
import type { Har } from '../accounts/journal/har.js';
import type { JournalFilter } from '../accounts/journal/journal-filter.js';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { isPossible, refuseWhatJsonLacks } from './refuse-unsendable.js';
import { type Remote, remotePart } from './remote.js';
import { readPages, remoteRecords } from './remote-records.js';
import type { Call } from './send.js';
import { asJson } from './verb.js';
import { VERBS } from './verbs.js';

type Account = Remote<AccountControl>;

/** The longest wait that the control plane's document allows. */
const LONGEST_WAIT_MS = 600_000;

const nothing = () => undefined;
const countIn = ({ count }: { readonly count: number }) => count;

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
    decisions: remoteDecisions(call),
    changes: () =>
      readPages((cursor) =>
        call(VERBS.account.changes, { query: { cursor } }, ({ changes: items, nextCursor }) => ({
          items,
          nextCursor,
        })),
      ),
    async restore(id) {
      refuseWhatJsonLacks(id, 'id');
      if (isPossible(id)) {
        const path = { snapshotId: id };
        return call(VERBS.account.restore, { path }, nothing);
      }
      const { snapshots } = await call('GET /snapshots');
      const ids = snapshots.map((one) => one.id);
      throw unknownSnapshot(id, ids);
    },
  });
}

export function remoteJournal(call: Call, of: 'account' | 'server'): Account['journal'] {
  const count = (filter: JournalFilter = {}) =>
    call(VERBS.journal.count, { query: { of }, body: filter });

  /** Sends the filter in the query, in which the status '404' would pass: `count` refuses that. */
  async function read<To extends 'GET /requests' | 'GET /requests/har'>(
    route: To,
    filter: JournalFilter = {},
    { values }: ListOptions = {},
  ) {
    if (!isInQuery(filter)) await count(filter);
    // A query cannot express the empty path; a space matches no path either.
    const path = filter.path === '' ? ' ' : filter.path;
    try {
      return await call(route, { query: { of, ...filter, path, values } });
    } catch (error) {
      // In the words of the library.
      if (error instanceof InvalidInputError) await count(filter);
      throw error;
    }
  }

  const byHand: Omit<Account['journal'], 'clear' | 'evicted' | 'explain'> = {
    async list(filter, options) {
      const { requests } = await read(VERBS.journal.list, filter, options);
      return requests as JournalRequest[];
    },
    toHar: async (filter, options) => (await read(VERBS.journal.toHar, filter, options)) as Har,
    count: async (filter) => countIn(await count(filter)),
    async waitFor(filter, options = {}) {
      // Checked on its own, so that its mistakes are not reported as those of the options.
      if (filter !== undefined) await count(filter);
      const { timeoutMs = 1_000 } = options;
      // The mock does not wait for any other timeout: it refuses all but 0.
      const waitMs = timeoutMs > 0 && timeoutMs <= LONGEST_WAIT_MS ? timeoutMs : 0;
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
    // JSON turns an invalid date into null, which the mock refuses as well.
    freeze: (at) =>
      set(
        at === undefined ? { frozenNow: true } : { frozenAt: at instanceof Date ? asJson(at) : at },
      ),
    async advance(advanceMs) {
      refuseWhatJsonLacks(advanceMs, 'advanceMs');
      return set({ advanceMs });
    },
    useRealTime: () => set({ real: true }),
  });
}

const EXPECTED_CHANGES = 'an object such as { "repeat-delete": "gone" }';

function remoteDecisions(call: Call): Account['decisions'] {
  return remotePart(call, VERBS.decisions, {
    async change(body) {
      if (body === undefined) throw new InvalidInputError('decisions', EXPECTED_CHANGES, body);
      return call(VERBS.decisions.change, { body }, nothing);
    },
    fidelity: () =>
      call(VERBS.decisions.fidelity, {}, ({ behaviours }) => behaviours as readonly FidelityRow[]),
  });
}

/** The members of a filter that a query expresses, all as text. */
const IN_QUERY: Readonly<Record<keyof JournalFilter, 'string' | 'number'>> = {
  operationId: 'string',
  status: 'number',
  path: 'string',
  since: 'string',
};

/** Whether the mock, which reads texts from a query, would refuse the filter as the library does. */
function isInQuery(filter: unknown): boolean {
  if (!isObject(filter)) return false;
  const types: Readonly<Record<string, string>> = IN_QUERY;
  return Object.entries(filter).every(
    ([name, value]) => value === undefined || typeof value === types[name],
  );
}
