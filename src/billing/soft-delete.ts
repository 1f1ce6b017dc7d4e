import type { OperationContext } from './operation.js';

interface Deletable {
  readonly updatedAt: string;
  readonly deletedAt?: string | undefined;
}

/** The record as a deletion leaves it: `deletedAt` set, `updatedAt` as decided (sections 2.1, 2.5). */
export function softDelete<T extends Deletable>(
  record: T,
  { now, decisions }: Pick<OperationContext, 'now' | 'decisions'>,
): T & { readonly deletedAt: string } {
  const deletedAt = now.toISOString();
  const updatedAt = { unchanged: record.updatedAt, 'deletion-time': deletedAt };
  return Object.freeze({
    ...record,
    updatedAt: updatedAt[decisions['updated-at-on-delete']],
    deletedAt,
  });
}
