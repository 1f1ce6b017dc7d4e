import type { RecordChecks } from '../../core/datasets/fixture/schema-checks.js';
import { DecisionsBehindResponse } from '../../core/decisions/decisions-behind-response.js';
import { DEFAULT_DECISIONS } from '../../core/decisions/ledger.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import type { CreateJudge } from '../../core/openapi/judge.js';
import { createRouteTable, type OpenApiDocument } from '../../core/openapi/route-table.js';
import type { Specification } from '../../core/openapi/specification-in-force.js';
import type { Followers } from '../accounts/journal/journal.js';
import type { Route } from '../client/control-routes.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import { checkHeaders } from '../service/check-headers.js';
import { allowOrigins } from '../service/cross-origin.js';
import {
  type DocumentedExchange,
  type Exchange,
  requireParts,
  type Step,
} from '../service/exchange.js';
import { operationAt } from '../service/find-called.js';
import type { ServiceParts } from '../service/pipeline.js';
import { parseBody, readBody } from '../service/read-body.js';
import { problemFrom, type Refuse, refuseBy } from '../service/refuse.js';
import { respond, respondJson } from '../service/respond.js';
import { answerUncalled } from '../service/unknown-path-or-method.js';
import { validateRequest } from '../service/validate-request.js';
import { inOrder, refusing } from '../service/walk-steps.js';
import { CONTROL_BODY, checkBody } from './control-bodies.js';
import {
  calledRoute,
  collectionOf,
  withAnyBody,
  withEachCollection,
  withoutInternal,
} from './control-document.js';
import { JsonPieces } from './json-in-pieces.js';
import {
  answerHealth,
  answerStart,
  PAGE_PATH,
  type ReadPageFile,
  servePage,
} from './open-endpoints.js';
import { operationsByVerb, type VerbRoute } from './operations/by-verb.js';
import type {
  AccountRoute,
  ControlContext,
  ControlInput,
  ControlOperation,
  ControlOperations,
} from './operations/control-operation.js';
import { ACCOUNT_OPERATIONS } from './operations/on-account.js';
import { BEHAVIOUR_OPERATIONS } from './operations/on-behaviour.js';
import { RECORD_OPERATIONS } from './operations/on-records.js';
import { REQUEST_OPERATIONS } from './operations/on-requests.js';
import type { ServerInput } from './operations/on-server.js';
import { type AccessRules, refuseForeignCallers } from './refuse-foreign-callers.js';
import { closedNamed, selectAccount, serverOperationOf, tokenNamed } from './select-account.js';
import { streamRequests } from './stream-requests.js';

export interface ControlParts
  extends AccessRules,
    Pick<ServiceParts, 'specificationFor' | 'decisions' | 'accounts' | 'journal' | 'stubs'> {
  readonly coverage: CoverageCounter;
  readonly document: () => OpenApiDocument;
  readonly createJudge: CreateJudge;
  readonly followers: Followers;
  /** Checks bodies as the account does, so that HTTP and the library refuse them in the same words. */
  readonly checks: Pick<RecordChecks, 'value'>;
  readonly version: string;
  /** Reads the files of the page; without it there is no page. */
  readonly readPageFile?: ReadPageFile | undefined;
  /** Ends the process after the responses under way; left out if the process does anything else. */
  readonly stop?: (() => void) | undefined;
}

/** Marks every response: at a wrong URL, a client may reach some other server. */
const introduce: Step = ({ headers }) => {
  headers['X-Control-Plane'] = 'usage-billing-mock';
};

/**
 * The control plane as one step. Faults, rate limits and journals do not apply to it. The open
 * endpoints and the page are answered at once; the other operations are built when one is first
 * called.
 */
export function createControl(parts: ControlParts): Step {
  const { version, readPageFile } = parts;
  let operations: Step | undefined;
  const walk = inOrder([
    introduce,
    allowOrigins(parts.allowedOrigins),
    answerHealth(version),
    answerStart(readPageFile !== undefined),
    ...(readPageFile ? [servePage(readPageFile)] : []),
    (exchange) => {
      operations ??= inOrder(stepsOf(parts, createSpecification(parts)));
      return operations(exchange);
    },
  ]);
  return refusing(walk, refuse);
}

