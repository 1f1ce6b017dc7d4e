/**
 * Hashes text and numbers to an unsigned 32-bit integer: FNV-1a over UTF-16 code units, finished
 * as MurmurHash3 finishes. The same parts give the same number on every machine. Not for secrets.
 */
export function hash(...parts: readonly Part[]): number {
  return finish(parts.reduce(absorb, START));
}

/** The hash of these parts and those that follow; what comes first is gone through once. */
export function hashAfter(...first: readonly Part[]): (...rest: readonly Part[]) => number {
  const state = first.reduce(absorb, START);
  return (...rest) => finish(rest.reduce(absorb, state));
}

type Part = string | number;

const START: number = 0x811c9dc5;

function absorb(before: number, part: Part): number {
  const text = String(part);
  let state = before;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  // A separator, so that ('ab', 'c') and ('a', 'bc') differ.
  return Math.imul(state ^ 0x1f, 0x01000193);
}

function finish(absorbed: number): number {
  let state = Math.imul(absorbed ^ (absorbed >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** The hash of the parts as hexadecimal digits, `length` of them. */
export function hexHash(length: number, ...parts: readonly (string | number)[]): string {
  let digits = '';
  for (let block = 0; digits.length < length; block += 1) {
    digits += hash(block, ...parts)
      .toString(16)
      .padStart(8, '0');
  }
  return digits.slice(0, length);
}
