// With globals isolated by a test runner, looking up `Math` takes hundreds of times as long as
// using it.
const { imul } = Math;

/**
 * Hashes text and numbers to an unsigned 32-bit integer: FNV-1a over UTF-16 code units, finished
 * as MurmurHash3 finishes. The same parts give the same number on every machine. Not for secrets.
 */
export function hash(...parts: readonly Part[]): number {
  return finish(parts.reduce(absorb, START));
}

/** The state after the parts that many hashes begin with, so that these are hashed only once. */
export function beginHash(...first: readonly Part[]): number {
  return first.reduce(absorb, START);
}

/** Completes a begun hash with its last part; the result is `hash` of all parts. */
export function endHash(begun: number, last: Part): number {
  return finish(absorb(begun, last));
}

/** `hash(0, text)` to `hash(3, text)`, in one pass over the text. */
function fourHashes(text: string): readonly [number, number, number, number] {
  let [a, b, c, d] = FOUR_STARTS;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = imul(a ^ code, PRIME);
    b = imul(b ^ code, PRIME);
    c = imul(c ^ code, PRIME);
    d = imul(d ^ code, PRIME);
  }
  return [finish(separate(a)), finish(separate(b)), finish(separate(c)), finish(separate(d))];
}

type Part = string | number;

const START: number = 0x811c9dc5;
const PRIME = 0x01000193;

function absorb(before: number, part: Part): number {
  const text = `${part}`;
  let state = before;
  for (let index = 0; index < text.length; index += 1) {
    state = imul(state ^ text.charCodeAt(index), PRIME);
  }
  return separate(state);
}

/** Adds a separator, so that ('ab', 'c') and ('a', 'bc') differ. */
function separate(state: number): number {
  return imul(state ^ 0x1f, PRIME);
}

const FOUR_STARTS = [
  absorb(START, 0),
  absorb(START, 1),
  absorb(START, 2),
  absorb(START, 3),
] as const;

function finish(absorbed: number): number {
  let state = imul(absorbed ^ (absorbed >>> 16), 0x85ebca6b);
  state = imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

export function hexHash(length: number, ...parts: readonly (string | number)[]): string {
  let digits = '';
  for (let block = 0; digits.length < length; block += 1) {
    digits += hash(block, ...parts)
      .toString(16)
      .padStart(8, '0');
  }
  return digits.slice(0, length);
}

/**
 * A set of records as four numbers. Equal sets have equal sums, however they were built; adding or
 * removing a record costs only that record.
 */
export type FingerprintSum = readonly [number, number, number, number];

export function sumOf(records: Iterable<object>): FingerprintSum {
  let sum: FingerprintSum = [0, 0, 0, 0];
  for (const record of records) sum = addRecord(sum, record);
  return sum;
}

/** The sum with this record added (or removed, with -1): each number modulo 2^32. */
export function addRecord(
  [a, b, c, d]: FingerprintSum,
  record: object,
  sign: 1 | -1 = 1,
): FingerprintSum {
  const [e, f, g, h] = fourHashes(canonicalJson(record));
  return [(a + sign * e) >>> 0, (b + sign * f) >>> 0, (c + sign * g) >>> 0, (d + sign * h) >>> 0];
}

// Looked up once instead of for each record.
const { isArray } = Array;
const { keys } = Object;
const { stringify } = JSON;

/** JSON with the members of every object sorted by name. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return stringify(value) ?? 'null';
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const name of keys(value).sort()) {
    // `keys` returns the names as `string`; `entries` would be slower.
    const member: unknown = value[name as keyof typeof value];
    if (member === undefined) continue;
    text += `${text && ','}${stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
