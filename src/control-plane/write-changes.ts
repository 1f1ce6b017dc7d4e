import type { AccountStore } from '../billing/account-store.js';
import { readCursor, writeCursor } from '../billing/cursor-encoding.js';
import { RESOURCE_NAMES, type ResourceName } from '../billing/resources.js';
import { invalidCursor } from './invalid-cursor.js';

/** Which page of the changes is meant, as the validator has checked it. */
interface ChangesQuery {
  readonly collection?: ResourceName;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Writes one page of what differs from the dataset, of one collection or of all. */
export function writeChanges(
  store: AccountStore,
  { collection, limit = 1_000, cursor }: ChangesQuery,
): object {
  const scope = {
    dataset: store.datasetFingerprint,
    listing: `changes of ${collection ?? 'all collections'}`,
  };
  const content = cursor === undefined ? { position: [0] } : readCursor(scope, cursor);
  if (typeof content === 'string') throw invalidCursor(String(cursor), content);
  const [start = 0] = content.position;
  const names = collection === undefined ? RESOURCE_NAMES : [collection];
  const all = names.flatMap((name) =>
    Array.from(store[name].changed(), (changed) => ({ collection: name, ...changed })),
  );
  const end = Number(start) + limit;
  return {
    changes: all.slice(Number(start), end),
    total: all.length,
    ...(end < all.length && { nextCursor: writeCursor(scope, { position: [end, ''] }) }),
  };
}
