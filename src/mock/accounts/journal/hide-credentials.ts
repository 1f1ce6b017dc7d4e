import { isObject } from '../../../core/values/json-value.js';
import { PARAMETERS, ROUTES } from '../../../generated/operations.js';

export const REDACTED = '[redacted]';

/** The names of variables, header fields, parameters and members whose values are credentials. */
export const SECRET_NAME =
  /(?<!unknown-)token|passw|passphrase|secret|authorization|(?<!allow-)credential|cookie|(api|access|private|signing|encryption|session).?key|(?<![a-z])(auth|pass|pwd)(?![a-z])/i;

/** What is known to be a credential. */
export interface Known {
  /** Hidden wherever they occur, even in a word, unless they are short or a name of the document. */
  readonly secrets?: readonly string[];
  /** Whether a word is the token, or the public id, of an account; hidden as a whole word. */
  readonly isToken?: (word: string) => boolean;
}

/**
 * Creates the function through which everything passes that leaves the mock. It copies a value
 * without known credentials, values of secret names, JSON Web Tokens and the userinfo of URLs, also
 * inside JSON and URLs. Its time grows in proportion to the length of the texts.
 */
export function hiderOf({ secrets = [], isToken }: Known): <Value>(value: Value) => Value {
  const known = secrets
    .filter(isDistinct)
    .flatMap((one) => [one, JSON.stringify(one).slice(1, -1)])
    // One may be part of another.
    .sort((one, other) => other.length - one.length);
  const hidePlain = (text: string) => {
    const shown = known.reduce((before, one) => before.replaceAll(one, REDACTED), text);
    const whole = withoutSigned(withoutTokens(withoutCutEnds(shown, known), isToken));
    return whole.replaceAll(USERINFO, `//${REDACTED}@`);
  };
  const hideEscaped = (word: string) => {
    const plain = unescaped(unescaped(word));
    return plain === word || hidePlain(plain) === plain ? word : REDACTED;
  };
  const hideText = (text: string) => {
    const shown = hidePlain(mapNamed(text, redacted));
    if (!ESCAPED.test(shown)) return shown;
    return shown.replaceAll(WORD, (word) => hideEscaped(word.replaceAll(/[^/]+/g, hideEscaped)));
  };
  return (value) => mapTexts(value, hideText) as typeof value;
}

/** The credentials in a value, by their names, as written and without escapes. */
export function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') {
    const found = isSecret ? [value] : [];
    if (!isSecret) mapNamed(value, (secret) => String(found.push(secret, unescaped(secret))));
    return found;
  }
  return Object.entries(Object(value)).flatMap(([name, member]) =>
    secretsIn(member, isSecret || SECRET_NAME.test(name)),
  );
}

/** A credential as it may be shown: of a text only its scheme, if it is a known one. */
function redacted(secret: unknown): string {
  const [scheme = ''] = /^(bearer|basic|digest) /i.exec(String(secret)) ?? [];
  return scheme + REDACTED;
}

/** A copy of a value with its texts replaced, the names of members too, and secrets redacted. */
function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    replace(name),
    SECRET_NAME.test(name) && member != null ? redacted(member) : mapTexts(member, replace),
  ]);
  return Object.fromEntries(members);
}

