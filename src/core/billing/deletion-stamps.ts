import type { DecisionValue } from '../decisions/ledger.js';
import type { OperationContext } from './operation.js';

const IS_UPDATE: Record<DecisionValue<'updated-at-on-delete'>, boolean> = {
  unchanged: false,
  'deletion-time': true,
};

/** The timestamps of a deletion: `deletedAt`, and `updatedAt` as decided (sections 2.1, 2.5). */
export function deletionStamps({ now, decisions }: OperationContext) {
  const deletedAt = now.toISOString();
  const isUpdate = IS_UPDATE[decisions.apply('updated-at-on-delete')];
  return { deletedAt, ...(isUpdate && { updatedAt: deletedAt }) };
}
