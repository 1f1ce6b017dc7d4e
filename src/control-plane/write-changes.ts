import type { AccountStore } from '../billing/account-store.js';
import { readCursor, writeCursor } from '../billing/cursor-encoding.js';
import { RESOURCE_NAMES, type ResourceName } from '../billing/resources.js';
import type { Position } from '../store/order.js';
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
  const content = cursor === undefined ? { position: START } : readCursor(scope, cursor);
  if (typeof content === 'string') throw invalidCursor(String(cursor), content);
  const names: readonly ResourceName[] = collection === undefined ? RESOURCE_NAMES : [collection];
  const changes: object[] = [];
  let nextCursor: string | undefined;
  for (const [position, change] of changesFrom(store, names, content.position)) {
    if (changes.length === limit) {
      nextCursor = writeCursor(scope, { position });
      break;
    }
    changes.push(change);
  }
  const total = names.reduce((sum, name) => sum + store[name].changeCount, 0);
  return { changes, total, nextCursor };
}

/** Before every change: no collection has this name. */
const START: Position = [0, ''];

/** The changes from a position on, each with its own: its number and its collection. */
function* changesFrom(
  store: AccountStore,
  names: readonly ResourceName[],
  [first, begun]: Position,
): Generator<readonly [Position, object]> {
  // That of a forged cursor may be any text.
  const at = names.indexOf(begun as ResourceName);
  for (const name of names.slice(Math.max(0, at))) {
    for (const [number, changed] of store[name].changedFrom(name === begun ? first : 0)) {
      yield [[number, name], { collection: name, ...changed }];
    }
  }
}
