import type { FidelityRow } from '../../core/decisions/fidelity.js';
import type { Decisions } from '../../core/decisions/ledger.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { unknownRequest, unknownSnapshot } from '../../core/errors/unknown-id.js';
import type { AccountFixture } from '../accounts/account-fixture.js';
import type { AccountControl, AccountState, ListOptions } from '../accounts/account-interface.js';
import type { Har } from '../accounts/journal/har.js';
import type { JournalFilter } from '../accounts/journal/journal-filter.js';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import { undefinedIfUnknown } from './error-of-problem.js';
import { isPossible, refuseWhatJsonLacks } from './refuse-unsendable.js';
import type { Remote } from './remote.js';
import { readPages, remoteRecords } from './remote-records.js';
import type { Call } from './send.js';

type Account = Remote<AccountControl>;

/** The longest wait that the control plane's document allows. */
const LONGEST_WAIT_MS = 600_000;

const nothing = () => undefined;
const countIn = ({ count }: { readonly count: number }) => count;

export function remoteAccount(call: Call): Account {
  return {
    customers: remoteRecords(call, 'customers'),
    contracts: remoteRecords(call, 'contracts'),
    measurements: remoteRecords(call, 'measurements'),
    events: remoteRecords(call, 'events'),
    journal: remoteJournal(call, 'account'),
    faults: remoteFaults(call),
    clock: remoteClock(call),
    stubs: remoteStubs(call, 'account'),
    latency: remoteLatency(call),
    decisions: remoteDecisions(call),
    changes: () =>
      readPages((cursor) =>
        call('GET /changes', { query: { cursor } }, ({ changes: items, nextCursor }) => ({
          items,
          nextCursor,
        })),
      ),
    fingerprint: () => call('GET /account', {}, ({ fingerprint }) => fingerprint),
    coverage: () => call('GET /coverage'),
    exportState: () => call('GET /state', {}, (state) => state as AccountState),
    importState: (body) => call('PUT /state', { body }, nothing),
    fixture: (options) =>
      call('GET /fixture', { query: { ...options } }, (fixture) => fixture as AccountFixture),
    snapshot: (given) => call('POST /snapshots', { body: { id: given } }, ({ id }) => id),
    async restore(id) {
      refuseWhatJsonLacks(id, 'id');
      if (isPossible(id)) {
        const path = { snapshotId: id };
        return call('POST /snapshots/{snapshotId}/restore', { path }, nothing);
      }
      const { snapshots } = await call('GET /snapshots');
      const ids = snapshots.map((one) => one.id);
      throw unknownSnapshot(id, ids);
    },
    async scenario(name) {
      refuseWhatJsonLacks(name, 'name');
      return call('PUT /scenario', { body: { name } }, nothing);
    },
    async rewind(id) {
      if (!mayBeId(id)) throw unknownRequest(id);
      return call('POST /requests/{requestId}/rewind', { path: { requestId: id } }, countIn);
    },
    reset: () => call('POST /reset', {}, nothing),
    setName: (name) => call('PUT /account', { body: { name } }, nothing),
    markTest: (body) => call('PUT /account/test', { body }, nothing),
  };
}

export function remoteJournal(call: Call, of: 'account' | 'server'): Account['journal'] {
  const count = (filter: JournalFilter = {}) =>
    call('POST /requests/count', { query: { of }, body: filter });

  async function queryOf(filter?: JournalFilter, { values }: ListOptions = {}) {
    // `count` checks the filter. It sends a body, because in a query the status '404' would pass.
    if (filter !== undefined) await count(filter);
    // A query cannot express the empty path; a space matches no path either.
    const path = filter?.path === '' ? ' ' : filter?.path;
    return { query: { of, ...filter, path, values } };
  }

  return withHiddenGetters({
    list: async (filter, options) =>
      call(
        'GET /requests',
        await queryOf(filter, options),
        ({ requests }) => requests as JournalRequest[],
      ),
    toHar: async (filter, options) =>
      call('GET /requests/har', await queryOf(filter, options), (archive) => archive as Har),
    count: async (filter) => countIn(await count(filter)),
    async waitFor(filter, options = {}) {
      // Checked on its own, so that its mistakes are not reported as those of the options.
      if (filter !== undefined) await count(filter);
      const { timeoutMs = 1_000 } = options;
      // The mock does not wait for any other timeout: it refuses all but 0.
      const waitMs = timeoutMs > 0 && timeoutMs <= LONGEST_WAIT_MS ? timeoutMs : 0;
      const body = { ...filter, ...options };
      return (await call('POST /requests/wait', { query: { of }, body, waitMs })).requests;
    },
    async explain(id) {
      if (!mayBeId(id)) throw unknownRequest(id);
      return call(
        'GET /requests/{requestId}/explain',
        { path: { requestId: id }, query: { of } },
        ({ explanation }) => explanation,
      );
    },
    clear: () => call('DELETE /requests', { query: { of } }, countIn),
    get evicted() {
      return count().then(({ evicted }) => evicted);
    },
  });
}

