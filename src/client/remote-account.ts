import type { AccountControl } from '../accounts/account-control.js';
import type { DecisionsControl } from '../accounts/account-decisions.js';
import type { ClockControl } from '../accounts/clock.js';
import type { AccountState } from '../accounts/export-state.js';
import type { FaultsControl } from '../accounts/faults.js';
import type { LatencyControl } from '../accounts/latency.js';
import type { DecisionChanges } from '../decisions/decision-changes.js';
import type { FidelityRow } from '../decisions/fidelity.js';
import type { Decisions } from '../decisions/ledger.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { unknownSnapshot } from '../errors/unknown-id.js';
import { refuseWhatJsonLacks } from './refuse-what-json-lacks.js';
import type { Remote } from './remote.js';
import { remoteJournal } from './remote-journal.js';
import { isPossible, remoteRecords } from './remote-records.js';
import { isNumberOfOne, remoteStubs } from './remote-stubs.js';
import type { Send } from './send.js';
import { undefinedIfUnknown } from './undefined-if-unknown.js';
import { withData } from './with-data.js';

/** The account of a token. */
export function remoteAccount(send: Send): Remote<AccountControl> {
  return {
    customers: remoteRecords(send, 'customers'),
    contracts: remoteRecords(send, 'contracts'),
    measurements: remoteRecords(send, 'measurements'),
    events: remoteRecords(send, 'events'),
    journal: remoteJournal(send, 'account'),
    faults: remoteFaults(send),
    clock: remoteClock(send),
    stubs: remoteStubs(send, 'account'),
    latency: remoteLatency(send),
    decisions: remoteDecisions(send),
    fingerprint: async () => (await send('getAccount')).fingerprint,
    exportState: async () => (await send('getState')) as AccountState,
    async importState(state) {
      refuseWhatJsonLacks(state);
      await send('putState', { body: state });
    },
    async snapshot(id) {
      const body = id === undefined ? {} : { id };
      refuseWhatJsonLacks(body);
      return (await send('takeSnapshot', { body })).id;
    },
    async restore(id) {
      refuseWhatJsonLacks(id, 'id');
      if (isPossible(id)) return void (await send('restoreSnapshot', { id }));
      const { snapshots } = await send('listSnapshots');
      throw unknownSnapshot(
        id,
        snapshots.map((one) => one.id),
      );
    },
    async reset() {
      await send('resetAccount');
    },
  };
}

function remoteFaults(send: Send): Remote<FaultsControl> {
  return {
    async add(request) {
      refuseWhatJsonLacks(request);
      return send('addFault', { body: request });
    },
    list: async () => (await send('listFaults')).faults,
    remove: async (id) =>
      isNumberOfOne(id) ? undefinedIfUnknown(send('removeFault', { id })) : undefined,
    clear: async () => (await send('clearFaults')).count,
  };
}

function remoteClock(send: Send): Remote<ClockControl> {
  const verbs = {
    now: async () => new Date((await send('getClock')).now),
    async freeze(at?: string | Date) {
      // An invalid date is null in JSON, and is refused as such by the library as well.
      const frozenAt = at instanceof Date ? (JSON.parse(JSON.stringify(at)) as unknown) : at;
      if (at !== undefined) refuseWhatJsonLacks(frozenAt, 'frozenAt');
      await send('setClock', { body: at === undefined ? { frozenNow: true } : { frozenAt } });
    },
    async advance(advanceMs: number) {
      refuseWhatJsonLacks(advanceMs, 'advanceMs');
      await send('setClock', { body: { advanceMs } });
    },
    async useRealTime() {
      await send('setClock', { body: { real: true } });
    },
  };
  return withData(verbs, { isFrozen: async () => (await send('getClock')).isFrozen });
}

function remoteLatency(send: Send): Remote<LatencyControl> {
  const verbs = {
    async set(latency: number | string) {
      refuseWhatJsonLacks(latency, 'latency');
      await send('setLatency', { body: { latency } });
    },
    async clear() {
      await send('clearLatency');
    },
  };
  return withData(verbs, { range: () => send('getLatency') });
}

const EXPECTED_CHANGES = 'an object such as { "repeat-delete": "gone" }';

function remoteDecisions(send: Send): Remote<DecisionsControl> {
  const verbs = {
    async change(changes: DecisionChanges) {
      if (changes === undefined)
        throw new InvalidInputError('decisions', EXPECTED_CHANGES, changes);
      refuseWhatJsonLacks(changes);
      await send('patchDecisions', { body: changes });
    },
    fidelity: async () => (await send('getFidelity')).behaviours as readonly FidelityRow[],
  };
  return withData(verbs, {
    inForce: () => send('getDecisions') as Promise<unknown> as Promise<Decisions>,
  });
}
