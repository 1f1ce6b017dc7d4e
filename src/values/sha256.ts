/**
 * The first 64 primes, from which SHA-256 takes its constants (FIPS 180-4, sections 4.2.2 and
 * 5.3.3).
 */
const PRIMES: readonly number[] = Array.from({ length: 312 }, (_, number) => number).filter(
  isPrime,
);

function isPrime(number: number): boolean {
  for (let by = 2; by * by <= number; by += 1) if (number % by === 0) return false;
  return number > 1;
}

const fractionOf = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fractionOf(Math.sqrt(prime)));
const CONSTANTS = PRIMES.map((prime) => fractionOf(Math.cbrt(prime)));

const BLOCK = 64;

/** The SHA-256 of the bytes, for platforms that have only an asynchronous one. */
export function sha256Of(bytes: Uint8Array): Uint8Array {
  const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  const state = new Int32Array(START);
  const words = new Int32Array(BLOCK);
  for (let at = 0; at < length; at += BLOCK) absorb(state, words, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

/** The HMAC with SHA-256 (RFC 2104); the key has at most 64 bytes. */
export function hmacSha256(bytes: Uint8Array, key: Uint8Array): Uint8Array {
  const keyed = (mask: number, content: Uint8Array) => {
    const whole = new Uint8Array(BLOCK + content.length).fill(mask, 0, BLOCK);
    for (const [index, byte] of key.entries()) whole[index] = mask ^ byte;
    whole.set(content, BLOCK);
    return sha256Of(whole);
  };
  return keyed(0x5c, keyed(0x36, bytes));
}

function absorb(state: Int32Array, words: Int32Array, view: DataView, at: number): void {
  const word = (index: number) => words[index] ?? 0;
  for (let index = 0; index < BLOCK; index += 1) {
    const [near, far] = [word(index - 15), word(index - 2)];
    const mixed =
      word(index - 16) +
      (turn(near, 7) ^ turn(near, 18) ^ (near >>> 3)) +
      word(index - 7) +
      (turn(far, 17) ^ turn(far, 19) ^ (far >>> 10));
    words[index] = index < 16 ? view.getInt32(at + index * 4) : mixed;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < BLOCK; index += 1) {
    const chosen = (e & f) ^ (~e & g);
    const one =
      h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + (CONSTANTS[index] ?? 0) + word(index);
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] ?? 0) + value;
  }
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
