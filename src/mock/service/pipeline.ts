import type { Decisions } from '../../core/decisions/ledger.js';
import type { RouteTable } from '../../core/openapi/route-table.js';
import type { SpecificationFor } from '../../core/openapi/specification-in-force.js';
import type { Stubs } from '../../core/stubs/stubs.js';
import type { Accounts } from '../accounts/account-registry.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { Latency } from '../accounts/latency.js';
import { addLatency } from './add-latency.js';
import { answerByRoutes } from './answer-by-routes.js';
import { answerByStub } from './answer-by-stub.js';
import { authenticate, authenticateForStub } from './authenticate.js';
import { BytesUnderWay } from './bytes-under-way.js';
import type { Called } from './called.js';
import { checkHeaders } from './check-headers.js';
import { allowAnyOrigin } from './cross-origin.js';
import {
  type AdmittedExchange,
  Exchange,
  type OperationExchange,
  type Step,
  type StubExchange,
  type Subscriber,
} from './exchange.js';
import { adoptSpecification, findCalled } from './find-called.js';
import { injectFaultsAfter, injectFaultsBefore } from './inject-fault.js';
import { keepJournal } from './note-request.js';
import type { Platform } from './platform.js';
import { preferError } from './prefer-error.js';
import { limitRate } from './rate-limit.js';
import { keepBytes, parseBody, readBody } from './read-body.js';
import { readTarget } from './read-target.js';
import { refuseBy, refuseEveryCall } from './refuse.js';
import type { Service } from './request-and-response.js';
import { forbidCaching, nameDecisions, respondToFailure, send } from './respond.js';
import type { Routes } from './routes.js';
import { runOperation } from './run-operation.js';
import { answerUncalled } from './unknown-path-or-method.js';
import { validateRequest } from './validate-request.js';
import { inOrder, refusing } from './walk-steps.js';

export interface ServiceParts {
  readonly platform: Platform;
  readonly specificationFor: SpecificationFor;
  readonly accounts: Accounts;
  /** The decisions in force for requests that reach no account. */
  readonly decisions: () => Decisions;
  /** The journal of requests that reach no account. */
  readonly journal: Journal;
  /** The stubs for every caller. */
  readonly stubs: Stubs;
  /** The option `routes`, tried after operations and stubs. */
  readonly routes?: Routes | undefined;
  /** The latency of responses to requests without an account. */
  readonly latency: Latency;
  /** Answers below `/__control`. If left out, there is no control plane. */
  readonly control?: Step | undefined;
  readonly hasPage?: boolean;
  /** Told of each exchange, in this order. */
  readonly subscribers: readonly Subscriber[];
  /** True to list the decisions behind each response in a `Decisions` header. */
  readonly namesDecisions?: boolean;
  /** True to refuse every call with a 500, to see whether tests can fail. */
  readonly failsEveryCall?: boolean;
  /** The prefix of every operation's path, such as `/v1`. */
  readonly basePath?: string | undefined;
}

/** The largest body of a request, or of a response from `routes`, in bytes. */
const MAX_READ_BODY_BYTES = 10 * 2 ** 20;

/** What the walks of several kinds of call have in common. */
function sharedSteps(parts: ServiceParts, routes: RouteTable) {
  return {
    opening: [
      allowAnyOrigin(parts.routes !== undefined),
      ...(parts.failsEveryCall ? [refuseEveryCall] : []),
      checkHeaders,
    ],
    admission: [keepJournal(parts.journal), limitRate],
    delivery: [addLatency(parts.latency), injectFaultsAfter, send],
    uncalled: answerUncalled(routes, {
      basePath: parts.basePath,
      hasPage: parts.hasPage,
    }),
  };
}

/** The steps of each kind of call; their order is the documented precedence of refusals. */
function walksOf(parts: ServiceParts, routes: RouteTable): Record<Called['kind'], Step> {
  const { opening, admission, delivery, uncalled } = sharedSteps(parts, routes);
  const { accounts } = parts;
  const body = { maxBytes: MAX_READ_BODY_BYTES };
  const unparsed = [...admission, injectFaultsBefore, keepBytes(body)];
  return {
    operation: inOrder<OperationExchange>([
      ...opening,
      authenticate(accounts),
      adoptSpecification(parts.specificationFor),
      ...admission,
      preferError,
      injectFaultsBefore,
      readBody(body),
      parseBody(body),
      validateRequest,
      runOperation,
      releaseBody,
      ...(parts.namesDecisions ? [nameDecisions] : []),
      ...delivery,
    ]),
    stub: inOrder<StubExchange>([
      ...opening,
      authenticateForStub(accounts),
      ...unparsed,
      answerByStub(parts.stubs),
      releaseBody,
      ...delivery,
    ]),
    routes: inOrder<AdmittedExchange>([
      ...opening,
      authenticate(accounts),
      ...unparsed,
      ...(parts.routes ? [answerByRoutes(parts.routes, MAX_READ_BODY_BYTES, uncalled)] : []),
      releaseBody,
      ...delivery,
    ]),
    control: parts.control ?? uncalled,
    nothing: inOrder([...opening, uncalled]),
  };
}

/** Once there is a response, nothing needs the body, and the response may have to wait. */
const releaseBody: Step = (exchange) => exchange.releaseBody();

function stepsOf(parts: ServiceParts): readonly Step[] {
  const specification = parts.specificationFor(parts.decisions());
  const walks = walksOf(parts, specification.routes);
  const hasControl = parts.control !== undefined;
  const hasRoutes = parts.routes !== undefined;
  return [
    readTarget(parts.basePath ?? ''),
    forbidCaching,
    findCalled({ ...parts, specification, hasControl, hasRoutes }),
    (exchange) => walks[exchange.called.kind](exchange),
  ];
}

export function createService(parts: ServiceParts): Service {
  const { platform, subscribers } = parts;
  const underWay = new BytesUnderWay();
  const walk = refusing(inOrder(stepsOf(parts)), refuseBy(parts));
  return async (request) => {
    const exchange = new Exchange(request, platform, subscribers, underWay);
    try {
      exchange.tell((subscriber) => subscriber.onRequest?.(exchange));
      const waiting = walk(exchange);
      if (waiting) await waiting;
      if (!exchange.response) throw new Error('No step has answered the request.');
      exchange.tell((subscriber) => subscriber.onResponse?.(exchange));
      return exchange.response;
    } catch (reason) {
      if (!request.signal.aborted) return respondToFailure(exchange, reason);
      exchange.end(false);
      throw reason;
    }
  };
}
