import type { Accounts } from '../accounts/accounts.js';
import type { IdleAccounts } from '../accounts/idle-accounts.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { RequestFeed } from '../accounts/journal/request-feed.js';
import { AppliedDecisions } from '../decisions/applied-decisions.js';
import { DEFAULT_DECISIONS, type Decisions } from '../decisions/ledger.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { checkingDepth } from '../errors/nesting.js';
import { ProblemError } from '../errors/problem-error.js';
import type { CreateJudge } from '../openapi/judge.js';
import { createRouteTable, type OpenApiDocument } from '../openapi/route-table.js';
import type { Specification, SpecificationFor } from '../openapi/specification-in-force.js';
import { checkHeaders, closeIdleAccounts, matchPath } from '../service/arrive.js';
import { allowOrigins } from '../service/cors.js';
import type { Step } from '../service/exchange.js';
import { findOperation } from '../service/find-endpoint.js';
import { type Refuse, refuseBy } from '../service/leave.js';
import { createWalk } from '../service/pipeline.js';
import { problemFrom } from '../service/problem-from-error.js';
import { readBody } from '../service/read-body.js';
import { validateRequest } from '../service/validate-request.js';
import type { Stubs } from '../stubs/stubs.js';
import { type GuardRules, guardControl } from './check-access.js';
import { withEachCollection, withoutCheckedBodies } from './control-document.js';
import {
  answerHealth,
  answerStart,
  PAGE_PATH,
  type ReadPageFile,
  servePage,
  UNGUARDED,
} from './open-endpoints.js';
import { CONTROL_OPERATIONS } from './operations/index.js';
import { SERVER_OPERATIONS } from './operations/on-server.js';
import { runControlOperation } from './run-control-operation.js';
import { selectAccount } from './select-account.js';
import { STREAM, streamRequests } from './stream-requests.js';

/** The dependencies of the control plane. */
export interface ControlParts extends GuardRules {
  /** Returns the document of the control plane. */
  readonly document: () => OpenApiDocument;
  readonly createJudge: CreateJudge;
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

/** Says in every response whose it is, for the client: anything may respond at a wrong URL. */
const introduce: Step = ({ headers }) => {
  headers['X-Control-Plane'] = 'usage-billing-mock';
};

const LARGEST_BODY = 64 * 2 ** 20;

/**
 * The control plane. No fault, rate limit or journal precedes it. Health and readiness answer at once;
 * the other operations are built at the first request for one.
 */
export function createControl(parts: ControlParts): Step {
  const { version, readPageFile } = parts;
  let operations: Step | undefined;
  return createWalk(
    [
      introduce,
      allowOrigins(parts.allowedOrigins),
      answerHealth(version),
      answerStart(readPageFile !== undefined),
      ...(readPageFile ? [servePage(readPageFile)] : []),
      (exchange) => {
        operations ??= createWalk(stepsOf(parts, createSpecification(parts)), refuse);
        return operations(exchange);
      },
    ],
    refuse,
  );
}

/** The way of a request to the control plane, from top to bottom. */
function stepsOf(parts: ControlParts, specification: Specification): readonly Step[] {
  const { accounts, journal: serverJournal } = parts;
  const { document, routes } = specification;
  return [
    matchPath(routes),
    checkHeaders,
    guardControl(parts),
    findOperation(routes, { others: parts.readPageFile ? [PAGE_PATH] : [] }),
    closeIdleAccounts(parts.idleAccounts),
    selectAccount(accounts),
    (exchange) => {
      exchange.specification = specification;
      exchange.decisions = new AppliedDecisions(DEFAULT_DECISIONS);
    },
    readBody({ largestBytes: LARGEST_BODY }),
    refuseDeepBody,
    validateRequest,
    streamRequests(parts),
    runControlOperation({ ...parts, serverJournal, document }),
  ];
}

/** Refuses a body nested so deep that code which recurses through it would overflow the stack. */
const refuseDeepBody: Step = ({ body, platform }) => {
  if (typeof body !== 'object' || body === null) return;
  return platform.run(checkingDepth(body)).then((deep) => {
    if (deep.length > 0) throw new InvalidInputError(deep);
  });
};

const refuseUndecided = refuseBy({ decisions: () => DEFAULT_DECISIONS });

/** Takes decisions out of refusals: the specification leaves nothing of the control plane open. */
const refuse: Refuse = (exchange, thrown) => {
  const error = problemFrom(thrown);
  const { decision: _decision, errors, ...ground } = error.ground;
  const undecided = errors?.map(({ decision: _none, ...value }) => value);
  const problem = new ProblemError(error.problem, error.message, {
    ...ground,
    ...(undecided && { errors: undecided }),
  });
  return refuseUndecided(exchange, problem);
};

function createSpecification({ document: read, createJudge }: ControlParts): Specification {
  const document = read();
  const operations = { ...UNGUARDED, ...SERVER_OPERATIONS, ...CONTROL_OPERATIONS };
  const operationIds = [...Object.keys(operations), STREAM];
  const written = withEachCollection(document);
  return {
    document,
    routes: createRouteTable(written, operationIds),
    judge: createJudge(withoutCheckedBodies(written)),
  };
}
