import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import type { Accounts } from '../accounts/accounts.js';
import type { Journal } from '../accounts/journal/journal.js';
import { AppliedDecisions } from '../decisions/applied-decisions.js';
import { DEFAULT_DECISIONS } from '../decisions/ledger.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { tooDeep } from '../errors/nesting.js';
import { ProblemError } from '../errors/problem-error.js';
import { authenticate } from '../http/pipeline/authenticate.js';
import { checkHeaders } from '../http/pipeline/check-headers.js';
import { createStep, exchangeOf } from '../http/pipeline/exchange.js';
import { matchMethod } from '../http/pipeline/match-method.js';
import { matchPath } from '../http/pipeline/match-path.js';
import { problemFrom } from '../http/pipeline/problem-from-error.js';
import { readBody } from '../http/pipeline/read-body.js';
import { refuseUnknownPath } from '../http/pipeline/refuse-unknown-path.js';
import { pathParametersOf } from '../http/pipeline/run-operation.js';
import { sendProblem } from '../http/pipeline/send-problem.js';
import { validateRequest } from '../http/pipeline/validate-request/validate-request.js';
import { createRouteTable, type OpenApiDocument } from '../openapi/route-table.js';
import type { Specification, SpecificationFor } from '../openapi/specification-in-force.js';
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

/** The dependencies of the control plane. */
export interface ControlParts extends GuardRules {
  /** Makes the document of the control plane. */
  readonly document: () => OpenApiDocument;
  readonly specificationFor: SpecificationFor;
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
  const specification = {
    document,
    routes: createRouteTable(
      document,
      Object.keys({ ...PROBES, ...SERVER_OPERATIONS, ...CONTROL_OPERATIONS }),
    ),
    validator: createValidator({ ...document, servers: [{ url: '/' }] }),
  };
  const operations = Router({ caseSensitive: true, strict: true });
  for (const step of stepsOf(parts, specification)) operations.use(step);
  return operations;
}

/** The way of a request to the control plane, from top to bottom. */
function stepsOf(
  parts: ControlParts,
  specification: Specification,
): readonly (RequestHandler | ErrorRequestHandler)[] {
  const { document, routes } = specification;
  return [
    noteTarget,
    matchPath(routes),
    checkHeaders,
    guardControl(parts),
    refuseUnknownPath(routes),
    matchMethod,
    unlessOnServer(authenticate(parts.accounts)),
    adopt(specification),
    readBody({ largestBytes: LARGEST_BODY }),
    refuseDeepBody,
    validateRequest,
    runServerOperation(parts.accounts),
    runControlOperation({ ...parts, document }),
    withoutDecision,
    sendProblem({ decisions: () => DEFAULT_DECISIONS }),
  ];
}

function serverOperationOf(response: Response) {
  const operations: Readonly<Record<string, (accounts: Accounts) => object>> = SERVER_OPERATIONS;
  return operations[exchangeOf(response).route?.operationId ?? ''];
}

function unlessOnServer(handle: RequestHandler): RequestHandler {
  return (request, response, next) =>
    serverOperationOf(response) ? next() : handle(request, response, next);
}

function runServerOperation(accounts: Accounts): RequestHandler {
  return createStep(['validation'], ({ validation }, _request, response, next) => {
    const operation = serverOperationOf(response);
    if (!operation) return next();
    const body = operation(accounts);
    validation.checkAnswer(body);
    response.json(body);
  });
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
  const error = problemFrom(thrown);
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

function adopt(specification: Specification): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    exchange.specification = specification;
    exchange.decisions = new AppliedDecisions(DEFAULT_DECISIONS);
    next();
  };
}

function runControlOperation(
  parts: Omit<ControlParts, 'document'> & Pick<ControlContext, 'document'>,
): RequestHandler {
  const operations: Readonly<Record<string, ControlOperation>> = CONTROL_OPERATIONS;
  const needed = ['route', 'account', 'token', 'validation'] as const;
  return createStep(needed, async ({ route, account, token, validation }, request, response) => {
    const operation = operations[route.operationId];
    if (!operation) throw new Error(`No code answers '${route.operationId}'.`);
    const context = { ...parts, account, token, serverJournal: parts.journal };
    const input = { path: pathParametersOf(request), query: request.query, body: request.body };
    const body = await operation(context, input);
    response.status(route.successStatus);
    if (body instanceof JsonPieces) return sendPieces(response, body);
    validation.checkAnswer(body);
    response.json(body);
  });
}

function sendPieces(response: Response, { pieces, length }: JsonPieces): void {
  response.set({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(length),
  });
  for (const piece of pieces) response.write(piece);
  response.end();
}
