/** The place of a record in an order: a number first, then the id, so that no two have the same. */
export type Position = readonly [rank: number, id: string];

/** A total order of the records of a collection, known by its name. */
export interface Order<T> {
  readonly name: string;
  readonly positionOf: (record: T) => Position;
}

/** Negative if `one` is before `other`, positive if after, 0 if they are the same place. */
export function comparePositions(one: Position, other: Position): number {
  if (one[0] !== other[0]) return one[0] < other[0] ? -1 : 1;
  if (one[1] === other[1]) return 0;
  return one[1] < other[1] ? -1 : 1;
}

/** The oldest first, by `createdAt`: the order in which one of several records is chosen. */
export const OLDEST_FIRST: Order<{ readonly id: string; readonly createdAt: string }> = {
  name: 'created-at',
  positionOf: (record) => [Date.parse(record.createdAt), record.id],
};

/** The records in the order, as a new array. */
export function inOrder<T>(records: readonly T[], { positionOf }: Order<T>): T[] {
  if (records.length < 2) return [...records];
  return Array.from(records, (record) => ({ record, position: positionOf(record) }))
    .sort((one, other) => comparePositions(one.position, other.position))
    .map(({ record }) => record);
}

/** How many of the sorted places are at or before the position: a binary search. */
export function countUpTo(
  size: number,
  positionAt: (index: number) => Position,
  position: Position | undefined,
): number {
  if (position === undefined) return 0;
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePositions(positionAt(middle), position) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the records, sorted in the order, are at or before the position; none if it is undefined. */
export function countRecordsUpTo<T>(
  sorted: readonly T[],
  { positionOf }: Order<T>,
  position: Position | undefined,
): number {
  // The search reads places below the length only.
  return countUpTo(sorted.length, (at) => positionOf(sorted[at] as T), position);
}
