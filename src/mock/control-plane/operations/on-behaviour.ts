import { type DecisionId, LEDGER, type LedgerRow } from '../../../core/decisions/ledger.js';
import { UnknownIdError } from '../../../core/errors/unknown-id.js';
import type { Stub } from '../../../core/stubs/stub.js';
import type { Stubs } from '../../../core/stubs/stubs.js';
import type { Account } from '../../accounts/account.js';
import type { FaultRequest } from '../../accounts/faults.js';
import type { ControlContext, ControlOperations } from './control-operation.js';

export const BEHAVIOUR_OPERATIONS = {
  getDocument(context, { query: { of } }) {
    if (of === 'server') return context.specificationFor(context.decisions()).document;
    const { decisions, store } = context.account;
    return context.specificationFor(decisions.inForce, store.bases.keepsUndocumented).document;
  },

  getFidelity: ({ account }) => ({ behaviours: account.decisions.fidelity() }),
  getLedger: ({ account }) => ({
    decisions: (Object.entries(LEDGER) as [DecisionId, LedgerRow][]).map(([id, row]) => ({
      id,
      section: row.section,
      question: row.question,
      default: row.default,
      value: account.decisions.inForce[id],
      values: valuesOf(row),
      isServerWide: row.isServerWide === true,
    })),
  }),
  getDecisions: ({ account }) => account.decisions.inForce,
  patchDecisions({ account, specificationFor }, { body }) {
    account.decisions.change(body);
    // Built now, so that decisions without a valid document fail here.
    specificationFor(account.decisions.inForce);
    return account.decisions.inForce;
  },

  listFaults: ({ account }) => ({ faults: account.faults.list() }),
  // `add` checks the members of each kind of fault.
  addFault: ({ account }, { body }) => account.faults.add(body as FaultRequest),
  clearFaults: ({ account }) => ({ count: account.faults.clear() }),
  removeFault: ({ account }, { path: { faultId } }) =>
    account.faults.remove(faultId) ?? refuseUnknown('fault', faultId),

  // By default the account's stubs and the server's.
  listStubs(context, { query }) {
    const owners = query.for ? [query.for] : (['account', 'server'] as const);
    return { stubs: owners.flatMap((owner) => stubsOf(context, owner).list()) };
  },
  addStub(context, { query, body }) {
    if (query.for) return stubsOf(context, query.for).add(body);
    // `add` refuses anything but an object.
    if (typeof body !== 'object' || body === null) return stubsOf(context).add(body);
    const { for: owner, ...stub } = body;
    return stubsOf(context, owner).add(stub);
  },
  clearStubs: (context, { query }) => ({ count: stubsOf(context, query.for).clear() }),
  getStub(context, { path: { stubId }, query: { for: owner } }) {
    const stub = stubsOf(context, owner)
      .list()
      .find(({ id }) => id === stubId);
    return stub ?? refuseUnknown('stub', stubId, owner);
  },
  removeStub: (context, { path: { stubId }, query: { for: owner } }) =>
    stubsOf(context, owner).remove(stubId) ?? refuseUnknown('stub', stubId, owner),

  getClock: ({ account }) => clockOf(account),
  setClock({ account }, { body }) {
    account.clock.set(body);
    return clockOf(account);
  },

  getLatency: ({ account }) => account.latency.range,
  setLatency({ account }, { body: { latency } }) {
    account.latency.set(latency);
    return account.latency.range;
  },
  clearLatency({ account }) {
    account.latency.clear();
    return account.latency.range;
  },
} satisfies Partial<ControlOperations>;

/** Keys of objects are strings, even where the values of a decision are numbers. */
function valuesOf(row: LedgerRow): object[] {
  return Object.entries(row.values).map(([key, meaning]) => ({
    value: typeof row.default === 'number' ? Number(key) : key,
    meaning,
  }));
}

function stubsOf(context: ControlContext, owner?: Stub['for']): Stubs {
  return owner === 'server' ? context.stubs : context.account.stubs;
}

function refuseUnknown(what: 'fault' | 'stub', id: number, owner: Stub['for'] = 'account'): never {
  const mayBeServers = what === 'stub' && owner === 'account';
  const hint = mayBeServers ? " For the server's stubs, add ?for=server." : '';
  throw new UnknownIdError(
    `The ${owner} has no ${what} '${id}'; expected an id that GET /__control/${what}s lists.${hint}`,
  );
}

function clockOf({ clock }: Account): object {
  return { now: clock.now().toISOString(), isFrozen: clock.isFrozen, isSet: clock.isSet };
}
