import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import type { Accounts } from '../accounts/accounts.js';
import type { IdleAccounts } from '../accounts/idle-accounts.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { RequestFeed } from '../accounts/journal/request-feed.js';
import { DEFAULT_DECISIONS, type Decisions } from '../decisions/ledger.js';
import { checkHeaders } from '../http/pipeline/check-headers.js';
import { closeIdleAccounts } from '../http/pipeline/close-idle-accounts.js';
import { matchMethod } from '../http/pipeline/match-method.js';
import { matchPath } from '../http/pipeline/match-path.js';
import { readBody } from '../http/pipeline/read-body.js';
import { refuseUnknownPath } from '../http/pipeline/refuse-unknown-path.js';
import { sendProblem } from '../http/pipeline/send-problem.js';
import { validateRequest } from '../http/pipeline/validate-request/validate-request.js';
import { createRouteTable, type OpenApiDocument } from '../openapi/route-table.js';
import type { Specification, SpecificationFor } from '../openapi/specification-in-force.js';
import { createValidator } from '../openapi/validator.js';
import type { Stubs } from '../stubs/stubs.js';
import { adoptControlSpecification } from './adopt-control-specification.js';
import { allowOrigins } from './allow-origins.js';
import { withEachCollection } from './document.js';
import { type GuardRules, guardControl } from './guard.js';
import { noteTarget } from './note-target.js';
import { CONTROL_OPERATIONS } from './operations/index.js';
import { SERVER_OPERATIONS } from './operations/server.js';
import { answerProbes, answerStart, PROBES } from './probes.js';
import { refuseDeepBody } from './refuse-deep-body.js';
import { runControlOperation } from './run-control-operation.js';
import { runServerOperation, unlessOnServer } from './run-server-operation.js';
import { selectAccount } from './select-account.js';
import { PAGE_PATH, type ReadPageFile, servePage } from './serve-page.js';
import { STREAM, streamRequests } from './stream-requests.js';
import { withoutCheckedBodies } from './without-checked-bodies.js';
import { withoutDecision } from './without-decision.js';

/** The dependencies of the control plane. */
export interface ControlParts extends GuardRules {
  /** Returns the document of the control plane. */
  readonly document: () => OpenApiDocument;
  readonly specificationFor: SpecificationFor;
  /** The decisions of new accounts. */
  readonly decisions: () => Decisions;
  readonly accounts: Accounts;
  /** What closes accounts that nothing uses; none is closed if it is left out. */
  readonly idleAccounts?: IdleAccounts | undefined;
  /** The requests that reached no account. */
  readonly journal: Journal;
  /** Shows requests to those who follow them. */
  readonly feed: RequestFeed;
  /** The stubs for every caller. */
  readonly stubs: Stubs;
  readonly version: string;
  /** Reads the files of the page; there is no page if it is left out. */
  readonly readPageFile?: ReadPageFile | undefined;
}

type Step = RequestHandler | ErrorRequestHandler;

/** Says in every response whose it is, for the client: anything may answer at a wrong URL. */
const introduce: RequestHandler = (_request, response, next) => {
  response.set('X-Control-Plane', 'usage-billing-mock');
  next();
};

const DEFAULTS = { decisions: () => DEFAULT_DECISIONS };
const LARGEST_BODY = 64 * 2 ** 20;

/** The way of a request to the control plane, from top to bottom. */
function stepsOf(parts: ControlParts, specification: Specification): readonly Step[] {
  const { accounts, specificationFor, decisions, stubs, idleAccounts } = parts;
  const { journal: serverJournal } = parts;
  const { document, routes } = specification;
  return [
    noteTarget,
    matchPath(routes),
    checkHeaders,
    guardControl(parts),
    refuseUnknownPath(routes, { others: parts.readPageFile ? [PAGE_PATH] : [] }),
    matchMethod,
    ...(idleAccounts ? [closeIdleAccounts(idleAccounts)] : []),
    unlessOnServer(selectAccount(accounts)),
    adoptControlSpecification(specification),
    readBody({ largestBytes: LARGEST_BODY }),
    refuseDeepBody,
    validateRequest,
    runServerOperation(accounts),
    streamRequests(parts),
    runControlOperation({ specificationFor, decisions, serverJournal, stubs, document }),
    withoutDecision,
    sendProblem(DEFAULTS),
  ];
}

/**
 * The control plane over HTTP, to be mounted. No fault, rate limit or journal precedes it. Health and
 * readiness answer at once; the other operations are built at the first request for one.
 */
export function createControl(parts: ControlParts): RequestHandler {
  const { allowedOrigins, version, readPageFile } = parts;
  const control = createRouter([
    introduce,
    ...(allowedOrigins.length > 0 ? [allowOrigins(allowedOrigins)] : []),
    answerProbes(version),
    answerStart(readPageFile !== undefined),
    ...(readPageFile ? [servePage(readPageFile), sendProblem(DEFAULTS)] : []),
  ]);
  let operations: RequestHandler | undefined;
  control.use((request, response, next) => {
    operations ??= createRouter(stepsOf(parts, createSpecification(parts.document())));
    operations(request, response, next);
  });
  return control;
}

function createSpecification(document: OpenApiDocument): Specification {
  const operations = { ...PROBES, ...SERVER_OPERATIONS, ...CONTROL_OPERATIONS };
  const operationIds = [...Object.keys(operations), STREAM];
  const written = withEachCollection(document);
  return {
    document,
    routes: createRouteTable(written, operationIds),
    validator: createValidator(withoutCheckedBodies(written)),
  };
}

function createRouter(steps: readonly Step[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const step of steps) router.use(step);
  return router;
}
