import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { Kept } from '../../core/store/kept.js';
import { fromAscii, nameOfToken, type Sign } from '../../core/stubs/issued-tokens.js';
import { isNotSet } from '../../core/values/bearer-token.js';
import { ownText } from '../../core/values/own-text.js';
import type { components } from '../../generated/control.js';
import { hiderOf, isDistinct, isSigned, type Known } from './journal/hide-credentials.js';

/** Tokens this long are secrets of which as much is shown at both ends. */
const LONG = 16;
const SHOWN_OF_EACH_END = 4;
/** Of a shorter token, in which tokens of one client often differ. */
const SHOWN_OF_END = 2;
/** In characters. */
const MAX_FAILURE_LENGTH = 2_000;

const EXPECTED =
  'text without control characters, line separators or characters that change its direction';

/**
 * How a test ended, and which test it is.
 *
 * @example
 * const outcome: TestOutcome = { outcome: 'failed', title: 'deletes a contract', message: 'expected 404' };
 * account.markTest(outcome);
 */
export type TestOutcome = components['schemas']['TestOutcome'];

/** The outcome as it is kept and listed, without credentials. */
type EndedTest = NonNullable<components['schemas']['ListedAccount']['test']>;

interface OwnerParts {
  /** Counts accounts in the order in which they were opened, from 1. */
  readonly number: number;
  readonly sign: Sign;
  readonly known: Known;
}

/**
 * Names an account where its token must not be shown: by the name that a test gave it, or by a
 * label for the token.
 */
export class AccountOwner extends Kept<string | undefined> {
  readonly number: number;
  /** The public id, used wherever the token must not be shown. It cannot be guessed. */
  readonly id = ownText(crypto.randomUUID());
  /** Must not be shown. */
  readonly token: string;
  readonly #known: Known;
  /** The test run that it belongs to, if a test kit made its token. */
  readonly run: string | undefined;
  readonly #label: string;
  #test: EndedTest | undefined;

  constructor(token: string, { number, sign, known }: OwnerParts) {
    super(undefined);
    this.number = number;
    const test = nameOfToken(token, sign);
    // What follows the run names the runner's worker.
    this.run = test?.split('/').slice(0, -2)[0];
    this.#label = labelFor(token, test);
    this.token = token;
    this.#known = known;
  }

  /** Redacts the account's token and declared ones in a text, unless they are very short. */
  redact(text: string): string {
    return hiderOf({ secrets: [...(this.#known.secrets ?? []), this.token] })(text);
  }

  /** How its test ended, if that was marked. */
  get test(): EndedTest | undefined {
    return this.#test;
  }

  get hasFailed(): boolean {
    return this.#test?.outcome === 'failed';
  }

  /** Notes how its test ended, after so many requests. */
  mark({ outcome, file, title = this.name, message = '' }: TestOutcome, requests: number): void {
    this.#test = {
      outcome,
      ...(file !== undefined && { file: ownText(this.redact(file)) }),
      title: ownText(this.redact(title)),
      ...(outcome === 'failed' && { message: this.#shownFailure(message) }),
      requests,
    };
  }

  unmark(): void {
    this.#test = undefined;
  }

  #shownFailure(message: string): string {
    return ownText(this.redact(message).slice(0, MAX_FAILURE_LENGTH));
  }

  /** Why the token looks like a mistake of the client, if it does. */
  get warning(): string | undefined {
    return isNotSet(this.token)
      ? `The client sends 'Authorization: Bearer ${this.token}': expected a token, so the variable that should hold it was probably not set, or not replaced.`
      : undefined;
  }

  /** The given name, or else what may be shown of the token; then the number: `ci-1…ders#3`. */
  get name(): string {
    return `${this.state ?? this.#label}#${this.number}`;
  }

  rename(name: string): void {
    if (/[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]/u.test(name))
      throw new InvalidInputError('name', EXPECTED, name);
    this.keep(ownText(this.redact(name)));
  }
}

/**
 * The part of a token that may be shown. For a test kit's token, that is the file and title of its
 * test; for a JSON Web Token, nothing; for one that is no secret, such as `undefined` or a token of
 * fewer than six characters, all of it; for any other, the first and last four characters, or the
 * first third and the last two of a short one.
 */
export function labelOf(token: string, sign: Sign): string {
  return labelFor(token, nameOfToken(token, sign));
}

function labelFor(token: string, test: string | undefined): string {
  if (test !== undefined) return test.split('/').slice(-2).map(inWords).join(' › ');
  if (isSigned(token)) return '…';
  if (!isDistinct(token)) return token;
  if (token.length < LONG)
    return `${token.slice(0, Math.floor(token.length / 3))}…${token.slice(-SHOWN_OF_END)}`;
  return `${token.slice(0, SHOWN_OF_EACH_END)}…${token.slice(-SHOWN_OF_EACH_END)}`;
}

/** A file name or title from a test kit's token, without the suffix that makes it unique. */
function inWords(part: string): string {
  const whole = part.replace(/\.(?:\d+|[0-9a-f]{8})$/, '').replace(/\.{3}$/, '…');
  return fromAscii(whole, (sign) => (sign === '~' ? ' › ' : ' '));
}
