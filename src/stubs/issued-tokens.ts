import { createHmac } from 'node:crypto';

/** Signs the tokens: known to all, for they keep nobody out, and are good for every mock. */
const KEY = 'usage-billing-mock';

/** As many characters as no token has by chance; that of a JWT is longer. */
const SIGNATURE_CHARACTERS = 12;

/** The token of the banner, the ready file and the advice in refusals. */
export const EXAMPLE_TOKEN = 'my-token';

/**
 * A bearer token for a text: a JWT (RFC 7519) whose `sub` is the text. The same text always gets the
 * same token, and another text another one.
 */
export function bearerTokenFor(text: string): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, { sub: text }];
  const signed = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${signatureOf(signed)}`;
}

/** A bearer token with a name that may be shown; the name has the characters of a bearer token. */
export function namedToken(name: string): string {
  return `${name}.${signatureOf(name).slice(0, SIGNATURE_CHARACTERS)}`;
}

/** The name of what `namedToken` returned; undefined for every other token. */
export function nameOfToken(token: string): string | undefined {
  const name = token.slice(0, token.lastIndexOf('.'));
  return token === namedToken(name) ? name : undefined;
}

/** Whether a mock has issued a token: this one or another, before a restart too, since the signature tells. */
export function isIssued(token: string): boolean {
  if (token === EXAMPLE_TOKEN || nameOfToken(token) !== undefined) return true;
  const end = token.lastIndexOf('.');
  return token.slice(end + 1) === signatureOf(token.slice(0, end));
}

function signatureOf(text: string): string {
  return createHmac('sha256', KEY).update(text).digest('base64url');
}
