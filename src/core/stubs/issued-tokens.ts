import { fromBase64Url, toBase64Url } from '../billing/cursor.js';

/** The HMAC of a text with SHA-256 (RFC 2104), in base64url. */
export type Sign = (text: string, key: string) => string;

/** Not a secret: tokens keep nobody out, and every mock accepts those of any other. */
const KEY = 'usage-billing-mock';

/**
 * Long enough that no other token ends like this by chance, and shorter than the signature of a
 * JWT.
 */
const SIGNATURE_CHARACTERS = 12;

/** The token that the banner, the ready file and refusals suggest. */
export const EXAMPLE_TOKEN = 'my-token';

/** In seconds. Some clients refuse tokens without times; these keep a token in force until 2100. */
const ISSUED_AT = Date.UTC(2020, 0, 1) / 1_000;
const EXPIRES_AT = Date.UTC(2100, 0, 1) / 1_000;

/**
 * A bearer token for a text: a JWT (RFC 7519) whose `sub` is the text. Each text has a token of its
 * own, which is always the same.
 */
export function bearerTokenFor(text: string, sign: Sign): string {
  const claims = { sub: text, iat: ISSUED_AT, exp: EXPIRES_AT };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims];
  const signed = parts.map((part) => toBase64Url(JSON.stringify(part))).join('.');
  return `${signed}.${sign(signed, KEY)}`;
}

/**
 * Encodes letters beyond ASCII, which no bearer token may have, as base64url between `~~`. The text
 * must not contain `~~` itself.
 */
export function inAscii(text: string): string {
  return text.replace(/[^ -~]+/g, (letters) => `~~${toBase64Url(letters)}~~`);
}

/**
 * Decodes what `inAscii` encoded. `replace` is called for each `~` or `+` outside encoded letters.
 */
export function fromAscii(text: string, replace: (sign: string) => string): string {
  return text.replace(/~~([\w-]+)~~|[~+]/g, (sign, letters) =>
    letters === undefined ? replace(sign) : (fromBase64Url(letters) ?? ''),
  );
}

/**
 * A bearer token that begins with a name. The name may be shown, and may have only the characters
 * of a token.
 */
export function namedToken(name: string, sign: Sign): string {
  return `${name}.${sign(name, KEY).slice(0, SIGNATURE_CHARACTERS)}`;
}

/** The name in a token that `namedToken` returned; undefined for any other token. */
export function nameOfToken(token: string, sign: Sign): string | undefined {
  const name = token.slice(0, token.lastIndexOf('.'));
  return token === namedToken(name, sign) ? name : undefined;
}

/** Whether any mock issued the token, as its signature tells, or it is the example token. */
export function isIssued(token: string, sign: Sign): boolean {
  if (token === EXAMPLE_TOKEN || nameOfToken(token, sign) !== undefined) return true;
  const end = token.lastIndexOf('.');
  return token.slice(end + 1) === sign(token.slice(0, end), KEY);
}