/** A parameter of a query or a form. */
const PARAMETER = /((?<=^|[?&])([^=&?#\s"<>]+)=)([^&#\s"<>]*)/g;

/** A member of JSON whose value is a text, or another text, so that no search begins within one. */
const MEMBER = /("((?:[^"\\]|\\[\s\S])*)"\s*:\s*")((?:[^"\\]|\\[\s\S])*)|"(?:[^"\\]|\\[\s\S])*"?/g;

/** Replaces the values of secret names in a query, a form or JSON, and in texts that quote these. */
function mapNamed(text: string, replace: (secret: string) => string): string {
  if (!SECRET_NAME.test(unescaped(text))) return text;
  const inPlace = (whole: string, lead?: string, name = '', value = '') =>
    SECRET_NAME.test(unescaped(name)) ? lead + replace(value) : whole;
  return text.replaceAll(PARAMETER, inPlace).replaceAll(MEMBER, inPlace);
}

/** Shorter tokens occur in ordinary words, and are hidden only in their own fields. */
const SHORTEST = 6;

const DOCUMENTED = new Set<string>([
  ...Object.values(ROUTES).flatMap((route) => route.split(/[ /]/)),
  ...Object.values(PARAMETERS).flat(),
]);

function isDistinct(secret: string): boolean {
  return secret.length >= SHORTEST && !DOCUMENTED.has(secret);
}

const USERINFO = /\/\/[^\s/?#"'<>\\]+@/g;

/** A JSON Web Token begins with this, and its first part has at least this many characters. */
const SIGNED = 'eyJ';
const MIN_HEAD_LENGTH = 8;

/** Whether a token is a JSON Web Token (RFC 7519). */
export function isSigned(token: string): boolean {
  const start = token.indexOf(SIGNED);
  const [head = '', ...others] = token.slice(Math.max(start, 0)).split('.');
  return start >= 0 && head.length >= MIN_HEAD_LENGTH && others.length > 1;
}

function withoutSigned(text: string): string {
  if (!text.includes(SIGNED)) return text;
  return text.replaceAll(/[\w.-]+/g, (word) =>
    isSigned(word) ? word.slice(0, word.indexOf(SIGNED)) + REDACTED : word,
  );
}

/** Redacts the beginning of a credential where a text that quotes it was cut. */
function withoutCutEnds(text: string, known: readonly string[]): string {
  if (!text.includes('…')) return text;
  return known.reduce((shown, one) => {
    let length = one.length - 1;
    while (length >= SHORTEST && !shown.includes(`${one.slice(0, length)}…`)) length -= 1;
    return length < SHORTEST ? shown : shown.replaceAll(`${one.slice(0, length)}…`, `${REDACTED}…`);
  }, text);
}

/** A run of the characters that a token may have, a value in JSON or a query, and most tokens. */
const RUN = /[!-~]+/g;
const PIECE = /[^"?&=]+=*/g;
const PATH = /[\w.~+-]+(?:\/[\w.~+-]+)*=*/g;
const HAS_MARKS = /[^\w.~+/=-]/;
/**
 * A word and the punctuation around it, with which a token may itself begin or end. A backslash at the
 * end belongs to a quotation mark that was escaped.
 */
const MARKED = /^(["'`(<[]{0,3})(.*?)(["'`)>\],.;:!?]{0,4}\\?)$/;

/** Redacts tokens that are words, or segments of paths. */
function withoutTokens(text: string, isToken: Known['isToken']): string {
  if (!isToken) return text;
  const isOne = (word: string) => isDistinct(word) && isToken(word);
  // The last character may be a full stop.
  const hide = (word: string) => (isOne(word) || isOne(word.slice(0, -1)) ? REDACTED : word);
  const hideWords = (piece: string) =>
    piece.replaceAll(PATH, (path) => {
      const whole = hide(path);
      return whole === path ? path.replaceAll(/[^/]+/g, hide) : whole;
    });
  const hideMarked = (run: string) => {
    const token = HAS_MARKS.test(run) ? withinMarks(run).find(isOne) : undefined;
    return token && run.replace(token, () => REDACTED);
  };
  return text.replaceAll(
    RUN,
    (run) =>
      hideMarked(run) ?? run.replaceAll(PIECE, (piece) => hideMarked(piece) ?? hideWords(piece)),
  );
}

/** The run with all, some or none of the punctuation around it. */
function withinMarks(run: string): string[] {
  const [, before = '', , after = ''] = MARKED.exec(run) ?? [];
  return Array.from({ length: before.length + 1 }, (_, start) =>
    Array.from({ length: after.length + 1 }, (__, end) => run.slice(start, run.length - end)),
  ).flat();
}

const ESCAPED = /[%\\]/;

/** Text between spaces, quotation marks and the separators of fields. */
const WORD = /(?:\\[\s\S]|[^\s"`<>&?#=\\])+=*/g;

/** Undoes the escapes of URLs and JSON once; a URL may contain another. */
function unescaped(text: string): string {
  if (!ESCAPED.test(text)) return text;
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
