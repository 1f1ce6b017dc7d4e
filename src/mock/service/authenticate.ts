import { DecisionsBehindResponse } from '../../core/decisions/decisions-behind-response.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { EXPECTED_TOKEN, TOKEN_FORM } from '../../core/values/bearer-token.js';
import type { Accounts } from '../accounts/account-registry.js';
import type { Exchange, Step, StubExchange } from './exchange.js';

/** The scheme is case-insensitive (RFC 9110, section 11.1). */
const CREDENTIALS = /^bearer +(\S+)$/i;

/** Finds or opens the account that the bearer token names (section 5), and fixes its decisions. */
export function authenticate(accounts: Pick<Accounts, 'admit'>): Step {
  return (exchange) => {
    const token = tokenOf(exchange.fields);
    const account = accounts.admit(token);
    exchange.account = account;
    exchange.generation = account.generation;
    exchange.decisions = new DecisionsBehindResponse(account.decisions.inForce);
    exchange.token = token;
  };
}

/** The same, but ignores a missing or refused token if the stub needs none. */
export function authenticateForStub(accounts: Pick<Accounts, 'admit'>): Step<StubExchange> {
  const admit = authenticate(accounts);
  return (exchange) => {
    try {
      return admit(exchange);
    } catch (error) {
      if (exchange.called.stub.needsToken) throw error;
    }
  };
}

/** The request's bearer token, if it has a well-formed one. */
export function tokenIn({ authorization }: Exchange['fields']): string | undefined {
  const [, token] = CREDENTIALS.exec(authorization ?? '') ?? [];
  return token !== undefined && TOKEN_FORM.test(token) ? token : undefined;
}

/** Throws if the bearer token is missing or malformed. */
export function tokenOf(fields: Exchange['fields']): string {
  const token = tokenIn(fields);
  if (token !== undefined) return token;
  throw tokenError(fields);
}

/** The error for a missing or malformed token. It does not quote what may be a secret. */
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
  const what = /\s/.test(token) ? 'spaces' : 'characters that are not visible ASCII';
  return {
    received: `The token in the Authorization header has ${what}`,
    fix: ` with ${EXPECTED_TOKEN}. To send the name of a test, percent-encode it, as encodeURIComponent does.`,
  };
}
