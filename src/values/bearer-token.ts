import { shown } from './received-value.js';

/** What a bearer token looks like (section 5; RFC 6750, section 2.1). */
export const TOKEN_FORM = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Refuses what no request could send as a bearer token. */
export function refuseInvalidToken(token: unknown): void {
  if (typeof token === 'string' && TOKEN_FORM.test(token)) return;
  const what = token === undefined ? 'The token is missing' : `Invalid token ${shown(token)}`;
  throw new TypeError(
    `${what}; expected letters, digits and any of -._~+/ without spaces, such as 'my-token'.`,
  );
}

/** The scenario that a token such as `token-scenario-outage` names; an empty name if it names none. */
export function scenarioIn(token: string): string {
  return /^token-scenario-(.+)$/.exec(token)?.[1] ?? '';
}

/** The prefix of a selection of accounts. Throws a `TypeError` for any other selection. */
export function prefixOf(selection: { readonly prefix: string }): string {
  const { prefix, ...others } = Object(selection) as Partial<typeof selection>;
  if (typeof prefix === 'string' && prefix !== '' && Object.keys(others).length === 0) {
    return prefix;
  }
  throw new TypeError(
    `The selection of accounts is ${shown(selection)}; expected { prefix } with the first characters of tokens. Close every account with closeAllAccounts().`,
  );
}
