import type { ChangeSet } from './change-set.js';
import { comparePositions, countRecordsUpTo, type Order, type Position } from './order.js';

/**
 * The unchanged records, which are those of the base after a position, without the ones that were
 * changed, and with the added ones after that position in their places.
 */
export function* mergeInOrder<T extends { readonly id: string }>(
  order: Order<T>,
  position: Position | undefined,
  unchanged: Iterator<T>,
  changes: ChangeSet<T> | undefined,
): Generator<T, void> {
  const added = changes?.in(order).added ?? [];
  let at = countRecordsUpTo(added, order, position);
  for (let next = unchanged.next(); !next.done; next = unchanged.next()) {
    if (changes?.has(next.value.id)) continue;
    for (let other = added[at]; other && isBefore(order, other, next.value); other = added[at]) {
      yield other;
      at += 1;
    }
    yield next.value;
  }
  yield* added.slice(at);
}

function isBefore<T>({ positionOf }: Order<T>, one: T, other: T): boolean {
  return comparePositions(positionOf(one), positionOf(other)) < 0;
}
