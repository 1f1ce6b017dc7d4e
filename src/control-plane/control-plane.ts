import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import type { Accounts } from '../accounts/accounts.js';
import type { Journal } from '../accounts/journal/journal.js';
import { DEFAULT_DECISIONS } from '../decisions/ledger.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { tooDeep } from '../errors/nesting.js';
import { ProblemError } from '../errors/problems.js';
import { authenticate } from '../http/pipeline/authenticate.js';
import { checkMessage } from '../http/pipeline/check-message.js';
import { exchangeOf } from '../http/pipeline/exchange.js';
import { matchOperation, matchPath } from '../http/pipeline/match-operation.js';
import { problemOf } from '../http/pipeline/problem-of.js';
import { readBody } from '../http/pipeline/read-body.js';
import { pathParametersOf } from '../http/pipeline/run-operation.js';
import { sendProblem } from '../http/pipeline/send-problem.js';
import { validateRequest } from '../http/pipeline/validate-request/validate-request.js';
import { createRouteTable, type OpenApiDocument } from '../openapi/route-table.js';
import type { Contract, Contracts } from '../openapi/specification-in-force.js';
import { createValidator } from '../openapi/validator.js';
import { type GuardRules, guardControl } from './guard.js';
import {
  CONTROL_OPERATIONS,
  type ControlContext,
  type ControlOperation,
  PROBES,
  SERVER_OPERATIONS,
} from './operations/index.js';
import { JsonPieces } from './write-state.js';

/** What the control plane is made from. */
export interface ControlParts extends GuardRules {
  /** Makes the document of the control plane. */
  readonly document: () => OpenApiDocument;
  readonly contracts: Contracts;
  readonly accounts: Accounts;
  /** The requests that reached no account. */
  readonly journal: Journal;
  readonly version: string;
}

const LARGEST_BODY = 64 * 2 ** 20;

/**
 * The control plane over HTTP, to be mounted. No fault, rate limit or journal stands before it.
 * Health and readiness are there at once; what answers the rest is made when it is first asked.
 */
export function createControl(parts: ControlParts): RequestHandler {
  const control = Router({ caseSensitive: true, strict: true });
  let operations: RequestHandler | undefined;
  control.use(answerProbes(parts.version));
  control.use((request, response, next) => {
    operations ??= createOperations(parts);
    operations(request, response, next);
  });
  return control;
}

function createOperations(parts: ControlParts): RequestHandler {
  const document = parts.document();
  const contract = {
    document,
    table: createRouteTable(
      document,
      Object.keys({ ...PROBES, ...SERVER_OPERATIONS, ...CONTROL_OPERATIONS }),
    ),
    validator: createValidator({ ...document, servers: [{ url: '/' }] }),
  };
  const operations = Router({ caseSensitive: true, strict: true });
  operations.use(noteTarget);
  operations.use(matchPath(contract.table));
  operations.use(checkMessage);
  operations.use(guardControl(parts));
  operations.use(matchOperation(contract.table));
  operations.use(unlessOnServer(authenticate(parts.accounts)));
  operations.use(adopt(contract));
  operations.use(readBody(LARGEST_BODY));
  operations.use(refuseDeepBody);
  operations.use(validateRequest);
  operations.use(dispatchOnServer(parts.accounts));
  operations.use(dispatchControl({ ...parts, document }));
  operations.use(withoutDecision);
  operations.use(sendProblem({ decisionsFor: () => DEFAULT_DECISIONS }));
  return operations;
}

function serverOperationOf(response: Response) {
  const operations: Readonly<Record<string, (accounts: Accounts) => object>> = SERVER_OPERATIONS;
  return operations[exchangeOf(response).route?.operationId ?? ''];
}

function unlessOnServer(handle: RequestHandler): RequestHandler {
  return (request, response, next) =>
    serverOperationOf(response) ? next() : handle(request, response, next);
}

function dispatchOnServer(accounts: Accounts): RequestHandler {
  return (_request, response, next) => {
    const operation = serverOperationOf(response);
    if (operation) response.json(operation(accounts));
    else next();
  };
}

/** The validator looks at the whole target; the document has the paths below the mount. */
const noteTarget: RequestHandler = (request, _response, next) => {
  request.originalUrl = request.url;
  next();
};

/** Health and readiness stand before every check, so that a container can be probed. */
function answerProbes(version: string): RequestHandler {
  return (request, response, next) => {
    const isProbe = Object.values<string>(PROBES).includes(request.path);
    if (!isProbe || !['GET', 'HEAD'].includes(request.method)) return next();
    response.json({ status: 'ok', version });
  };
}

/** The specification leaves nothing of the control plane open: its refusals rest on no decision. */
const withoutDecision: ErrorRequestHandler = (thrown, _request, _response, next) => {
  const error = problemOf(thrown);
  const { decision, errors, ...ground } = error.ground;
  const undecided = errors?.map(({ decision: _none, ...value }) => value);
  next(
    new ProblemError(error.problem, error.message, {
      ...ground,
      ...(undecided && { errors: undecided }),
    }),
  );
};

/** What works through a body step by step must come to its end. */
const refuseDeepBody: RequestHandler = (request, _response, next) => {
  const deep = tooDeep(request.body);
  if (deep.length > 0) throw new InvalidInputError(deep);
  next();
};

function adopt(contract: Contract): RequestHandler {
  return (_request, response, next) => {
    exchangeOf(response).contract = contract;
    next();
  };
}

function dispatchControl(
  parts: Omit<ControlParts, 'document'> & Pick<ControlContext, 'document'>,
): RequestHandler {
  const operations: Readonly<Record<string, ControlOperation>> = CONTROL_OPERATIONS;
  return async (request, response, next) => {
    const { route, account, token } = exchangeOf(response);
    const operation = route && operations[route.operationId];
    if (!operation || !account || token === undefined) return next();
    const context = { ...parts, account, token, serverJournal: parts.journal };
    const input = { path: pathParametersOf(request), query: request.query, body: request.body };
    const body = await operation(context, input);
    response.status(route.successStatus);
    if (body instanceof JsonPieces) sendPieces(response, body);
    else response.json(body);
  };
}

function sendPieces(response: Response, { pieces, length }: JsonPieces): void {
  response.set({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(length),
  });
  for (const piece of pieces) response.write(piece);
  response.end();
}