export function remoteStubs(call: Call, owner: 'account' | 'server'): Account['stubs'] {
  const query = { for: owner };
  return {
    add: (request) => call('POST /stubs', { query, body: asJson(request) }),
    list: () => call('GET /stubs', { query }, ({ stubs }) => stubs),
    remove: (id) =>
      ifMayBeId(id, (stubId) => call('DELETE /stubs/{stubId}', { path: { stubId }, query })),
    clear: () => call('DELETE /stubs', { query }, countIn),
  };
}

function remoteFaults(call: Call): Account['faults'] {
  return {
    add: (body) => call('POST /faults', { body }),
    list: () => call('GET /faults', {}, ({ faults }) => faults),
    remove: (id) =>
      ifMayBeId(id, (faultId) => call('DELETE /faults/{faultId}', { path: { faultId } })),
    clear: () => call('DELETE /faults', {}, countIn),
  };
}

function remoteClock(call: Call): Account['clock'] {
  const set = (body: object) => call('PUT /clock', { body }, nothing);
  return withHiddenGetters({
    now: () => call('GET /clock', {}, ({ now }) => new Date(now)),
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
    get isFrozen() {
      return call('GET /clock', {}, ({ isFrozen }) => isFrozen);
    },
    get isSet() {
      return call('GET /clock', {}, ({ isSet }) => isSet);
    },
  });
}

function remoteLatency(call: Call): Account['latency'] {
  return withHiddenGetters({
    async set(latency) {
      refuseWhatJsonLacks(latency, 'latency');
      return call('PUT /latency', { body: { latency } }, nothing);
    },
    clear: () => call('DELETE /latency', {}, nothing),
    get range() {
      return call('GET /latency');
    },
  });
}

const EXPECTED_CHANGES = 'an object such as { "repeat-delete": "gone" }';

function remoteDecisions(call: Call): Account['decisions'] {
  return withHiddenGetters({
    async change(body) {
      if (body === undefined) throw new InvalidInputError('decisions', EXPECTED_CHANGES, body);
      return call('PATCH /decisions', { body }, nothing);
    },
    fidelity: () =>
      call('GET /fidelity', {}, ({ behaviours }) => behaviours as readonly FidelityRow[]),
    get inForce() {
      return call('GET /decisions', {}, (decisions): unknown => decisions) as Promise<Decisions>;
    },
  });
}

/** Hides getters, which send requests, from whatever prints, copies or compares the part. */
function withHiddenGetters<Part extends object>(part: Part): Part {
  const getters = Object.entries(Object.getOwnPropertyDescriptors(part)).filter(
    ([, { get }]) => get !== undefined,
  );
  for (const [name] of getters) Object.defineProperty(part, name, { enumerable: false });
  return part;
}

/** The value as JSON, which is how the library stores it; unchanged if it cannot be converted. */
function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return value;
  }
}

/** Whether a value can be a numeric id; the text '1' cannot. */
function mayBeId(id: unknown): id is number {
  return Number.isSafeInteger(id) && Number(id) >= 1;
}

/** Makes a call about an id; resolves to undefined if nothing has that id. */
async function ifMayBeId<Body>(
  id: unknown,
  call: (id: number) => Promise<Body>,
): Promise<Body | undefined> {
  return mayBeId(id) ? undefinedIfUnknown(call(id)) : undefined;
}
