/** A name that no customer has. */
export const MADE_UP_NAME = 'No such customer 0000000000000000';

/** A ref that no event has. */
export const MADE_UP_REF = 'no-such-ref-0000000000000000';

const ANY_ID = '000000000000000000000000';

/** So that a short id such as `cus_0`, which may exist, does not look made up. */
const FEWEST_ZEROS = 8;

/**
 * An id that does not exist, in the form of a known one, which a service may check: every letter
 * and digit after the last underscore is 0.
 */
export function madeUpIdLike(known: string | undefined): string {
  if (known === undefined) return ANY_ID;
  const prefix = known.slice(0, known.lastIndexOf('_') + 1);
  const zeros = known.slice(prefix.length).replaceAll(/[\p{L}\p{N}]/gu, '0');
  return prefix + zeros + '0'.repeat(Math.max(0, FEWEST_ZEROS - (zeros.split('0').length - 1)));
}

/** True for an id such as `madeUpIdLike` returns. */
export function isMadeUpId(id: string): boolean {
  return madeUpIdLike(id) === id;
}
