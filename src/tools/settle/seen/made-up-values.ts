import { createHmac } from 'node:crypto';

export const MADE_UP_NAME = 'No such customer 0000000000000000';

export const MADE_UP_REF = 'no-such-ref-0000000000000000';

export const MADE_UP_CURSOR = 'usage-billing-mock-settle-made-this-up';

export const MADE_UP_PARAMETER = 'usageBillingMockSettle';

/** What a made-up token begins with. */
export const MADE_UP_TOKEN = 'made-up-';

const ANY_ID = '000000000000000000000000';

/** So that a short id such as `cus_0`, which may exist, does not look made up. */
const FEWEST_ZEROS = 8;

/**
 * Makes up an id in the form of a known one, as services may check the form: every letter and digit
 * after the last underscore becomes 0.
 */
export function zerosLike(known: string | undefined): string {
  if (known === undefined) return ANY_ID;
  const prefix = known.slice(0, prefixIn(known));
  const zeros = known.slice(prefix.length).replaceAll(/[\p{L}\p{N}]/gu, '0');
  return prefix + zeros + '0'.repeat(Math.max(0, FEWEST_ZEROS - (zeros.split('0').length - 1)));
}

/**
 * Makes up a value that no record has, with the length and the alphabet of a known one. At least 64
 * bits are random. The last letters, its mark, are a hash of the others: `isRandom` recognises the
 * value by it. Undefined if the known one is too short. The same seed gives the same value.
 */
export function randomLike(known: string, seed: string, start = prefixIn(known)) {
  const alphabet = ALPHABETS.find((one) => isOf(known.slice(start), one));
  const places = alphabet && placesIn(known, alphabet, start);
  if (!places) return undefined;
  const made = [...known];
  for (const at of places.random) made[at] = letterOf(`${seed} ${known} ${at}`, alphabet);
  return marked(made, alphabet, places.mark);
}

/** True for a name, id, ref or cursor that a probe made up. */
export function isMadeUp(text: string): boolean {
  const isFixed = [MADE_UP_NAME, MADE_UP_REF, MADE_UP_CURSOR].includes(text);
  return isFixed || zerosLike(text) === text || isRandom(text);
}

/** True for a value that `randomLike` made up. */
export function isRandom(text: string, starts = startsIn(text)): boolean {
  return starts.some((start) =>
    ALPHABETS.filter((alphabet) => isOf(text.slice(start), alphabet)).some((alphabet) => {
      const places = placesIn(text, alphabet, start);
      return places !== undefined && marked([...text], alphabet, places.mark) === text;
    }),
  );
}

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

/** The narrowest first. */
const ALPHABETS = [
  DIGITS,
  `${DIGITS}abcdef`,
  `${DIGITS}ABCDEF`,
  LOWER,
  UPPER,
  DIGITS + LOWER,
  DIGITS + UPPER,
  LOWER + UPPER,
  DIGITS + LOWER + UPPER,
];

const RANDOM_BITS = 64;
/** How many bits a mark has, and how many in short values. */
const MARK_BITS = [32, 16] as const;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** The positions of a UUID's version and variant. */
const KEPT_IN_UUID = [14, 19];

/** Which letters of a value are random and which are its mark; undefined if there are too few. */
function placesIn(text: string, alphabet: string, start: number) {
  const letters = [...text];
  const kept = UUID.test(text) ? KEPT_IN_UUID : [];
  const free = letters.flatMap((letter, at) =>
    at >= start && alphabet.includes(letter) && !kept.includes(at) ? at : [],
  );
  const bits = Math.log2(alphabet.length);
  for (const most of MARK_BITS) {
    const length = Math.ceil(most / bits);
    const random = free.slice(0, -length);
    if (random.length * bits >= RANDOM_BITS) return { random, mark: free.slice(-length) };
  }
  return undefined;
}

function marked(letters: readonly string[], alphabet: string, mark: readonly number[]): string {
  const made = letters.map((letter, at) => (mark.includes(at) ? '' : letter));
  const rest = made.join('');
  for (const at of mark) made[at] = letterOf(`mark ${rest} ${at}`, alphabet);
  return made.join('');
}

function letterOf(text: string, alphabet: string): string {
  const hash = createHmac('sha256', 'usage-billing-mock settle').update(text).digest();
  return String(alphabet[hash.readUInt32BE() % alphabet.length]);
}

/** True if the alphabet has all letters and digits of a text. */
function isOf(text: string, alphabet: string): boolean {
  return [...text].every((letter) => !/[A-Za-z\d]/.test(letter) || alphabet.includes(letter));
}

/** The positions at which a value may begin after its prefix. */
function startsIn(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/[^A-Za-z\d]/g)].map(({ index }) => index + 1)];
}

/** The length of an id's prefix, such as `cus_`. */
function prefixIn(text: string): number {
  return text.lastIndexOf('_') + 1;
}

/** Like `randomLike`, but lengthens a known value that is too short. */
export function randomLookupLike(known: string, seed: string, start = prefixIn(known)) {
  const end = known.slice(start);
  return [1, 2, 4, 8, 40]
    .map((times) => known + end.repeat(times - 1))
    .map((form) => randomLike(form, seed, start))
    .find((made) => made !== undefined);
}

/**
 * A cursor of which one letter in the middle is another: a service may not look at all of it.
 * Undefined if there is none in its first half.
 */
export function withOneLetterChanged(cursor: string): string | undefined {
  const letters = [...cursor];
  const at = letters.findLastIndex(
    (one, place) => /[A-Za-z\d]/.test(one) && place <= letters.length / 2,
  );
  const letter = letters[at];
  if (letter === undefined) return undefined;
  const [usual, other] = /\d/.test(letter) ? ['7', '3'] : ['Q', 'X'];
  return letters.with(at, String(letter === usual ? other : usual)).join('');
}
