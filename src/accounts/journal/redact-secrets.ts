import { isObject } from '../../values/json-value.js';
import { percentDecoded } from '../../values/received-value.js';

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

/** So many characters of a token in a row are a part of it. */
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

/**
 * Takes the secrets out of what one request says: values by the names of their members and fields,
 * and then what was found so wherever else it is quoted. Takes time in proportion to the text.
 */
export class Redaction {
  /** Values that were withheld because of their names. */
  readonly #found = new Set<string>();
  /** Credentials that are known beforehand. */
  readonly #tokens: readonly string[];

  /** A sentence that quotes the request, and is known to have no secret. */
  readonly #clean: string | undefined;

  constructor(tokens: readonly string[] = [], clean?: string) {
    this.#tokens = tokens.filter((token) => token.length >= SHORTEST);
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

  /** A query or a form, a URL or a path, without the values of secret fields. */
  fields(text: string): string {
    const pieces = text.split(/([?&;#])/).map((piece) => {
      const nameEnd = piece.indexOf('=');
      const name = piece.slice(0, Math.max(0, nameEnd));
      const value = decoded(piece.slice(nameEnd + 1));
      if (value === '' || !(isSecretName(decoded(name)) || namesSecret(value))) return piece;
      return `${nameEnd < 0 ? '' : `${name}=`}${this.withhold(value)}`;
    });
    return pieces.join('');
  }

  /** A text that is neither JSON nor a form: nothing of it if it names a secret and its value. */
  text(text: string): string {
    if (text === this.#clean || !HINT.test(text)) return text;
    if (/^[^\s"'{}<>]*$/.test(text)) return this.fields(text);
    return namesSecret(text) ? this.withhold(text) : text;
  }

  /** A text of several lines without secrets, nor the lines that name one. */
  lines(text: string): string {
    const withoutTokens = text.replaceAll(/\bBearer\s+[^\s"'`]+/gi, `Bearer ${REDACTED}`);
    return this.hide(withoutTokens.replaceAll(/.+/g, (line) => this.text(line)));
  }

  /** Notes all texts of a value as secrets. */
  withhold(value: unknown): typeof REDACTED {
    if (isObject(value) || Array.isArray(value))
      Object.values(value).map((one) => this.withhold(one));
    else if (value !== REDACTED && value !== null) this.#found.add(String(value));
    return REDACTED;
  }

  /** The value with everything hidden in its texts and names that was found to be secret before. */
  hide<Value>(value: Value): Value {
    const secrets = [...this.#found].filter(({ length }) => length >= SHORTEST);
    const hide = hiding([...this.#tokens, ...secrets]);
    const isTooMuch = secrets.length > MOST_SECRETS;
    return mapTexts(value, (text) => {
      if (isTooMuch && text !== '') return REDACTED;
      const shown = hide(text);
      return shown.includes(SIGNED) ? shown.replaceAll(/[\w.-]+/g, withoutSignedToken) : shown;
    }) as Value;
  }

  /** A sentence that quotes the request, without the secrets that were found, nor parts of them. */
  quote(sentence: string): string {
    const found = [...this.#found];
    const short = found.filter(({ length }) => length < SHORTEST);
    const hidden = short
      .flatMap((one) => [`"${one}"`, `'${one}'`, `=${one}`, `received ${one}`])
      .reduce((before, form) => before.replaceAll(form, REDACTED), this.hide(sentence));
    const whole = cover(hidden, found.flatMap(formsOf), SHORTEST);
    return cover(whole, this.#tokens, PART_OF_TOKEN);
  }
}

/** A number of tokens is a count, and no token. */
function isSecret(name: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return false;
  return isSecretName(typeof value === 'number' ? name.replaceAll(/tokens?/gi, '') : name);
}

/** Whether a text has the name of a secret, and something that may be its value. */
function namesSecret(text: string): boolean {
  if (!HINT.test(text)) return false;
  const assigned = /[\\"'\]]*\s*[:=>]/y;
  for (const { 0: word, index } of text.matchAll(/[\w-]+/g)) {
    // Usage is counted in tokens, too.
    if (!isSecretName(word.replaceAll(/tokens/gi, ''))) continue;
    assigned.lastIndex = index + word.length;
    // The second is how a part of a multipart form, or an input of a page, is called.
    if (assigned.test(text) || /name=["']?$/.test(text.slice(index - 6, index))) return true;
  }
  return false;
}

function withoutSignedToken(word: string): string {
  const start = word.indexOf(SIGNED);
  const [head = '', ...others] = word.slice(Math.max(start, 0)).split('.');
  const isToken = start >= 0 && head.length >= SHORTEST_HEAD && others.length > 1;
  return isToken ? word.slice(0, start) + REDACTED : word;
}

/** Creates what hides secrets that are known, however they are written. */
export function hiding(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf);
  // A secret may be a part of another.
  forms.sort((one, other) => other.length - one.length);
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, REDACTED), text);
}

/** How a secret is written: as it is, in JSON, or percent-encoded. */
function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const encoded = encodeURIComponent(secret.replaceAll(/\p{Cs}/gu, '\ufffd'));
  return [...new Set([secret, escaped, secret.replaceAll('/', '\\/'), encoded])];
}

/** The text with every part hidden that has so many characters in a row of one of the secrets. */
function cover(text: string, secrets: readonly string[], width: number): string {
  const parts = new Set<string>();
  for (const secret of secrets) {
    for (let start = 0; start + width <= secret.length; start += 1) {
      parts.add(secret.slice(start, start + width));
    }
  }
  const shown: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start;
    while (parts.has(text.slice(end, end + width))) end += 1;
    shown.push(end === start ? text.charAt(start) : REDACTED);
    start = end === start ? start + 1 : end + width - 1;
  }
  return shown.join('');
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

function decoded(text: string): string {
  return percentDecoded(text.replaceAll('+', ' ')) ?? text;
}
