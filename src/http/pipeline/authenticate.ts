import type { Request, RequestHandler } from 'express';
import type { Accounts } from '../../accounts/accounts.js';
import { ProblemError } from '../../errors/problem-error.js';
import { TOKEN_FORM } from '../../messages/bearer-token.js';
import { exchangeOf } from './exchange.js';

/** The scheme in any case (RFC 9110, 11.1), a space, and what may be a token. */
const CREDENTIALS = /^bearer +(?<token>\S+)$/i;

/** Finds the account that the bearer token names (section 5). What it refuses never reaches one. */
export function authenticate(accounts: Pick<Accounts, 'admit'>): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const token = tokenOf(request);
    exchange.account = accounts.admit(token);
    exchange.generation = exchange.account.generation;
    exchange.token = token;
    next();
  };
}

/** The token of the request, if it has one of the right form. */
export function tokenIn({ headers }: Pick<Request, 'headers'>): string | undefined {
  const token = CREDENTIALS.exec(headers.authorization ?? '')?.groups?.token;
  return token !== undefined && TOKEN_FORM.test(token) ? token : undefined;
}

/** The token of the request; refuses a missing or malformed one. */
export function tokenOf(request: Request): string {
  const token = tokenIn(request);
  if (token !== undefined) return token;
  throw tokenError(request);
}

/** The refusal of a request that has no token of the right form. */
export function tokenError(request: Request): ProblemError {
  return new ProblemError(
    'unauthorized',
    `${describe(request.headers.authorization)}; expected 'Authorization: Bearer <token>'. Set the header, for example to 'Bearer my-token'.`,
    { decision: 'unauthorized-status' },
  );
}

/** What was received, never the token itself. */
function describe(header: string | undefined): string {
  if (header === undefined) return 'No Authorization header was received';
  if (header.trim() === '') return 'The Authorization header is empty';
  const [scheme = '', ...rest] = header.split(' ');
  if (scheme.toLowerCase() !== 'bearer') {
    return `The Authorization header does not have the scheme Bearer`;
  }
  return rest.join('').trim() === ''
    ? 'The Authorization header has no token after the scheme'
    : 'The token in the Authorization header has characters that RFC 6750 does not allow';
}
