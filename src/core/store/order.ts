/** The place of a record in an order: a number, then a text, so that no two records share one. */
export type Position = readonly [rank: number, id: string];

/** A total order of the records of a collection, identified by its name. */
export interface Order<T> {
  readonly name: string;
  readonly positionOf: (record: T) => Position;
}

function comparePositions(one: Position, other: Position): number {
  if (one[0] !== other[0]) return one[0] < other[0] ? -1 : 1;
  if (one[1] === other[1]) return 0;
  return one[1] < other[1] ? -1 : 1;
}

/**
 * The records in this order, as a new array. Fast if few of equal rank are out of the order of their
 * ids, as in lists of generated records.
 */
export function inOrder<T>(records: readonly T[], order: Order<T>): T[] {
  if (records.length < 2) return [...records];
  const byRank = new Map<number, { readonly records: T[]; last: string; isSorted: boolean }>();
  for (const record of records) {
    const [rank, id] = order.positionOf(record);
    const equal = byRank.get(rank);
    if (!equal) byRank.set(rank, { records: [record], last: id, isSorted: true });
    else {
      equal.records.push(record);
      equal.isSorted &&= equal.last <= id;
      equal.last = id;
    }
  }
  const ranks = Float64Array.from(byRank.keys()).sort();
  return Array.from(ranks, (rank) => byRank.get(rank)).flatMap((equal) => {
    if (!equal?.isSorted) equal?.records.sort((one, other) => compareIn(order, one, other));
    return equal?.records ?? [];
  });
}

export function compareIn<T>({ positionOf }: Order<T>, one: T, other: T): number {
  return comparePositions(positionOf(one), positionOf(other));
}

/** How many of the sorted records are at or before the position, by binary search. */
export function countUpTo<T>(
  sorted: readonly T[],
  { positionOf }: Order<T>,
  position: Position | undefined,
): number {
  if (position === undefined) return 0;
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // The search only reads indexes below the length.
    if (comparePositions(positionOf(sorted[middle] as T), position) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
