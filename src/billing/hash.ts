/**
 * Hashes text and numbers to an unsigned 32-bit integer: FNV-1a over UTF-16 code units, finished
 * as MurmurHash3 finishes. The same parts give the same number on every machine. Not for secrets.
 */
export function hash(...parts: readonly (string | number)[]): number {
  let state = 0x811c9dc5;
  for (const part of parts) {
    const text = String(part);
    for (let index = 0; index < text.length; index += 1) {
      state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
    }
    // A separator, so that ('ab', 'c') and ('a', 'bc') differ.
    state = Math.imul(state ^ 0x1f, 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
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
