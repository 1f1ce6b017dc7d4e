import { nameOfToken, type Sign } from '../stubs/issued-tokens.js';
import { type IsToken, isSigned, Redaction } from './journal/redact-secrets.js';

/** From so many characters on, the end of a token is shown as well: those of one suite begin alike. */
const SHORTEST_WITH_END = 16;
const SHOWN_OF_EACH_END = 4;

/** Who an account is where its token must not be shown. */
export interface AccountOwner {
  /**
   * The file and title of the test in a token of a test kit; of any other four characters of its
   * beginning and end, of a short one a third, of a JSON Web Token nothing. Then the number of the
   * account.
   */
  readonly name: string;
  /** How many accounts were opened before it, and itself. */
  readonly number: number;
  /** Names it to those who may not know its token; it cannot be guessed. */
  readonly id: string;
  /** A text without the token, and without the lines that name other secrets. */
  readonly redact: (text: string) => string;
}

/** Names the account of a token, the nth that was opened: `ci-1…ders#3`. */
export function ownerOf(token: string, nth: number, sign: Sign, isToken: IsToken): AccountOwner {
  const name = `${labelOf(token, sign)}#${nth}`;
  const redact = (text: string) => new Redaction({ tokens: [token], isToken }).lines(text);
  return { name, number: nth, id: crypto.randomUUID(), redact };
}

/** What may be shown of a token. */
export function labelOf(token: string, sign: Sign): string {
  const name = nameOfToken(token, sign);
  if (name !== undefined) return name.split('/').slice(-2).map(inWords).join(' › ');
  if (isSigned(token)) return '…';
  if (token.length < SHORTEST_WITH_END) return `${token.slice(0, Math.floor(token.length / 3))}…`;
  return `${token.slice(0, SHOWN_OF_EACH_END)}…${token.slice(-SHOWN_OF_EACH_END)}`;
}

/** A file or a title as a test kit wrote it, without what makes it unique. */
function inWords(part: string): string {
  const whole = part.replace(/\.(?:\d+|[0-9a-f]{8})$/, '');
  return whole.replaceAll('+', ' ').replaceAll('~', ' › ');
}
