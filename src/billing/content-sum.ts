import { hash } from './hash.js';

/**
 * What a set of records holds, as four numbers: the same records have the same sum, in whatever
 * order and way they came about. One that is added or taken away changes it at the cost of that one.
 */
export type ContentSum = readonly [number, number, number, number];

/** The sum of no records. */
export const NOTHING: ContentSum = [0, 0, 0, 0];

/** The sum with this record added (or taken away, with -1): each number modulo 2^32. */
export function addRecord(sum: ContentSum, record: object, sign: 1 | -1 = 1): ContentSum {
  const text = canonicalJson(record);
  return sum.map((number, block) => (number + sign * hash(block, text)) >>> 0) as [
    number,
    number,
    number,
    number,
  ];
}

/** JSON with the members of every object in the order of their names. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
