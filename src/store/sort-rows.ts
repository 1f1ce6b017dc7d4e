import type { Order } from './order.js';
import type { Rows } from './rows.js';

/**
 * The rows in the order, in a time that grows with their number alone: they are counted by rank, and
 * placed rank by rank. Within a rank they stay as they come, which is by id.
 */
export function sortRows<T extends { readonly id: string }>(
  rows: Rows<T>,
  order: Order<T>,
): Uint32Array {
  const ranks = ranksOf(rows, order);
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  return placeByRank(ranks, counts);
}

function ranksOf<T>(
  { size, peekAt, ranks }: Rows<T>,
  { name, positionOf }: Order<T>,
): Float64Array {
  const rankOf = ranks?.[name] ?? ((row: number) => positionOf(peekAt(row))[0]);
  const rankOfRow = new Float64Array(size);
  for (let row = 0; row < size; row += 1) rankOfRow[row] = rankOf(row);
  return rankOfRow;
}

/** The rows by rank, those of one rank as they come. */
function placeByRank(ranks: Float64Array, counts: ReadonlyMap<number, number>) {
  const ends = new Map<number, number>();
  let placed = 0;
  for (const rank of Float64Array.from(counts.keys()).sort()) {
    ends.set(rank, placed);
    placed += counts.get(rank) ?? 0;
  }
  const inOrder = new Uint32Array(ranks.length);
  ranks.forEach((rank, row) => {
    const end = ends.get(rank) ?? 0;
    inOrder[end] = row;
    ends.set(rank, end + 1);
  });
  return inOrder;
}
