import { randomUUID } from 'node:crypto';

const LONGEST_BEGINNING = 8;

/** Who an account is where its token must not be shown. */
export interface AccountOwner {
  readonly token: string;
  /** The beginning of the token, never more than a third of it, and the number of the account. */
  readonly name: string;
  /** How many accounts were opened before it, and itself. */
  readonly number: number;
  /** Names it to those who may not know its token; it cannot be guessed. */
  readonly id: string;
}

/** Names the account of a token, the nth that was opened: `ci-17-…#3`. */
export function ownerOf(token: string, nth: number): AccountOwner {
  const shownLength = Math.min(LONGEST_BEGINNING, Math.floor(token.length / 3));
  const name = `${token.slice(0, shownLength)}…#${nth}`;
  return { token, name, number: nth, id: randomUUID() };
}
