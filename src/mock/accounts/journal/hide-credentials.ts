import { PROBLEM_NAMES } from '../../../core/errors/problem-types.js';
import { isNotSet } from '../../../core/values/bearer-token.js';
import { isObject, pointerTo } from '../../../core/values/json-value.js';
import { REDACTED, redacted, SECRET_NAME } from '../../../core/values/secret-name.js';
import { ENVELOPES, OPTIONAL_FIELDS, PARAMETERS, ROUTES } from '../../../generated/operations.js';

/** Tokens that are hidden as whole words, unless they are short or a name of the document. */
export interface Known {
  readonly secrets?: readonly string[];
  /** Parts of a URL or a form that have such tokens in another spelling. */
  readonly parts?: readonly string[];
}

/**
 * Creates the function through which everything passes that leaves the mock. It copies a value
 * without these tokens (as they are, or escaped in JSON, a JSON pointer or a URL), values of secret
 * names, JSON Web Tokens and the userinfo of URLs. Its time grows in proportion to the length of
 * the texts.
 */
export function hiderOf({ secrets = [], parts = [] }: Known): <Value>(value: Value) => Value {
  const tokens = spellingsOf(secrets);
  // One may be part of another.
  const all = [...tokens, ...spellingsOf(parts)].sort((one, other) => other.length - one.length);
  const hideText = (text: string) => {
    const shown = all.reduce(hideWord, text);
    return hideNamed(hideCut(shown, tokens))
      .replaceAll(SIGNED, (whole, word: string, cut: string) =>
        (cut ? word.includes('.') : isSigned(word)) ? REDACTED + cut : whole,
      )
      .replaceAll(USERINFO, `$1${REDACTED}$2`);
  };
  return (value) => mapTexts(value, hideText) as typeof value;
}

function spellingsOf(words: readonly string[]): readonly string[] {
  const written = words
    .filter(isDistinct)
    .flatMap((one) => [
      ...[one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)],
      pointerTo(one).slice(1),
    ]);
  return [...new Set(written)];
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

/** What may precede a word: the end of an escape in JSON, a JSON pointer or a URL, or no part of one. */
const BEFORE_WORD = /(^|[^\w-]|%(25)?[\da-f]{2}|~[01]|\\[bfnrt]|\\u[\da-f]{4})$/i;
const LONGEST_ESCAPE = 6;

function startsWord(text: string, at: number): boolean {
  return BEFORE_WORD.test(text.slice(Math.max(at - LONGEST_ESCAPE, 0), at));
}

/** Hides a token where it is a whole word: `test-1` is not part of `test-10`. */
function hideWord(text: string, token: string): string {
  return text.replaceAll(token, (word, at: number) => {
    const isWhole = startsWord(text, at) && !/[\w-]/.test(text[at + word.length] ?? '');
    return isWhole ? REDACTED : word;
  });
}

/** What messages quote is cut after this many characters. */
const LONGEST_QUOTE = 200;

/** Hides the beginning of a token that ends where a message cut what it quotes. */
function hideCut(text: string, tokens: readonly string[]): string {
  if (!text.includes('…')) return text;
  const pieces = text.split('…').map((piece, nth, all) => {
    if (nth === all.length - 1 || piece.length < SHORTEST) return piece;
    const end = piece.slice(-LONGEST_QUOTE);
    const startsIn = (quote: string) =>
      tokens.map((token) => beginningIn(quote, token)).filter((at) => at >= 0);
    const starts = startsIn(end);
    // In a URL, any character may be encoded.
    const isEncoded = starts.length === 0 && end.includes('%') && startsIn(decoded(end)).length > 0;
    if (isEncoded) starts.push(end.lastIndexOf(' ') + 1);
    if (starts.length === 0) return piece;
    return piece.slice(0, piece.length - end.length + Math.min(...starts)) + REDACTED;
  });
  return pieces.join('…');
}

/** Without what a cut has left of the last escape. */
const decoded = (text: string) =>
  text.replaceAll(/%([\da-f]{2})|%[\da-f]?$/gi, (_all, byte) =>
    byte === undefined ? '' : String.fromCharCode(Number.parseInt(byte, 16)),
  );

/** Where a token begins whose rest a text lacks; -1 if its end is not the beginning of the token. */
function beginningIn(text: string, token: string): number {
  const head = token.slice(0, SHORTEST);
  let at = text.lastIndexOf(head);
  while (at >= 0 && !(token.startsWith(text.slice(at)) && startsWord(text, at))) {
    at = at === 0 ? -1 : text.lastIndexOf(head, at - 1);
  }
  return at;
}

/** A parameter of a query or a form. */
const PARAMETER = /((?<=^|[?&])([^=&?#\s"<>]+)=)([^&#\s"<>]*)/g;

/** A member of JSON whose value is a text. A name with escapes is known only once it is parsed. */
const MEMBER = /("([^"\\]*)"\s*:\s*")((?:[^"\\]|\\[\s\S])*)/g;

/** A field of a multipart form (RFC 7578), with few and short header fields. */
const PART =
  /(form-data; name="([^"\r\n]{1,100})"[^\r\n]{0,100}\r?\n(?:[^\r\n]{1,100}\r?\n){0,2}\r?\n)(?:(?!\r?\n--)[\s\S])*/g;

/** Hides the values of secret names in a query, a form or JSON, and in texts that quote these. */
function hideNamed(text: string): string {
  if (!SECRET_NAME.test(text)) return text;
  const inPlace = (whole: string, lead: string, name: string) =>
    SECRET_NAME.test(name) ? lead + REDACTED : whole;
  return text.replaceAll(PARAMETER, inPlace).replaceAll(MEMBER, inPlace).replaceAll(PART, inPlace);
}

/** Shorter tokens occur in ordinary words, and are hidden only in their own fields. */
const SHORTEST = 6;

/** Names of the document, and words of the mock's own sentences. */
const DOCUMENTED = new Set<string>([
  ...Object.values(ROUTES).flatMap((route) => route.split(/[ /]/)),
  ...Object.values(PARAMETERS).flat(),
  ...Object.values(ENVELOPES),
  ...OPTIONAL_FIELDS.flatMap((pointer) => pointer.split('/')),
  ...PROBLEM_NAMES,
  ...['account', 'expected', 'measurement', 'received', 'request', 'requests', 'response'],
]);

/** Whether a token is hidden wherever it occurs. */
export function isDistinct(secret: string): boolean {
  return secret.length >= SHORTEST && !DOCUMENTED.has(secret) && !isNotSet(secret);
}

/** The userinfo of a URL, which may be a value in another URL, or be cut. No search begins within another. */
const USERINFO = /(\/\/|%2F%2F|~1~1)(?:(?!%2F|~1~1)[^\s/?#"'<>\\])+(@|%40|…)/gi;

/** A word that may have a JSON Web Token (RFC 7519), and whether it was cut. */
const SIGNED = /(eyJ[\w.-]+)(…?)/g;

/** Whether a token is a JSON Web Token, whose first part has at least eight characters. */
export function isSigned(token: string): boolean {
  const [head = '', ...others] = token.slice(Math.max(token.indexOf('eyJ'), 0)).split('.');
  return head.startsWith('eyJ') && head.length >= 8 && others.length > 1;
}
