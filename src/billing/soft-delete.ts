import type { Collection } from './collection.js';
import type { OperationContext } from './operation.js';

interface Deletable {
  readonly id: string;
  readonly updatedAt: string;
  readonly deletedAt?: string | undefined;
}

/**
 * Leaves a tombstone in the place of the record: `deletedAt` set, `updatedAt` as decided (sections
 * 2.1, 2.5). Returns it.
 */
export function softDelete<T extends Deletable>(
  collection: Collection<T>,
  record: T,
  { now, decisions }: Pick<OperationContext, 'now' | 'decisions'>,
): T {
  const deletedAt = now.toISOString();
  const moved = { unchanged: {}, 'deletion-time': { updatedAt: deletedAt } };
  const members = { deletedAt, ...moved[decisions['updated-at-on-delete']] };
  return collection.amend(record, members as Partial<T>);
}
