import { isObject } from '../../../core/values/json-value.js';
import { NAMES } from '../../../generated/names.js';

export const REDACTED = '[redacted]';

/** Names of secrets, also in longer names: `X-Api-Key`, `user[password]`, `refreshToken`. */
const SECRETS = [
  ...['token', 'password', 'passwd', 'passphrase', 'passcode', 'secret', 'authorization'],
  ...['credential', 'cookie', 'apikey', 'accesskey', 'privatekey', 'signingkey'],
  ...['encryptionkey', 'sessionid', 'sessionkey'],
];

/** Names of secrets as whole words only: `author` and `compass` are not secret. */
const WORDS = ['auth', 'jwt', 'otp', 'pass', 'pwd', 'signature'];

/** A quick first test: a name with none of these is not secret. */
const HINT = /token|pass|pwd|secret|auth|credential|cookie|key|session|jwt|otp|signature/i;

/**
 * A member such as `name` tells what `value` beside it holds: `{ "name": "password", "value": 1 }`.
 */
const LABELS = ['name', 'key', 'pointer'];
const LABELLED = ['value', 'received'];

/** A JSON Web Token begins with this, and its first part has at least this many characters. */
const SIGNED = 'eyJ';
const SHORTEST_HEAD = 8;

/** Shorter secrets occur in ordinary words, and are hidden only next to their names. */
const SHORTEST = 6;

/** A sentence with this many leading characters of a token quotes a part of it. */
const PART_OF_TOKEN = 16;

/** A request with more secrets is withheld as a whole: finding all of them would take too long. */
const MOST_SECRETS = 50;

export function isSecretName(name: string): boolean {
  if (!HINT.test(name)) return false;
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const words = spaced.split(/[^a-z]/).filter((word) => word !== '');
  const letters = words.join('');
  return (
    SECRETS.some((secret) => letters.includes(secret)) || words.some((word) => WORDS.includes(word))
  );
}

interface Known {
  /** Credentials, such as those that the request carries. */
  readonly tokens?: readonly string[];
  readonly isToken?: IsToken | undefined;
  /** A sentence that quotes the request and is already redacted. */
  readonly clean?: string | undefined;
}

/** Whether a word is the token, or the public id, of an open account. */
export type IsToken = (word: string) => boolean;

/**
 * Redacts one request: values with secret names, then the same values wherever else they occur.
 * Takes time in proportion to the text.
 */
export class Redaction {
  /** Values and whole texts that were withheld. */
  readonly #found = new Set<string>();
  readonly #tokens: readonly string[];
  readonly #isToken: IsToken | undefined;
  readonly #clean: string | undefined;
  /** Whether a whole text was withheld; a sentence could quote any part of it. */
  #withholdsText = false;

  constructor({ tokens = [], isToken, clean }: Known = {}) {
    this.#tokens = tokens.filter(isDistinct);
    this.#isToken = isToken;
    this.#clean = clean;
  }

