import { fourHashes } from './hash.js';

/**
 * A set of records as four numbers: the same records have the same sum, in whatever order and way
 * they were created. Adding or removing one costs that one.
 */
export type FingerprintSum = readonly [number, number, number, number];

/** The sum of no records. */
export const SUM_OF_NOTHING: FingerprintSum = [0, 0, 0, 0];

/** The sum with this record added (or removed, with -1): each number modulo 2^32. */
export function addRecord(
  [a, b, c, d]: FingerprintSum,
  record: object,
  sign: 1 | -1 = 1,
): FingerprintSum {
  const [e, f, g, h] = fourHashes(canonicalJson(record));
  return [(a + sign * e) >>> 0, (b + sign * f) >>> 0, (c + sign * g) >>> 0, (d + sign * h) >>> 0];
}

// Looked up once, not for each of a million records.
const { isArray } = Array;
const { keys } = Object;
const { stringify } = JSON;

/** JSON with the members of every object in the order of their names. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return stringify(value) ?? 'null';
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const name of keys(value).sort()) {
    // `keys` gives names of the value, as `string`. `entries` would be slower.
    const member: unknown = value[name as keyof typeof value];
    if (member === undefined) continue;
    text += `${text && ','}${stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
