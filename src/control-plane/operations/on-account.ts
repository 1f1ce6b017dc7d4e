import { sizesOf } from '../../accounts/account.js';
import type { AccountStore } from '../../billing/account-store.js';
import { RESOURCE_NAMES } from '../../billing/resources.js';
import { ProblemError } from '../../errors/problem-error.js';
import { inSteps, type Steps } from '../../store/work-in-steps.js';
import { JsonPieces } from '../json-pieces.js';
import type { ControlContext, ControlOperations } from './control-operation.js';

/** The account as a whole: what it is, its state, its snapshots, and resetting it. */
export const ACCOUNT_OPERATIONS = {
  getAccount: describeAccount,
  resetAccount({ account }) {
    account.reset();
    return { accounts: 1 };
  },

  getState: ({ account, run }) => run(writingState(account.store.fork())),
  async putState(context, { body }) {
    await context.run(context.account.importing(body));
    return describeAccount(context);
  },

  listSnapshots: ({ account }) => ({ snapshots: account.snapshots.list().map((id) => ({ id })) }),
  takeSnapshot: ({ account }, { body }) => ({ id: account.snapshot(body?.id) }),
  dropSnapshot({ account }, { path: { snapshotId } }) {
    account.snapshots.remove(snapshotId);
    return { id: snapshotId };
  },
  restoreSnapshot(context, { path: { snapshotId } }) {
    context.account.restore(snapshotId);
    return describeAccount(context);
  },
} satisfies Partial<ControlOperations>;

/** What the account is at this moment, whatever changes while its records are hashed. */
async function describeAccount({ account, run }: ControlContext): Promise<object> {
  const described = account.store.fork();
  return {
    dataset: described.bases.fingerprint,
    fingerprint: await run(described.fingerprinting()),
    ...sizesOf(described),
  };
}

const LARGEST_STATE = 64 * 2 ** 20;
const SMALLEST_RECORD =
  '{"id":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z"}';

/** Writes every record of a store that nobody changes; refuses a state that is too large early. */
function* writingState(store: AccountStore): Steps<JsonPieces> {
  if (store.size * SMALLEST_RECORD.length > LARGEST_STATE) throw tooLarge();
  const pieces = new JsonPieces().add('{');
  for (const [nth, name] of RESOURCE_NAMES.entries()) {
    pieces.add(`${nth > 0 ? '],' : ''}"${name}":[`);
    let separator = '';
    yield* inSteps(store[name], (record) => {
      pieces.add(separator + JSON.stringify(record));
      separator = ',';
      if (pieces.bytes > LARGEST_STATE) throw tooLarge();
    });
  }
  return pieces.add(']}');
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'content-too-large',
    "The account's state has more than 64 MB; expected at most that. Read its collections page by page.",
  );
}
