import type { DecisionValue } from '../decisions/ledger.js';
import type { OperationContext } from './operation.js';

interface Stamps {
  readonly deletedAt: string;
  readonly updatedAt?: string;
}

/** A collection whose records may become tombstones. */
interface SoftDeletable<T> {
  update(record: T, stamps: Stamps): T;
}

/**
 * Creates what replaces a record by its tombstone and returns that: `deletedAt` set, `updatedAt` as
 * decided (sections 2.1, 2.5).
 */
export function createSoftDelete<T>(
  collection: SoftDeletable<T>,
  { now, decisions }: Pick<OperationContext, 'now' | 'decisions'>,
): (record: T) => T {
  const deletedAt = now.toISOString();
  const updated: Record<DecisionValue<'updated-at-on-delete'>, Partial<Stamps>> = {
    unchanged: {},
    'deletion-time': { updatedAt: deletedAt },
  };
  const stamps = { deletedAt, ...updated[decisions.apply('updated-at-on-delete')] };
  return (record) => collection.update(record, stamps);
}
