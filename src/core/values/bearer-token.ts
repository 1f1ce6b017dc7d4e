import { shown } from './received-value.js';

/**
 * What may follow the scheme in a header field: visible ASCII (section 5; RFC 9110, section 5.5).
 */
export const TOKEN_FORM = /^[!-~]+$/;

export const EXPECTED_TOKEN = 'visible ASCII characters without spaces';

export function refuseInvalidToken(token: unknown): void {
  if (typeof token === 'string' && TOKEN_FORM.test(token)) return;
  const what = token === undefined ? 'The token is missing' : `Invalid token ${shown(token)}`;
  throw new TypeError(
    `${what}; expected ${EXPECTED_TOKEN}, such as 'my-token'. Percent-encode other text with encodeURIComponent.`,
  );
}

/** What a client sends as its token if it has none: a variable that was not set or not replaced. */
const NOT_SET = /^(?:undefined|null|\$\{.*\})$/;

export function isNotSet(token: string): boolean {
  return NOT_SET.test(token);
}

/** The scenario that a token such as `token-scenario-outage` names; empty if it names none. */
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
    `closeAccounts() received ${shown(selection)}; expected { prefix: 'ci-17-' } with the first characters of your tokens. To close every account, call closeAllAccounts().`,
  );
}
