import { NAMES } from '../../generated/names.js';
import { isObject } from '../../values/json-value.js';

/** What is shown in place of a secret. */
export const REDACTED = '[redacted]';

/** What a secret is called, within a longer name too: `X-Api-Key`, `user[password]`, `refreshToken`. */
const SECRETS = [
  ...['token', 'password', 'passwd', 'passphrase', 'passcode', 'secret', 'authorization'],
  ...['credential', 'cookie', 'apikey', 'accesskey', 'privatekey', 'signingkey'],
  ...['encryptionkey', 'sessionid', 'sessionkey'],
];

/** The same as words of their own: `author` and `compass` are no secrets. */
const WORDS = ['auth', 'jwt', 'otp', 'pass', 'pwd', 'signature'];

/** Most names contain none of these, and need no further look. */
const HINT = /token|pass|pwd|secret|auth|credential|cookie|key|session|jwt|otp|signature/i;

/** The members that say what is called so, and those that have it: `{ "name": "pin", "value": 1 }`. */
const LABELS = ['name', 'key', 'pointer'];
const LABELLED = ['value', 'received'];

/** How a JSON Web Token begins, and how long its first part is at least. */
const SIGNED = 'eyJ';
const SHORTEST_HEAD = 8;

/** A shorter one is found in ordinary words, and is hidden only where its name is beside it. */
const SHORTEST = 6;

/** So many characters of a token at its beginning are a part of it. */
const PART_OF_TOKEN = 16;

/** Nothing is shown of a request with more: to look for all of them would take long. */
const MOST_SECRETS = 50;

/** Whether the value of a member, parameter or field of this name is secret. */
export function isSecretName(name: string): boolean {
  if (!HINT.test(name)) return false;
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const words = spaced.split(/[^a-z]/).filter((word) => word !== '');
  const letters = words.join('');
  return (
    SECRETS.some((secret) => letters.includes(secret)) || words.some((word) => WORDS.includes(word))
  );
}

/** What is known of secrets beforehand. */
interface Known {
  /** Credentials, such as those of the request. */
  readonly tokens?: readonly string[];
  /** Whether a word is the token of an account. */
  readonly isToken?: IsToken | undefined;
  /** A sentence that quotes the request, and is known to have no secret. */
  readonly clean?: string | undefined;
}

/** Whether a word is a token that the server knows. */
export type IsToken = (word: string) => boolean;

/**
 * Takes the secrets out of what one request says: values by the names of their members and fields,
 * and then what was found so wherever else it is quoted. Takes time in proportion to the text.
 */
export class Redaction {
  /** Values that were withheld because of their names. */
  readonly #found = new Set<string>();
  readonly #tokens: readonly string[];
  readonly #isToken: IsToken | undefined;
  readonly #clean: string | undefined;
  /** Whether a whole text was withheld, of which a sentence could quote any part. */
  #withholdsText = false;

  constructor({ tokens = [], isToken, clean }: Known = {}) {
    this.#tokens = tokens.filter(isDistinct);
    this.#isToken = isToken;
    this.#clean = clean;
  }

  /** A copy of a JSON value without the members whose names say that they are secret. */
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

  /** A query, a form or a URL without the values of fields that are secret, or name a secret. */
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

