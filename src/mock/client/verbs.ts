import type { ResourceName } from '../../core/billing/resources.js';
import type { StubsControl } from '../../core/stubs/stubs.js';
import type { DecisionsControl } from '../accounts/account-decisions.js';
import type { AccountControl } from '../accounts/account-interface.js';
import type { ClockControl } from '../accounts/clock.js';
import type { FaultsControl } from '../accounts/faults.js';
import type { JournalControl } from '../accounts/journal/journal.js';
import type { LatencyControl } from '../accounts/latency.js';
import type { Records } from '../accounts/records.js';
import type { Route } from './control-routes.js';
import { AS_BODY, asId, asMember, IN_QUERY, inPath, type VerbsOf } from './verb.js';

type PartName = ResourceName | 'journal' | 'faults' | 'clock' | 'stubs' | 'latency' | 'decisions';

const account = {
  changes: 'GET /changes',
  fingerprint: { route: 'GET /account', returns: 'fingerprint' },
  exportState: { route: 'GET /state' },
  importState: { route: 'PUT /state', takes: AS_BODY, returns: null },
  fixture: { route: 'GET /fixture', takes: IN_QUERY },
  snapshot: { route: 'POST /snapshots', takes: asMember('id'), returns: 'id' },
  restore: {
    route: 'POST /snapshots/{snapshotId}/restore',
    takes: inPath('snapshotId'),
    returns: null,
  },
  scenario: {
    route: 'PUT /scenario',
    takes: asMember('name'),
    returns: null,
    shows: 'GET /account',
  },
  rewind: {
    route: 'POST /requests/{requestId}/rewind',
    takes: inPath('requestId'),
    returns: 'count',
  },
  reset: { route: 'POST /reset', returns: null },
  setName: { route: 'PUT /account', takes: asMember('name'), returns: null },
  markTest: { route: 'PUT /account/test', takes: AS_BODY, returns: null },
} as const satisfies VerbsOf<Omit<AccountControl, PartName>>;

/** The verbs of every collection. */
const customers = {
  get: 'GET /{collection}/{id}',
  list: 'GET /{collection}',
  put: 'PUT /{collection}/{id}',
  add: 'POST /{collection}',
  patch: 'PATCH /{collection}/{id}',
  remove: 'DELETE /{collection}/{id}',
} as const satisfies VerbsOf<Records<'customers'>>;

/** The verbs of an account's journal and of the server's. */
const journal = {
  list: 'GET /requests',
  toHar: 'GET /requests/har',
  count: 'POST /requests/count',
  waitFor: 'POST /requests/wait',
  explain: {
    route: 'GET /requests/{requestId}/explain',
    takes: inPath('requestId'),
    returns: 'explanation',
  },
  clear: { route: 'DELETE /requests', returns: 'count' },
  evicted: { route: 'POST /requests/count', returns: 'evicted', isData: true },
} as const satisfies VerbsOf<JournalControl>;

const faults = {
  add: { route: 'POST /faults', takes: AS_BODY },
  list: { route: 'GET /faults', returns: 'faults' },
  remove: { route: 'DELETE /faults/{faultId}', takes: asId('faultId') },
  clear: { route: 'DELETE /faults', returns: 'count' },
} as const satisfies VerbsOf<FaultsControl>;

/** The verbs of an account's stubs and of the server's. */
const stubs = {
  add: { route: 'POST /stubs', takes: AS_BODY },
  list: { route: 'GET /stubs', returns: 'stubs' },
  remove: { route: 'DELETE /stubs/{stubId}', takes: asId('stubId') },
  clear: { route: 'DELETE /stubs', returns: 'count' },
} as const satisfies VerbsOf<StubsControl>;

const clock = {
  now: 'GET /clock',
  freeze: 'PUT /clock',
  advance: 'PUT /clock',
  useRealTime: 'PUT /clock',
  isFrozen: { route: 'GET /clock', returns: 'isFrozen', isData: true },
  isSet: { route: 'GET /clock', returns: 'isSet', isData: true },
} as const satisfies VerbsOf<ClockControl>;

const latency = {
  range: { route: 'GET /latency', isData: true },
  set: { route: 'PUT /latency', takes: asMember('latency'), returns: null, shows: 'GET /latency' },
  clear: { route: 'DELETE /latency', returns: null, shows: 'GET /latency' },
} as const satisfies VerbsOf<LatencyControl>;

const decisions = {
  inForce: { route: 'GET /decisions', isData: true },
  change: { route: 'PATCH /decisions', takes: AS_BODY, returns: null },
  fidelity: 'GET /fidelity',
} as const satisfies VerbsOf<DecisionsControl>;

/** The verbs of the client itself, which the server has by hand. */
const server = {
  openapi: 'GET /openapi.json',
  coverage: 'GET /coverage',
  resetAll: 'POST /accounts/reset',
  closeAccount: 'DELETE /account',
  closeAccounts: 'DELETE /accounts',
  closeAllAccounts: 'DELETE /accounts',
  stop: 'POST /stop',
} as const satisfies Readonly<Record<string, Route>>;

/** The verbs of the library, by the part that has them. */
export const VERBS = {
  account,
  customers,
  journal,
  faults,
  clock,
  stubs,
  latency,
  decisions,
  server,
} as const;
