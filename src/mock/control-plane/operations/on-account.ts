import type { AccountStore } from '../../../core/billing/account-store.js';
import { RESOURCE_NAMES } from '../../../core/billing/resources.js';
import { ProblemError } from '../../../core/errors/problem-error.js';
import { inSteps, type Steps } from '../../../core/store/work-in-steps.js';
import { INSTEAD_OF_LARGER } from '../control-bodies.js';
import { JsonPieces } from '../json-in-pieces.js';
import type { ControlContext, ControlOperations } from './control-operation.js';
import { listed } from './on-server.js';

export const ACCOUNT_OPERATIONS = {
  'GET /account': describeAccount,
  'PUT /account'({ account }, { body: { name } }) {
    account.setName(name);
    // Not `describeAccount`, which hashes every record.
    return listed(account);
  },
  'POST /reset'({ account }) {
    account.reset();
    return { accounts: 1 };
  },
  'PUT /account/test'({ account }, { body }) {
    account.markTest(body);
    return listed(account);
  },

  'GET /state': ({ account, run }) => run(writingState(account.store.fork())),
  'GET /fixture': async ({ account, run }, { query }) => {
    refuseLarge(query.whole || query.newIds ? account.store.size : account.store.changeCount);
    return run(writingLists(await run(account.savingFixture(query))));
  },
  async 'PUT /state'(context, { body }) {
    refuseMany(body);
    context.account.importState(body);
    return describeAccount(context);
  },

  'GET /scenarios': ({ account }) => ({
    scenarios: account.scenarioNames().map((name) => ({ name })),
  }),

  'GET /snapshots': ({ account }) => ({ snapshots: account.snapshots.list() }),
  'DELETE /snapshots/{snapshotId}'({ account }, { path: { snapshotId } }) {
    account.snapshots.remove(snapshotId);
    return { id: snapshotId };
  },
  'POST /snapshots/{snapshotId}/restore'(context, { path: { snapshotId } }) {
    context.account.restore(snapshotId);
    return describeAccount(context);
  },
} satisfies Partial<ControlOperations>;

/** Describes the account as it is now, whatever changes while its records are hashed. */
async function describeAccount({ account, run }: ControlContext): Promise<object> {
  const described = account.store.fork();
  return {
    name: account.owner.name,
    dataset: described.bases.fingerprint,
    fingerprint: await run(described.fingerprinting()),
    ...described.sizes,
  };
}

/** Takes as long to put in place as 4 MB of common records. */
const MAX_RECORDS = 25_000;

function refuseMany(state: unknown): void {
  const lists = Object.values(Object(state)).filter(Array.isArray);
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  if (count <= MAX_RECORDS) return;
  throw new ProblemError(
    'content-too-large',
    `The state has ${count} records; expected at most ${MAX_RECORDS}. ${INSTEAD_OF_LARGER}`,
  );
}

const MAX_STATE_BYTES = 64 * 2 ** 20;
const SMALLEST_RECORD =
  '{"id":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}';

/** Writes all records of a store that must not change meanwhile. */
function* writingState(store: AccountStore): Steps<JsonPieces> {
  refuseLarge(store.size);
  return yield* writingLists(Object.fromEntries(RESOURCE_NAMES.map((name) => [name, store[name]])));
}

/** Writes an object whose lists may be long, in steps. */
function* writingLists(whole: object): Steps<JsonPieces> {
  const pieces = new JsonPieces();
  for (const [name, value] of Object.entries(whole)) {
    pieces.add(`${pieces.bytes === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (typeof value !== 'object' || !(Symbol.iterator in value)) {
      pieces.add(JSON.stringify(value));
      continue;
    }
    let separator = '[';
    yield* inSteps(value as Iterable<object>, (record) => {
      pieces.add(separator + JSON.stringify(record));
      separator = ',';
      if (pieces.bytes > MAX_STATE_BYTES) throw tooLarge();
    });
    pieces.add(separator === '[' ? '[]' : ']');
  }
  return pieces.add('}');
}

function refuseLarge(records: number): void {
  if (records * SMALLEST_RECORD.length > MAX_STATE_BYTES) throw tooLarge();
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'content-too-large',
    "The response would be larger than 64 MB; expected at most that. Read the account's collections page by page, or call the library where the mock runs.",
  );
}
