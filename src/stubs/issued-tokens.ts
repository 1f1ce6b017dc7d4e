import { toBase64Url } from '../billing/cursor.js';

/** The HMAC of a text with SHA-256 (RFC 2104), in base64url. */
export type Sign = (text: string, key: string) => string;

/** Signs the tokens: known to all, for they keep nobody out, and are good for every mock. */
const KEY = 'usage-billing-mock';

/** As many characters as no token has by chance; that of a JWT is longer. */
const SIGNATURE_CHARACTERS = 12;

/** The token of the banner, the ready file and the advice in refusals. */
export const EXAMPLE_TOKEN = 'my-token';

/** Times in seconds that every token has, since clients refuse one without: always in force. */
const ISSUED_AT = Date.UTC(2020, 0, 1) / 1_000;
const EXPIRES_AT = Date.UTC(2100, 0, 1) / 1_000;

/**
 * A bearer token for a text: a JWT (RFC 7519) whose `sub` is the text. The same text always gets the
 * same token, and another text another one.
 */
export function bearerTokenFor(text: string, sign: Sign): string {
  const claims = { sub: text, iat: ISSUED_AT, exp: EXPIRES_AT };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims];
  const signed = parts.map((part) => toBase64Url(JSON.stringify(part))).join('.');
  return `${signed}.${sign(signed, KEY)}`;
}

/** A bearer token with a name that may be shown; the name has the characters of a bearer token. */
export function namedToken(name: string, sign: Sign): string {
  return `${name}.${sign(name, KEY).slice(0, SIGNATURE_CHARACTERS)}`;
}

/** The name of what `namedToken` returned; undefined for every other token. */
export function nameOfToken(token: string, sign: Sign): string | undefined {
  const name = token.slice(0, token.lastIndexOf('.'));
  return token === namedToken(name, sign) ? name : undefined;
}

/** Whether a mock has issued a token: this one or another, before a restart too, since the signature tells. */
export function isIssued(token: string, sign: Sign): boolean {
  if (token === EXAMPLE_TOKEN || nameOfToken(token, sign) !== undefined) return true;
  const end = token.lastIndexOf('.');
  return token.slice(end + 1) === sign(token.slice(0, end), KEY);
}
