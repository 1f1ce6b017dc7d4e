import { nameOfToken, type Sign } from '../stubs/issued-tokens.js';
import { Redaction } from './journal/redact-secrets.js';

/** Of a token that is long enough, its end is shown as well: those of one suite begin alike. */
const BEGINNING_WITH_END = 4;
const LONGEST_END = 8;

/** Who an account is where its token must not be shown. */
export interface AccountOwner {
  /**
   * The file and title of the test in a token of a test kit; of any other its beginning and end,
   * never more than a third of it. Then the number of the account.
   */
  readonly name: string;
  /** How many accounts were opened before it, and itself. */
  readonly number: number;
  /** Names it to those who may not know its token; it cannot be guessed. */
  readonly id: string;
  /** A text without the token, and without the lines that name other secrets. */
  readonly redact: (text: string) => string;
}

/** Names the account of a token, the nth that was opened: `ci-17…#3`. */
export function ownerOf(token: string, nth: number, sign: Sign): AccountOwner {
  const name = `${labelOf(token, sign)}#${nth}`;
  const redact = (text: string) => new Redaction([token]).lines(text);
  return { name, number: nth, id: crypto.randomUUID(), redact };
}

/** What may be shown of a token. */
export function labelOf(token: string, sign: Sign): string {
  const name = nameOfToken(token, sign);
  if (name !== undefined) return name.split('/').slice(-2).map(inWords).join(' › ');
  const length = Math.floor(token.length / 3);
  if (length < 2 * BEGINNING_WITH_END) return `${token.slice(0, length)}…`;
  const end = Math.min(LONGEST_END, length - BEGINNING_WITH_END);
  return `${token.slice(0, BEGINNING_WITH_END)}…${token.slice(-end)}`;
}

/** A file or a title as a test kit wrote it, without what makes it unique. */
function inWords(part: string): string {
  const whole = part.replace(/\.(?:\d+|[0-9a-f]{8})$/, '');
  return whole.replaceAll('+', ' ').replaceAll('~', ' › ');
}
