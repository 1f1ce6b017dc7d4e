import { parse } from 'node:querystring';
import express, { type Express, type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import type { Accounts } from '../../accounts/accounts.js';
import type { Journal } from '../../accounts/journal/journal.js';
import type { Decisions } from '../../decisions/ledger.js';
import type { Contracts } from '../../openapi/specification-in-force.js';
import { authenticate } from './authenticate.js';
import { checkMessage } from './check-message.js';
import { type Exchange, exchangeOf } from './exchange.js';
import { injectFaultsBefore } from './inject-faults.js';
import { keepJournal } from './keep-journal.js';
import { limitRate } from './limit-rate.js';
import { logRequests } from './log-requests.js';
import { allowAnyOrigin, matchOperation, matchPath } from './match-operation.js';
import { normalizeTarget } from './normalize-target.js';
import { preferError } from './prefer.js';
import { readBody } from './read-body.js';
import { noteReads } from './rested-on.js';
import { dispatch } from './run-operation.js';
import { sendProblem } from './send-problem.js';
import { validateRequest } from './validate-request/validate-request.js';

/** What the app is made from. */
export interface AppParts {
  readonly contracts: Contracts;
  readonly accounts: Accounts;
  /** The decisions by which requests are answered that reach no account. */
  readonly decisions: () => Decisions;
  /** Where these requests are noted. */
  readonly journal: Journal;
  /** What answers below `/__control`; nothing if it is left out. */
  readonly control?: RequestHandler;
  /** True to name in a header field the decisions that each answer rested on. */
  readonly namesDecisions?: boolean;
  readonly logger: Logger;
}

const LARGEST_BODY = 10 * 1024 * 1024;

/** The service over HTTP. The order below is the documented precedence of refusals. */
export function createApp(parts: AppParts): Express {
  const { contracts, accounts, decisions, journal, control, logger } = parts;
  const { table } = contracts(decisions());
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  // Otherwise what stands behind a thousand parameters is not seen.
  app.set('query parser', (text: string) => parse(text, '&', '=', { maxKeys: 0 }));
  app.use(normalizeTarget);
  if (logger.level !== 'silent') app.use(logRequests(logger));
  app.use(forbidCaching);
  if (control) app.use(mount('/__control', control));
  app.use(matchPath(table));
  app.use(allowAnyOrigin);
  app.use(checkMessage);
  app.use(matchOperation(table));
  app.use(authenticate(accounts));
  app.use(adoptContract(contracts, parts.namesDecisions ?? false));
  app.use(keepJournal);
  app.use(limitRate);
  app.use(preferError);
  app.use(injectFaultsBefore);
  app.use(readBody(LARGEST_BODY));
  app.use(validateRequest);
  app.use(dispatch);
  const decisionsFor = (exchange: Exchange) =>
    exchange.decisions ?? exchange.account?.decisions.inForce ?? decisions();
  app.use(sendProblem({ decisionsFor, journal }));
  return app;
}

/** Mounts on a router of its own: the app's looked at the target before it was normalised. */
function mount(path: string, handler: RequestHandler): RequestHandler {
  return Router({ caseSensitive: true, strict: true }).use(path, handler);
}

/** From here on the request is answered by the document that its account's decisions make. */
function adoptContract(contracts: Contracts, namesDecisions: boolean): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    if (!exchange.account || !exchange.route) return next();
    const { inForce } = exchange.account.decisions;
    exchange.contract = contracts(inForce);
    exchange.decisions = inForce;
    if (namesDecisions) {
      exchange.restedOn = new Set();
      exchange.decisions = noteReads(inForce, exchange.restedOn);
    }
    const route = exchange.contract.table.routeOf(exchange.route.operationId);
    if (route) exchange.route = route;
    next();
  };
}

const forbidCaching: RequestHandler = (request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  // Express would answer a conditional GET with 304, which the document does not have.
  delete request.headers['if-none-match'];
  delete request.headers['if-modified-since'];
  next();
};
