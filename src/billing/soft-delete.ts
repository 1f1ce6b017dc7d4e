import type { Collection } from '../store/collection.js';
import type { OperationContext } from './operation.js';

interface Deletable {
  readonly id: string;
  readonly updatedAt: string;
  readonly deletedAt?: string | undefined;
}

/**
 * Makes what leaves a tombstone in the place of a record and returns it: `deletedAt` set,
 * `updatedAt` as decided (sections 2.1, 2.5).
 */
export function createSoftDelete<T extends Deletable>(
  collection: Collection<T>,
  { now, decisions }: Pick<OperationContext, 'now' | 'decisions'>,
): (record: T) => T {
  const deletedAt = now.toISOString();
  const moved = { unchanged: {}, 'deletion-time': { updatedAt: deletedAt } };
  const members = { deletedAt, ...moved[decisions.apply('updated-at-on-delete')] };
  return (record) => collection.amend(record, members as Partial<T>);
}
