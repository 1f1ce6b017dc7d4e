import type { Accounts } from '../accounts/accounts.js';
import { Clock } from '../accounts/clock.js';
import type { Journal } from '../accounts/journal/journal.js';
import { AppliedDecisions } from '../decisions/applied-decisions.js';
import { ProblemError } from '../errors/problem-error.js';
import type { SpecificationFor } from '../openapi/specification-in-force.js';
import { TOKEN_FORM } from '../values/bearer-token.js';
import { type Exchange, known, type Step } from './exchange.js';

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

/** The refusal of a request that has no token of the right form. */
export function tokenError({ authorization }: Exchange['fields']): ProblemError {
  return new ProblemError(
    'unauthorized',
    `${describe(authorization)}; expected 'Authorization: Bearer <token>'. Set the header, for example to 'Bearer my-token'.`,
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

/** From here on the request is answered by the decisions of its account, and an operation by its specification. */
export function adoptSpecification(specificationFor: SpecificationFor): Step {
  return (exchange) => {
    if (!exchange.account) return;
    const { inForce } = exchange.account.decisions;
    exchange.decisions = new AppliedDecisions(inForce);
    if (!exchange.route) return;
    const { operationId } = exchange.route;
    exchange.specification = specificationFor(inForce);
    const route = exchange.specification.routes.routeOf(operationId);
    if (!route) throw new Error(`The document in force lacks the operation '${operationId}'.`);
    exchange.route = route;
  };
}

/** Opens the request's entry in the journal of its account, or of the server if it has none. */
export function keepJournal(serverJournal: Journal): Step {
  return (exchange) => noteRequest(exchange, serverJournal);
}

/** Notes a request in a journal, by the time of its clock; how it ends is added when it has. */
export function noteRequest(exchange: Exchange, serverJournal: Journal): void {
  if (exchange.noted) return;
  const { request, route, stub, account, basePath } = exchange;
  const { elapsedMs } = exchange.platform;
  const journal = account?.journal ?? serverJournal;
  const clock = account?.clock ?? new Clock();
  const startedAtMs = elapsedMs();
  const wasFrozen = clock.isFrozen;
  const noted = journal.open({
    atMs: clock.now().getTime(),
    method: request.method,
    target: exchange.target,
    operationId: route?.operationId,
    template: route?.template ?? stub?.path,
    stub,
    headerLines: request.headers.join('\n'),
    ...(basePath !== '' && { basePath }),
    ...(request.caller.isEncrypted && { isEncrypted: true }),
  });
  exchange.noted = noted;
  exchange.endings.push((isDelivered) => {
    // A frozen clock measures no time: the same requests give the same journal.
    const isStopped = wasFrozen || clock.isFrozen;
    noted.durationMs = isStopped ? 0 : Math.round(elapsedMs() - startedAtMs);
    noted.outcome = isDelivered ? 'answered' : 'aborted';
    journal.close(noted);
  });
}

/** Refuses requests beyond the account's rate limit (section 8), by the account's clock. */
export const limitRate: Step = (exchange) => {
  if (!exchange.account) return;
  const { account, decisions } = known(exchange, 'account', 'decisions');
  const limit = decisions.apply('rate-limit');
  if (limit === 'unlimited') return;
  const { retryAfterMs } = account.faults.countRequest(limit, account.clock.now().getTime());
  if (retryAfterMs === undefined) return;
  const seconds = Math.ceil(retryAfterMs / 1_000);
  throw new ProblemError(
    'too-many-requests',
    `The account may make ${limit.replace('/', ' requests in ')} and has made them; expected this one ${seconds} s later. Wait, or switch the decision.`,
    { decision: 'rate-limit', headers: { 'Retry-After': String(seconds) } },
  );
};
