import { type Account, sizesOf } from '../../accounts/account.js';
import type { Accounts } from '../../accounts/accounts.js';
import type { Journal, JournalFilter } from '../../accounts/journal/journal.js';
import { runWithoutBlocking } from '../../accounts/run-without-blocking.js';
import type { ResourceName } from '../../billing/resources.js';
import { fidelityOf } from '../../decisions/fidelity.js';
import { UnknownIdError } from '../../errors/unknown-id.js';
import type { operations } from '../../generated/control.js';
import type { OpenApiDocument } from '../../openapi/route-table.js';
import type { SpecificationFor } from '../../openapi/specification-in-force.js';
import { writingState } from '../write-state.js';
import { recordOperations } from './records.js';

/** Health and readiness, with their paths. */
export const PROBES = { getHealth: '/health', getReadiness: '/ready' } as const;

type ProbeId = keyof typeof PROBES;

/** What an operation of the control plane acts on. */
export interface ControlContext {
  readonly account: Account;
  readonly token: string;
  readonly accounts: Accounts;
  readonly specificationFor: SpecificationFor;
  /** The requests that reached no account. */
  readonly serverJournal: Journal;
  /** The document of the control plane. */
  readonly document: OpenApiDocument;
}

/** What an operation is called with, validated. */
interface ControlInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** One operation of the control plane: the skin over what the library offers as well. */
export type ControlOperation = (
  context: ControlContext,
  input: ControlInput,
) => object | Promise<object>;

/** The operations on the server as a whole, which open no account. */
export const SERVER_OPERATIONS = {
  closeAllAccounts: (accounts: Accounts) => ({ closed: accounts.closeAll() }),
} as const;

/** The operations on an account. */
type ControlOperationId = Exclude<keyof operations, ProbeId | keyof typeof SERVER_OPERATIONS>;

/** Every operation of the control plane's document on an account; one too many or too few does not compile. */
export const CONTROL_OPERATIONS: { readonly [Id in ControlOperationId]: ControlOperation } = {
  getContract: ({ account, specificationFor }) =>
    specificationFor(account.decisions.inForce).document,
  getControlContract: ({ document }) => document,

  resetAccount({ account, accounts }, { body }) {
    if ((body as { all?: boolean } | undefined)?.all) return { accounts: accounts.resetAll() };
    account.reset();
    return { accounts: 1 };
  },
  getAccount: ({ account }) => describe(account),
  closeAccount: ({ accounts, token }) => ({ closed: accounts.close(token) }),
  getState: ({ account }) => runWithoutBlocking(writingState(account.store.fork())),
  async putState({ account }, { body }) {
    await runWithoutBlocking(account.importing(body as object));
    return describe(account);
  },
  ...recordOperations(),

  listSnapshots: ({ account }) => ({ snapshots: account.snapshots.list().map((id) => ({ id })) }),
  takeSnapshot: ({ account }, { body }) => ({
    id: account.snapshot((body as { id?: string } | undefined)?.id),
  }),
  dropSnapshot({ account }, { path: { snapshotId = '' } }) {
    account.snapshots.remove(snapshotId);
    return { id: snapshotId };
  },
  restoreSnapshot({ account }, { path: { snapshotId = '' } }) {
    account.restore(snapshotId);
    return describe(account);
  },

  listRequests(context, { query }) {
    const { journal, filter } = journalAndFilter(context, query);
    return { requests: journal.list(filter), evicted: journal.evicted };
  },
  clearRequests: ({ account }) => ({ count: account.journal.clear() }),
  countRequests(context, { body }) {
    const { journal, filter } = journalAndFilter(context, body ?? {});
    return { count: journal.count(filter) };
  },
  explainRequest(context, { path, query }) {
    const { journal } = journalAndFilter(context, query);
    const id = Number(path.requestId);
    return { id, explanation: journal.explain(id) };
  },

  listFaults: ({ account }) => ({ faults: account.faults.list() }),
  addFault: ({ account }, { body }) => account.faults.add(body as never),
  clearFaults: ({ account }) => ({ count: account.faults.clear() }),
  removeFault({ account }, { path }) {
    const fault = account.faults.remove(Number(path.faultId));
    if (fault) return fault;
    throw new UnknownIdError(
      `The account has no fault '${path.faultId}'; expected the id of one that it lists.`,
    );
  },

  getClock: ({ account }) => clockOf(account),
  setClock({ account }, { body }) {
    const { frozenAt, advanceMs } = body as { frozenAt?: string; advanceMs?: number };
    if (frozenAt !== undefined) account.clock.freeze(frozenAt);
    else if (advanceMs !== undefined) account.clock.advance(advanceMs);
    else account.clock.useRealTime();
    return clockOf(account);
  },
  getFidelity: ({ account }) => ({ behaviours: fidelityOf(account.decisions.inForce) }),
  getDecisions: ({ account }) => account.decisions.inForce,
  patchDecisions({ account, specificationFor }, { body }) {
    account.decisions.change(body as object);
    // Made now, so that decisions whose document cannot be made are refused here.
    specificationFor(account.decisions.inForce);
    return account.decisions.inForce;
  },
};

/** What the account is at this moment, whatever comes while its records are gone through. */
async function describe({ store }: Account): Promise<object> {
  const described = store.fork();
  return {
    dataset: described.datasetFingerprint,
    fingerprint: await runWithoutBlocking(described.fingerprinting()),
    ...(sizesOf(described) as Record<ResourceName, number>),
  };
}

function clockOf({ clock }: Account): object {
  return { now: clock.now().toISOString(), isFrozen: clock.isFrozen };
}

function journalAndFilter(
  { account, serverJournal }: ControlContext,
  given: object,
): { readonly journal: Journal; readonly filter: JournalFilter } {
  const { of, ...filter } = given as JournalFilter & { readonly of?: string };
  return { journal: of === 'server' ? serverJournal : account.journal, filter };
}
