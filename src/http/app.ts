import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Decisions } from '../billing/decisions.js';
import type { Accounts } from '../control/accounts.js';
import { authenticate } from './authenticate.js';
import { checkMessage } from './check-message.js';
import { dispatch } from './dispatch.js';
import { logRequests } from './log-requests.js';
import { allowAnyOrigin, matchOperation, matchPath } from './match-operation.js';
import { readBody } from './read-body.js';
import { createRouteTable, type OpenApiDocument } from './route-table.js';
import { sendProblem } from './send-problem.js';
import { validateRequest } from './validate-request.js';
import { createValidator } from './validator.js';

/** What the app is made from. */
export interface AppParts {
  readonly document: OpenApiDocument;
  readonly accounts: Accounts;
  /** The decisions by which requests are answered that reach no account. */
  readonly decisions: Decisions;
  readonly logger: Logger;
}

/** The service over HTTP. The order below is the documented precedence of refusals. */
export function createApp({ document, accounts, decisions, logger }: AppParts): Express {
  const table = createRouteTable(document);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.use(logRequests(logger));
  app.use(forbidCaching);
  app.use(matchPath(table));
  app.use(allowAnyOrigin);
  app.use(checkMessage);
  app.use(matchOperation(table));
  app.use(authenticate(accounts));
  app.use(readBody);
  app.use(validateRequest(createValidator(document)));
  app.use(dispatch);
  app.use(sendProblem(decisions));
  return app;
}

const forbidCaching: express.RequestHandler = (request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  // Express would answer a conditional GET with 304, which the document does not have.
  delete request.headers['if-none-match'];
  delete request.headers['if-modified-since'];
  next();
};
