import { createHmac } from 'node:crypto';

/** Signs the tokens: known to all, for they keep nobody out. */
const KEY = 'usage-billing-mock';

/**
 * A bearer token for a text: a JWT (RFC 7519) whose `sub` is the text. The same text always gets the
 * same token, and another text another one.
 */
export function bearerTokenFor(text: string): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, { sub: text }];
  const signed = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${createHmac('sha256', KEY).update(signed).digest('base64url')}`;
}
