import { isObject } from '../../../core/values/json-value.js';
import { NAMES } from '../../../generated/names.js';

export const REDACTED = '[redacted]';

/** A JSON Web Token begins with this, and its first part has at least this many characters. */
const SIGNED = 'eyJ';
const SHORTEST_HEAD = 8;

/** Shorter tokens occur in ordinary words, and are hidden only in their own fields. */
const SHORTEST = 6;

/** Whether a word is the token, or the public id, of an open account. */
export type IsToken = (word: string) => boolean;

interface Known {
  /** Credentials, such as those that a request carries. */
  readonly tokens?: readonly string[];
  readonly isToken?: IsToken | undefined;
}

/**
 * Creates a function that returns a copy of a value in which known tokens, JSON Web Tokens and the
 * userinfo of URLs are redacted wherever they occur. Takes time in proportion to the texts.
 */
export function hiderOf({ tokens = [], isToken }: Known): <Value>(value: Value) => Value {
  const known = tokens.filter(isDistinct);
  const hide = hiding(known, (text) =>
    withoutSigned(withoutCutEnd(withoutTokens(text, isToken), known)).replaceAll(
      USERINFO,
      `//${REDACTED}@`,
    ),
  );
  return (value) => mapTexts(value, hide) as typeof value;
}

const USERINFO = /\/\/[^\s/?#"'<>\\]+@/g;

/** Redacts JSON Web Tokens: the mock issues some, and those of others are credentials as well. */
function withoutSigned(text: string): string {
  if (!text.includes(SIGNED)) return text;
  return text.replaceAll(/[\w.-]+/g, (word) =>
    isSigned(word) ? word.slice(0, word.indexOf(SIGNED)) + REDACTED : word,
  );
}

/** Redacts the beginning of a token where a text that quotes it was cut. */
function withoutCutEnd(text: string, tokens: readonly string[]): string {
  if (!text.includes('…')) return text;
  return tokens.reduce((shown, token) => {
    let length = token.length - 1;
    while (length >= SHORTEST && !shown.includes(`${token.slice(0, length)}…`)) length -= 1;
    return length < SHORTEST
      ? shown
      : shown.replaceAll(`${token.slice(0, length)}…`, `${REDACTED}…`);
  }, text);
}

/** Whether a token may be hidden wherever it occurs: it is neither short nor a documented name. */
function isDistinct(token: string): boolean {
  return token.length >= SHORTEST && !` ${NAMES} `.includes(` ${token} `);
}

/** Whether a token is a JSON Web Token (RFC 7519). */
export function isSigned(token: string): boolean {
  const start = token.indexOf(SIGNED);
  const [head = '', ...others] = token.slice(Math.max(start, 0)).split('.');
  return start >= 0 && head.length >= SHORTEST_HEAD && others.length > 1;
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
