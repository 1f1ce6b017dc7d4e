import type { ControlOperations } from './control-operation.js';
import { describeAccount } from './describe-account.js';

/** Snapshots of the account: taking, listing, restoring and dropping them. */
export const SNAPSHOT_OPERATIONS = {
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
