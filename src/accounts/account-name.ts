import { InvalidInputError } from '../errors/invalid-input.js';
import { type Budget, Kept } from '../store/kept.js';
import { nameOfToken, type Sign } from '../stubs/issued-tokens.js';
import { ownText } from '../values/own-text.js';
import { type IsToken, isSigned, Redaction } from './journal/redact-secrets.js';

/** From so many characters on, the end of a token is shown as well: those of one suite begin alike. */
const SHORTEST_WITH_END = 16;
const SHOWN_OF_EACH_END = 4;

const EXPECTED = 'a text without control characters and without those that change its direction';

/** What an owner is made from, beside the token. */
interface OwnerParts {
  /** How many accounts were opened before it, and itself. */
  readonly number: number;
  readonly sign: Sign;
  readonly isToken: IsToken;
  readonly budget: Budget;
}

/** Who an account is where its token must not be shown: the name that a test gave, if one did. */
export class AccountOwner extends Kept<string | undefined> {
  readonly number: number;
  /** Names it to those who may not know its token; it cannot be guessed. */
  readonly id = crypto.randomUUID();
  readonly #token: string;
  readonly #isToken: IsToken;
  /** The run of tests that it belongs to, if a test kit has named its token. */
  readonly run: string | undefined;
  readonly #label: string;

  constructor(token: string, { number, sign, isToken, budget }: OwnerParts) {
    super(undefined, budget);
    this.number = number;
    const test = nameOfToken(token, sign);
    this.run = test?.split('/').slice(0, -2).join('/') || undefined;
    this.#label = labelFor(token, test);
    this.#token = token;
    this.#isToken = isToken;
  }

  /** A text without the token, and without the lines that name other secrets. */
  redact(text: string): string {
    return new Redaction({ tokens: [this.#token], isToken: this.#isToken }).lines(text);
  }

  /** The given name, or else what may be shown of the token; then the number: `ci-1…ders#3`. */
  get name(): string {
    return `${this.state ?? this.#label}#${this.number}`;
  }

  /** Gives it a name, which it keeps until it is closed. */
  rename(name: string): void {
    if (/[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]/u.test(name))
      throw new InvalidInputError('name', EXPECTED, name);
    this.keep(ownText(this.redact(name)), 'the name of an account');
  }
}

/**
 * What may be shown of a token: the file and title of the test in one of a test kit; of any other four
 * characters of its beginning and end, of a short one a third, of a JSON Web Token nothing.
 */
export function labelOf(token: string, sign: Sign): string {
  return labelFor(token, nameOfToken(token, sign));
}

function labelFor(token: string, test: string | undefined): string {
  if (test !== undefined) return test.split('/').slice(-2).map(inWords).join(' › ');
  if (isSigned(token)) return '…';
  if (token.length < SHORTEST_WITH_END) return `${token.slice(0, Math.floor(token.length / 3))}…`;
  return `${token.slice(0, SHOWN_OF_EACH_END)}…${token.slice(-SHOWN_OF_EACH_END)}`;
}

/** A file or a title as a test kit wrote it, without what makes it unique. */
function inWords(part: string): string {
  const whole = part.replace(/\.(?:\d+|[0-9a-f]{8})$/, '');
  return whole.replaceAll('+', ' ').replaceAll('~', ' › ').replace(/\.{3}$/, '…');
}
