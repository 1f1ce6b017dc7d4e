import type { Accounts } from '../accounts/accounts.js';
import type { IdleAccounts } from '../accounts/idle-accounts.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import type { Decisions } from '../decisions/ledger.js';
import { ProblemError } from '../errors/problem-error.js';
import { isIssued, type Sign } from '../stubs/issued-tokens.js';
import { EXPECTED_TOKEN, TOKEN_FORM } from '../values/bearer-token.js';
import type { Exchange, Step } from './exchange.js';

/** Closes accounts that nothing uses, if it is time, and keeps that of this request meanwhile. */
export function closeIdleAccounts(idleAccounts: IdleAccounts | undefined): Step {
  return (exchange) => {
    if (idleAccounts) exchange.endings.push(idleAccounts.begin(exchange));
  };
}

/** The scheme in any case (RFC 9110, 11.1), a space, and what may be a token. */
const CREDENTIALS = /^bearer +(\S+)$/i;

/**
 * Finds the account that the bearer token names (section 5). What it refuses never reaches one. Where
 * a stub needs none, a token that names none is ignored.
 */
export function authenticate(accounts: Pick<Accounts, 'admit'>): Step {
  return (exchange) => {
    const { stub } = exchange;
    try {
      const token = tokenOf(exchange.fields);
      exchange.account = accounts.admit(token);
      exchange.generation = exchange.account.generation;
      exchange.token = token;
    } catch (error) {
      if (!stub || stub.needsToken) throw error;
    }
  };
}

/** The token of the request, if it has one of the right form. */
export function tokenIn({ authorization }: Exchange['fields']): string | undefined {
  const [, token] = CREDENTIALS.exec(authorization ?? '') ?? [];
  return token !== undefined && TOKEN_FORM.test(token) ? token : undefined;
}

/** The token of the request; refuses a missing or malformed one. */
export function tokenOf(fields: Exchange['fields']): string {
  const token = tokenIn(fields);
  if (token !== undefined) return token;
  throw tokenError(fields);
}

/** The refusal of a request that has no token of the right form; it never shows what was sent. */
export function tokenError({ authorization }: Exchange['fields']): ProblemError {
  const { received, fix = ". Set the header, for example to 'Bearer my-token'." } =
    refused(authorization);
  return new ProblemError(
    'unauthorized',
    `${received}; expected 'Authorization: Bearer <token>'${fix}`,
    { decision: 'unauthorized-status' },
  );
}

function refused(header: string | undefined): { readonly received: string; readonly fix?: string } {
  if (header === undefined) return { received: 'No Authorization header was received' };
  if (header.trim() === '') return { received: 'The Authorization header is empty' };
  const [scheme = '', ...rest] = header.split(' ');
  if (scheme.toLowerCase() !== 'bearer') {
    return { received: 'The Authorization header does not have the scheme Bearer' };
  }
  const token = rest.join(' ').trim();
  if (token === '') return { received: 'The Authorization header has no token after the scheme' };
  const what = /\s/.test(token) ? 'spaces' : 'characters outside ASCII';
  return {
    received: `The token in the Authorization header has ${what}`,
    fix: ` with ${EXPECTED_TOKEN}. To send the name of a test, percent-encode it, as encodeURIComponent does.`,
  };
}

/** Admits tokens as the accounts do, and counts those that `unknown-token` has let in. */
export function countingUnknown(
  accounts: Accounts,
  coverage: CoverageCounter,
  inForce: () => Decisions,
  sign: Sign,
): Pick<Accounts, 'admit'> {
  return {
    admit(token) {
      const isNew = accounts.find(token) === undefined;
      const account = accounts.admit(token);
      if (isNew && !isIssued(token, sign)) coverage.countDecision('unknown-token', inForce());
      return account;
    },
  };
}