  /** A text within a request: nothing of it if it names a secret and its value. */
  text(text: string, isSecretText = namesSecret): string {
    if (text === this.#clean || !isSecretText(text)) return text;
    this.#withholdsText = true;
    return this.withhold(text);
  }

  /** A body that is neither JSON nor a form: nothing of it if a secret is as much as mentioned. */
  unstructured(body: string): string {
    return this.text(body, (text) =>
      wordsOf(resolved(text)).some(({ 0: word }) => isSecretWord(word)),
    );
  }

  /** A text of several lines without secrets, nor the lines that name one, nor the value in the next. */
  lines(text: string): string {
    return this.hide(text.replaceAll(LINE, (line) => (namesSecret(line) ? REDACTED : line)));
  }

  /** Notes all texts of a value as secrets. */
  withhold(value: unknown): typeof REDACTED {
    if (isObject(value) || Array.isArray(value))
      Object.values(value).map((one) => this.withhold(one));
    else if (value !== REDACTED && value !== null)
      this.#found.add(String(value)).add(resolved(String(value)));
    return REDACTED;
  }

  /** The value without the tokens that are known, what was withheld before, and other credentials. */
  hide<Value>(value: Value): Value {
    const found = [...this.#found].filter(isDistinct);
    const hide = hiding([...this.#tokens, ...found], (text) =>
      withoutCredentials(withoutTokens(text, this.#isToken)),
    );
    const isTooMuch = found.length > MOST_SECRETS;
    return mapTexts(value, (text) => (isTooMuch && text !== '' ? REDACTED : hide(text))) as Value;
  }

  /**
   * A sentence that quotes the request, without secrets; the shorter one if a part of a secret would be
   * left, and nothing if that is so of both.
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

/** A number of tokens is a count, and no token. */
function isSecret(name: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return false;
  return isSecretName(typeof value === 'number' ? name.replaceAll(/tokens?/gi, '') : name);
}

/** A line; with the next one, if that has what it names: `password:`. */
const LINE = /.*[:=>]["']?[ \t\r]*\n.+|.+/g;

/** What follows the name of a secret, if its value does. */
const ASSIGNED = /[\\"'\]]*\s*[:=>]/y;
const ARGUMENT = /\s+\S/y;

/** Whether a text has the name of a secret, and something that may be its value. */
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

/** Usage is counted in tokens, too. */
function isSecretWord(word: string): boolean {
  return isSecretName(word.replaceAll(/tokens/gi, ''));
}

/** Whether a text can be hidden wherever it is: it is no common word, and no name of the documents. */
function isDistinct(secret: string): boolean {
  return secret.length >= SHORTEST && !` ${NAMES} `.includes(` ${secret} `);
}

/** Whether a token is a JSON Web Token (RFC 7519). */
export function isSigned(token: string): boolean {
  const start = token.indexOf(SIGNED);
  const [head = '', ...others] = token.slice(Math.max(start, 0)).split('.');
  return start >= 0 && head.length >= SHORTEST_HEAD && others.length > 1;
}

/** A bearer token of the examples, and what the mock and others write after the name of a scheme. */
const NO_CREDENTIAL = /^(?:my-token|tokens?|realm=|error=)$/i;

/** A text without what looks like a credential: JSON Web Tokens, `Bearer`, `Basic`, and a URL's userinfo. */
function withoutCredentials(text: string): string {
  const signed = (word: string) =>
    isSigned(word) ? word.slice(0, word.indexOf(SIGNED)) + REDACTED : word;
  return (text.includes(SIGNED) ? text.replaceAll(/[\w.-]+/g, signed) : text)
    .replaceAll(/\b(bearer|basic)\s+([\w.~+/-]+=*)/gi, (all, scheme: string, credential: string) =>
      isCredential(scheme, credential) ? `${scheme} ${REDACTED}` : all,
    )
    .replaceAll(/\/\/[^\s/?#"'<>\\]+@/g, `//${REDACTED}@`);
}

/** Words follow `Basic` as well: what has no name and password in base64 is one (RFC 7617). */
function isCredential(scheme: string, credential: string): boolean {
  if (scheme.toLowerCase() === 'bearer') return !NO_CREDENTIAL.test(credential);
  try {
    return atob(credential).includes(':');
  } catch {
    return false;
  }
}

/** A text without the words, and the segments of paths, that are tokens. */
function withoutTokens(text: string, isToken: IsToken | undefined): string {
  if (!isToken) return text;
  const isOne = (word: string) => word.length >= SHORTEST && isToken(word) && isDistinct(word);
  // A sentence may end with it.
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

/** What a token may be, between spaces. */
const RUN = /[!-~]+/g;
/** What no word has. */
const HAS_MARKS = /[^\w.~+/=-]/;
/** What a sentence puts around a word. */
const [BEFORE, AFTER] = [/^["'`(<[]{0,3}/, /["'`)>\],.;:!?]{0,4}$/];

/** A run of characters with all of the marks around it, and with fewer of them: it may end with one. */
function withinMarks(run: string): string[] {
  const [before = 0, after = 0] = [BEFORE, AFTER].map((marks) => marks.exec(run)?.[0].length);
  return Array.from({ length: before + 1 }, (_, start) =>
    Array.from({ length: after + 1 }, (_, end) => run.slice(start, run.length - end)),
  ).flat();
}

const ESCAPED = /[%\\]/;

/** What stands between blanks, quotation marks and the separators of fields. */
const WORD = /(?:\\[\s\S]|[^\s"`<>&?#=\\])+=*/g;

/** Creates what hides secrets that are known, and what `others` hides, however they are escaped. */
export function hiding(
  secrets: readonly string[],
  others = (text: string) => text,
): (text: string) => string {
  // A secret may be a part of another.
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

/** A text without the escapes of URLs and JSON, twice: a URL may be within another. */
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