  /** A copy of a JSON value in which members with secret names are withheld. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (!isObject(value)) return value;
    const label = LABELS.map((name) => value[name]).find((one) => typeof one === 'string');
    const members = Object.entries(value).map(([name, member]) => [
      name,
      isSecret(LABELLED.includes(name) ? `${label}` : name, member)
        ? this.withhold(member)
        : this.value(member),
    ]);
    return Object.fromEntries(members);
  }

  /** A query, form or URL in which fields that are secret, or name a secret, are withheld. */
  fields(text: string): string {
    const pieces = text.split(/([?&#])/).map((piece) => {
      const nameEnd = piece.indexOf('=');
      const name = piece.slice(0, Math.max(0, nameEnd));
      const value = resolved(piece.slice(nameEnd + 1).replaceAll('+', ' '));
      const shown = isSecretName(resolved(name)) ? this.withhold(value) : this.text(value);
      if (value === '' || shown === value) return piece;
      return `${nameEnd < 0 ? '' : `${name}=`}${shown}`;
    });
    return pieces.join('');
  }

  /** Withholds a text if it names a secret and its value. */
  text(text: string, isSecretText = namesSecret): string {
    if (text === this.#clean || !isSecretText(text)) return text;
    this.#withholdsText = true;
    return this.withhold(text);
  }

  /** Withholds a body that is neither JSON nor a form if it so much as mentions a secret. */
  unstructured(body: string): string {
    return this.text(body, (text) =>
      wordsOf(resolved(text)).some(({ 0: word }) => isSecretWord(word)),
    );
  }

  /**
   * Redacts text line by line: withholds lines that name a secret, and the next if it has the
   * value.
   */
  lines(text: string): string {
    return this.hide(text.replaceAll(LINE, (line) => (namesSecret(line) ? REDACTED : line)));
  }

  /** Notes each text and number in a value as secret, for `hide` and `quote`. */
  withhold(value: unknown): typeof REDACTED {
    if (isObject(value) || Array.isArray(value))
      Object.values(value).map((one) => this.withhold(one));
    else if (value !== REDACTED && value !== null)
      this.#found.add(String(value)).add(resolved(String(value)));
    return REDACTED;
  }

  /** Replaces known tokens, values withheld so far and other credentials wherever they occur. */
  hide<Value>(value: Value): Value {
    const found = [...this.#found].filter(isDistinct);
    const hide = hiding([...this.#tokens, ...found], (text) =>
      withoutCredentials(withoutTokens(text, this.#isToken)),
    );
    const isTooMuch = found.length > MOST_SECRETS;
    return mapTexts(value, (text) => (isTooMuch && text !== '' ? REDACTED : hide(text))) as Value;
  }

  /**
   * Redacts a sentence that quotes the request. Falls back to the shorter one if part of a secret
   * would remain, then to `[redacted]`.
   */
  quote(sentence: string, shorter = REDACTED): string {
    const parts = [
      ...[...this.#found].map((one) => one.slice(0, SHORTEST)),
      ...this.#tokens.map((one) => one.slice(0, PART_OF_TOKEN)),
    ];
    const sentences = this.#withholdsText ? [shorter] : [sentence, shorter];
    const clean = sentences
      .map((one) => this.hide(one))
      .find((shown) => !parts.some((part) => part !== '' && resolved(shown).includes(part)));
    return clean ?? REDACTED;
  }
}

/** A number called `tokens` is a count, not a secret. */
function isSecret(name: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return false;
  return isSecretName(typeof value === 'number' ? name.replaceAll(/tokens?/gi, '') : name);
}

/** A line, or two if the first ends with a name such as `password:` and the next has its value. */
const LINE = /.*[:=>]["']?[ \t\r]*\n.+|.+/g;

/** Matches after the name of a secret if its value follows. */
const ASSIGNED = /[\\"'\]]*\s*[:=>]/y;
const ARGUMENT = /\s+\S/y;

/** Whether a text names a secret and probably has its value. */
function namesSecret(given: string): boolean {
  const text = resolved(given);
  return wordsOf(text).some(({ 0: word, index }) => {
    const follows = (pattern: RegExp) => {
      pattern.lastIndex = index + word.length;
      return pattern.test(text);
    };
    if (!isSecretWord(word)) return false;
    return follows(ASSIGNED) || (word.startsWith('--') && follows(ARGUMENT));
  });
}

function wordsOf(text: string) {
  return HINT.test(text) ? [...text.matchAll(/[\w-]+/g)] : [];
}

/** In a text, `tokens` may be a unit of usage. */
function isSecretWord(word: string): boolean {
  return isSecretName(word.replaceAll(/tokens/gi, ''));
}

/** Whether a secret may be hidden wherever it occurs: it is neither short nor a documented name. */
function isDistinct(secret: string): boolean {
  return secret.length >= SHORTEST && !` ${NAMES} `.includes(` ${secret} `);
}

/** Whether a token is a JSON Web Token (RFC 7519). */
export function isSigned(token: string): boolean {
  const start = token.indexOf(SIGNED);
  const [head = '', ...others] = token.slice(Math.max(start, 0)).split('.');
  return start >= 0 && head.length >= SHORTEST_HEAD && others.length > 1;
}

/** The token of the examples, and words that follow a scheme without being credentials. */
const NO_CREDENTIAL = /^(?:my-token|tokens?|realm=|error=)$/i;

/** Redacts what looks like a credential: JSON Web Tokens, `Bearer`, `Basic`, a URL's userinfo. */
function withoutCredentials(text: string): string {
  const signed = (word: string) =>
    isSigned(word) ? word.slice(0, word.indexOf(SIGNED)) + REDACTED : word;
  return (text.includes(SIGNED) ? text.replaceAll(/[\w.-]+/g, signed) : text)
    .replaceAll(/\b(bearer|basic)\s+([\w.~+/-]+=*)/gi, (all, scheme: string, credential: string) =>
      isCredential(scheme, credential) ? `${scheme} ${REDACTED}` : all,
    )
    .replaceAll(/\/\/[^\s/?#"'<>\\]+@/g, `//${REDACTED}@`);
}

/** `Basic` is also a word: only base64 of a name and a password is a credential (RFC 7617). */
function isCredential(scheme: string, credential: string): boolean {
  if (scheme.toLowerCase() === 'bearer') return !NO_CREDENTIAL.test(credential);
  try {
    return atob(credential).includes(':');
  } catch {
    return false;
  }
}

/** Redacts tokens that are words, or segments of paths. */
function withoutTokens(text: string, isToken: IsToken | undefined): string {
  if (!isToken) return text;
  const isOne = (word: string) => word.length >= SHORTEST && isToken(word) && isDistinct(word);
  // The last character may be a full stop.
  const without = (word: string) => (isOne(word) || isOne(word.slice(0, -1)) ? REDACTED : word);
  const withoutWords = (run: string) =>
    run.replaceAll(/[\w.~+-]+(?:\/[\w.~+-]+)*=*/g, (words) => {
      const whole = without(words);
      const isPath = whole === words && words.includes('/');
      return isPath ? words.replaceAll(/[^/]+/g, without) : whole;
    });
  return text.replaceAll(RUN, (run) => {
    if (!HAS_MARKS.test(run)) return withoutWords(run);
    const token = withinMarks(run).find(isOne);
    return token === undefined ? withoutWords(run) : run.replace(token, () => REDACTED);
  });
}

/** A run of the characters that a token may have: no token is longer. */
const RUN = /[!-~]+/g;
/** Characters that words do not have. */
const HAS_MARKS = /[^\w.~+/=-]/;
/** Punctuation that sentences put around a word. */
const [BEFORE, AFTER] = [/^["'`(<[]{0,3}/, /["'`)>\],.;:!?]{0,4}$/];

/**
 * The run with all, some or none of the punctuation around it, because a token may itself end with
 * punctuation.
 */
function withinMarks(run: string): string[] {
  const [before = 0, after = 0] = [BEFORE, AFTER].map((marks) => marks.exec(run)?.[0].length);
  return Array.from({ length: before + 1 }, (_, start) =>
    Array.from({ length: after + 1 }, (_, end) => run.slice(start, run.length - end)),
  ).flat();
}

const ESCAPED = /[%\\]/;

/** Text between spaces, quotation marks and the separators of fields. */
const WORD = /(?:\\[\s\S]|[^\s"`<>&?#=\\])+=*/g;

/** Creates a function that hides secrets, and what `others` hides, however they are escaped. */
export function hiding(
  secrets: readonly string[],
  others = (text: string) => text,
): (text: string) => string {
  // One secret may be part of another.
  const longestFirst = secrets
    .flatMap((one) => [one, JSON.stringify(one).slice(1, -1)])
    .sort((one, other) => other.length - one.length);
  const hide = (text: string) =>
    others(longestFirst.reduce((shown, one) => shown.replaceAll(one, REDACTED), text));
  return (text) => {
    const shown = hide(text);
    if (!ESCAPED.test(shown)) return shown;
    const hideWhole = (word: string) => {
      const plain = resolved(word);
      return plain === word || hide(plain) === plain ? word : REDACTED;
    };
    return shown.replaceAll(WORD, (word) =>
      hideWhole(word) === word ? word.replaceAll(/[^/]+/g, hideWhole) : REDACTED,
    );
  };
}

/** Undoes the escapes of URLs and JSON twice, because a URL may contain another. */
function resolved(text: string): string {
  return ESCAPED.test(text) ? resolvedOnce(resolvedOnce(text)) : text;
}

function resolvedOnce(text: string): string {
  return text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => {
      const codes = bytes.slice(1).split('%');
      return new TextDecoder().decode(Uint8Array.from(codes, (code) => Number.parseInt(code, 16)));
    })
    .replaceAll(/\\u([\da-f]{4})/gi, (_all, unit: string) =>
      String.fromCharCode(Number.parseInt(unit, 16)),
    )
    .replaceAll(/\\(["/\\])/g, '$1');
}

function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    replace(name),
    mapTexts(member, replace),
  ]);
  return Object.fromEntries(members);
}