function stepsOf(parts: ControlParts, specification: Specification): Step<DocumentedExchange>[] {
  const { accounts, journal: serverJournal } = parts;
  const { document } = specification;
  return [
    checkHeaders,
    refuseForeignCallers(parts),
    findOperation(specification, parts.readPageFile ? [PAGE_PATH] : []),
    selectAccount(accounts),
    (exchange: Exchange) => {
      exchange.decisions = new DecisionsBehindResponse(DEFAULT_DECISIONS);
    },
    readBody(CONTROL_BODY),
    parseBody(CONTROL_BODY),
    validateRequest,
    checkBody(parts.checks),
    streamRequests(parts),
    runControlOperation({ ...parts, serverJournal, document }),
  ];
}

function findOperation(specification: Specification, others: readonly string[]): Step {
  const { routes } = specification;
  const uncalled = answerUncalled(routes, { others });
  return (exchange) => {
    const endpoint = routes.match(exchange.path);
    const operation = operationAt(endpoint, exchange, 'control', specification);
    exchange.called = operation ?? { kind: 'control', endpoint };
    return operation ? undefined : uncalled(exchange);
  };
}

const refuseUndecided = refuseBy({ decisions: () => DEFAULT_DECISIONS });

/** Leaves decisions out of refusals, because none is about the control plane. */
const refuse: Refuse = (exchange, thrown) => {
  if (exchange.request.signal.aborted) throw thrown;
  const error = problemFrom(thrown);
  const { decision: _decision, mistakes, ...ground } = error.ground;
  const undecided = mistakes?.map(({ decision: _none, ...mistake }) => mistake);
  const problem = new ProblemError(error.problem, error.message, {
    ...ground,
    ...(undecided && { mistakes: undecided }),
  });
  return refuseUndecided(exchange, problem);
};

function createSpecification({ document: read, createJudge }: ControlParts): Specification {
  const document = read();
  return {
    document: withoutInternal(document),
    // The compiler has compared its routes with the operations.
    routes: createRouteTable(withEachCollection(document)),
    judge: createJudge(withEachCollection(withAnyBody(document))),
  };
}

type Parts = Omit<ControlContext, 'account' | 'journal' | 'run' | 'signal'> &
  Pick<ControlParts, 'accounts' | 'coverage' | 'stop'> & { readonly document: OpenApiDocument };

function runControlOperation(parts: Parts): Step<DocumentedExchange> {
  return (exchange) => {
    const result = resultOf(exchange, parts);
    if (!(result instanceof Promise)) return answer(exchange, result);
    return result.then((body) => answer(exchange, body));
  };
}

function resultOf(
  exchange: DocumentedExchange,
  { accounts, coverage, stop, document, ...parts }: Parts,
): object | Promise<object> {
  const { input, route } = exchange.called;
  // The judge has validated the input, so it has the type that the document gives this route.
  const server = serverOperationOf(exchange);
  if (server) {
    return server(accounts, {
      ...{ query: input.query, stop, document },
      path: input.path as unknown as ServerInput['path'],
      coverage: () => coverage.report(parts.decisions()),
      token: () => tokenNamed(exchange, accounts),
    });
  }
  const operation = operationOf(calledRoute(exchange));
  const context: ControlContext = {
    ...parts,
    run: exchange.platform.run,
    get signal() {
      return exchange.request.signal;
    },
    // Read lazily: with `of=server` or `for=server`, there is no account.
    get account() {
      return requireParts(exchange, 'account').account;
    },
    get journal() {
      return (closedNamed(exchange, accounts) ?? this.account).journal;
    },
  };
  const path = { ...input.path, collection: collectionOf(route.operation) };
  return operation(context, { ...input, path } as unknown as ControlInput);
}

/** The compiler has seen that every route has an operation. */
function operationOf(route: Route): ControlOperation {
  return CONTROL_OPERATIONS[route] as ControlOperation;
}

function answer(exchange: DocumentedExchange, body: object): void {
  const { route, specification } = exchange.called;
  const { template, successStatus } = route;
  if (body instanceof JsonPieces) {
    respond(exchange, successStatus, body.headers, body.content());
    return;
  }
  // Records of a dataset that keeps undocumented members would not pass.
  if (!exchange.account?.store.bases.keepsUndocumented)
    specification.judge.response({ template, method: exchange.method }, body);
  respondJson(exchange, successStatus, body);
}

const BY_HAND: Pick<ControlOperations, Exclude<AccountRoute, VerbRoute>> = {
  ...ACCOUNT_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...BEHAVIOUR_OPERATIONS,
};

/** A line by hand comes before a verb. */
const CONTROL_OPERATIONS: Readonly<Record<string, ControlOperation>> = {
  ...operationsByVerb((route) => operationOf(route)),
  ...(BY_HAND as object),
};
