import type { Decisions } from '../../core/decisions/ledger.js';
import type { SpecificationFor } from '../../core/openapi/specification-in-force.js';
import type { Stubs } from '../../core/stubs/stubs.js';
import type { Accounts } from '../accounts/account-registry.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { Latency } from '../accounts/latency.js';
import { addLatency } from './add-latency.js';
import { answerByRoutes, tryRoutes } from './answer-by-routes.js';
import { answerByStub } from './answer-by-stub.js';
import { authenticate } from './authenticate.js';
import { checkHeaders } from './check-headers.js';
import { allowAnyOrigin } from './cross-origin.js';
import { Exchange, type Step, type Subscriber } from './exchange.js';
import { adoptSpecification, findOperation, matchPath } from './find-operation.js';
import { findStub, hasStub } from './find-stub.js';
import { injectFaultsAfter, injectFaultsBefore } from './inject-fault.js';
import { judgeResponse } from './judge-response.js';
import { keepJournal } from './note-request.js';
import type { Platform } from './platform.js';
import { preferError } from './prefer-error.js';
import { limitRate } from './rate-limit.js';
import { readBody } from './read-body.js';
import { readTarget, setTarget } from './read-target.js';
import { refuseBy, refuseEveryCall } from './refuse.js';
import type { Service } from './request-and-response.js';
import { forbidCaching, nameDecisions, send, writeResult } from './respond.js';
import type { Routes } from './routes.js';
import { runOperation } from './run-operation.js';
import { validateRequest } from './validate-request.js';
import { createWalk } from './walk-steps.js';

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
  /** True to refuse every call with a 500, as the canary of `matrix` does. */
  readonly failsEveryCall?: boolean;
  /** The prefix of every operation's path, such as `/v1`. */
  readonly basePath?: string;
}

/** The largest body of a request, or of a response from `routes`, in bytes. */
const LARGEST_READ_BODY = 10 * 2 ** 20;

/** The order of the steps is the documented precedence of refusals. */
function stepsOf(parts: ServiceParts): readonly Step[] {
  const { specificationFor, accounts, journal, latency, hasPage, basePath = '' } = parts;
  const { routes } = specificationFor(parts.decisions());
  const isKnown = ({ fields }: Exchange, path: string) => hasStub(fields, path, parts);
  const findCalled = findOperation(routes, { basePath, isKnown, hasPage });
  return [
    readTarget(basePath),
    forbidCaching,
    ...(parts.control ? [enterControl(parts.control)] : []),
    matchPath(routes),
    findStub(parts),
    allowAnyOrigin(parts.routes !== undefined),
    ...(parts.failsEveryCall ? [refuseEveryCall] : []),
    checkHeaders,
    tryRoutes(parts.routes !== undefined),
    findCalled,
    authenticate(accounts),
    adoptSpecification(specificationFor),
    keepJournal(journal),
    limitRate,
    preferError,
    injectFaultsBefore,
    readBody({ largestBytes: LARGEST_READ_BODY }),
    validateRequest,
    runOperation,
    answerByStub(parts.stubs),
    answerByRoutes(parts.routes, LARGEST_READ_BODY, findCalled),
    nameDecisions(parts.namesDecisions ?? false),
    judgeResponse,
    addLatency(latency),
    writeResult,
    injectFaultsAfter,
    send,
  ];
}

export function createService(parts: ServiceParts): Service {
  const { platform, subscribers } = parts;
  const walk = createWalk(stepsOf(parts), refuseBy(parts));
  return async (request) => {
    const exchange = new Exchange(request, platform, subscribers);
    try {
      for (const subscriber of subscribers) subscriber.onRequest?.(exchange);
      const waiting = walk(exchange);
      if (waiting) await waiting;
      if (!exchange.response) throw new Error('No step has answered the request.');
      for (const subscriber of subscribers) subscriber.onResponse?.(exchange);
      return exchange.response;
    } catch (reason) {
      exchange.end(false);
      throw reason;
    }
  };
}

const CONTROL = '/__control';

function enterControl(control: Step): Step {
  return (exchange) => {
    const { path, target } = exchange;
    if (path !== CONTROL && !path.startsWith(`${CONTROL}/`)) return;
    setTarget(exchange, CONTROL, target);
    exchange.isForControl = true;
    // The control plane is reachable both with and without the base path.
    exchange.isBelow = true;
    return control(exchange);
  };
}
