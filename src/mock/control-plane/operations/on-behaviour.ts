import { type DecisionId, LEDGER, type LedgerRow } from '../../../core/decisions/ledger.js';
import type { Account } from '../../accounts/account.js';
import { stubsOf, unknownId } from './by-verb.js';
import type { ControlOperations } from './control-operation.js';

export const BEHAVIOUR_OPERATIONS = {
  'GET /openapi.json'(context, { query: { of } }) {
    if (of === 'server') return context.specificationFor(context.decisions()).document;
    const { decisions, store } = context.account;
    return context.specificationFor(decisions.inForce, store.bases.keepsUndocumented).document;
  },

  'GET /fidelity': ({ account }) => ({ behaviours: account.decisions.fidelity() }),
  'GET /ledger': ({ account }) => ({
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
  'GET /decisions': ({ account }) => account.decisions.inForce,
  'PATCH /decisions'({ account, specificationFor }, { body }) {
    account.decisions.change(body);
    // Built now, so that decisions without a valid document fail here.
    specificationFor(account.decisions.inForce);
    return account.decisions.inForce;
  },

  // By default the account's stubs and the server's.
  'GET /stubs'(context, { query }) {
    const owners = query.for ? [query.for] : (['account', 'server'] as const);
    return { stubs: owners.flatMap((owner) => stubsOf(context, owner).list()) };
  },
  'POST /stubs'(context, { query, body }) {
    if (query.for) return stubsOf(context, query.for).add(body);
    // `add` refuses anything but an object.
    if (typeof body !== 'object' || body === null) return stubsOf(context).add(body);
    const { for: owner, ...stub } = body;
    return stubsOf(context, owner).add(stub);
  },
  'GET /stubs/{stubId}'(context, { path: { stubId }, query: { for: owner } }) {
    const stub = stubsOf(context, owner)
      .list()
      .find(({ id }) => id === stubId);
    if (stub) return stub;
    throw unknownId('stubs', stubId, owner);
  },

  'GET /clock': ({ account }) => clockOf(account),
  'PUT /clock'({ account }, { body }) {
    account.clock.set(body);
    return clockOf(account);
  },
} satisfies Partial<ControlOperations>;

/** Keys of objects are strings, even where the values of a decision are numbers. */
function valuesOf(row: LedgerRow): object[] {
  return Object.entries(row.values).map(([key, meaning]) => ({
    value: typeof row.default === 'number' ? Number(key) : key,
    meaning,
  }));
}

function clockOf({ clock }: Account): object {
  return { now: clock.now().toISOString(), isFrozen: clock.isFrozen, isSet: clock.isSet };
}
