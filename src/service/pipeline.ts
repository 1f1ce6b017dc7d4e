import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.js';
import type { IdleAccounts } from '../accounts/idle-accounts.js';
import type { Follower, Journal } from '../accounts/journal/journal.js';
import type { Latency } from '../accounts/latency.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import type { Decisions } from '../decisions/ledger.js';
import type { SpecificationFor } from '../openapi/specification-in-force.js';
import type { Stubs } from '../stubs/stubs.js';
import { addLatency } from './add-latency.js';
import { answerByRoutes, tryRoutes } from './answer-by-routes.js';
import { authenticate, closeIdleAccounts, countingUnknown } from './authenticate.js';
import { captureResponses } from './capture-responses.js';
import { checkHeaders } from './check-headers.js';
import { allowAnyOrigin } from './cross-origin.js';
import { Exchange, type Step } from './exchange.js';
import { adoptSpecification, findOperation, matchPath } from './find-operation.js';
import { injectFaultsAfter, injectFaultsBefore } from './inject-fault.js';
import { KeptPages } from './kept-pages.js';
import { logRequests } from './log-requests.js';
import { hasStub, matchStub } from './match-stub.js';
import { keepJournal } from './note-request.js';
import type { Platform } from './platform.js';
import { preferError } from './prefer-error.js';
import { limitRate } from './rate-limit.js';
import { readTarget, setTarget } from './read-target.js';
import { type Refuse, refuseBy } from './refuse.js';
import type { Service } from './request-and-response.js';
import { countCalls, forbidCaching, nameDecisions, send, writeResult } from './respond.js';
import type { Routes } from './routes.js';
import { answerStub, judgeResponse, runOperation } from './run-operation.js';
import { readBody, validateRequest } from './validate.js';

/** What the service is made of. */
export interface ServiceParts {
  readonly platform: Platform;
  readonly specificationFor: SpecificationFor;
  readonly accounts: Accounts;
  /** Counts what calls touch of the contract. */
  readonly coverage: CoverageCounter;
  /** The decisions by which requests are answered that reach no account. */
  readonly decisions: () => Decisions;
  /** Where these requests are noted. */
  readonly journal: Journal;
  /** The stubs for every caller. */
  readonly stubs: Stubs;
  /** Answers what neither an operation nor a stub answers. */
  readonly routes?: Routes | undefined;
  /** What closes accounts that nothing uses; none is closed if it is left out. */
  readonly idleAccounts?: IdleAccounts | undefined;
  /** How long responses to requests without an account are held back. */
  readonly latency: Latency;
  /** What answers below `/__control`; nothing if it is left out. */
  readonly control?: Step | undefined;
  /** True if the control plane has the page. */
  readonly hasPage?: boolean;
  /** Those who follow requests: journals keep responses while one of them wants these. */
  readonly followers: Iterable<Pick<Follower, 'wantsResponses'>>;
  /** Of how many of the last responses the body is kept in any case; of none if it is left out. */
  readonly recentBodies?: number;
  /** True to name in a header field the decisions that each response rests on. */
  readonly namesDecisions?: boolean;
  /** What precedes the path of every operation; nothing if it is left out. */
  readonly basePath?: string;
  readonly logger: Logger;
}

/** The bytes of a body, of a request or of a response of routes. */
const LARGEST_BODY = 10 * 2 ** 20;

/** The way of a request, from top to bottom; the order is the documented precedence of refusals. */
function stepsOf(parts: ServiceParts): readonly Step[] {
  const { specificationFor, accounts, coverage, journal, latency, hasPage, basePath = '' } = parts;
  const { routes } = specificationFor(parts.decisions());
  const isToken = (word: string) => accounts.find(word) !== undefined;
  const isKnown = ({ fields }: Exchange, path: string) => hasStub(fields, path, parts);
  const keptPages = new KeptPages();
  const findCalled = findOperation(routes, { basePath, isKnown, hasPage });
  return [
    readTarget(basePath),
    ...(parts.logger.level === 'silent' ? [] : [logRequests(parts.logger, isToken)]),
    forbidCaching,
    ...(parts.control ? [enterControl(parts.control)] : []),
    countCalls(coverage),
    captureResponses(journal, parts.followers, parts.recentBodies),
    matchPath(routes),
    allowAnyOrigin,
    checkHeaders,
    closeIdleAccounts(parts.idleAccounts),
    matchStub(parts),
    tryRoutes(parts.routes !== undefined),
    findCalled,
    authenticate(countingUnknown(accounts, coverage, parts.decisions, parts.platform.sign)),
    adoptSpecification(specificationFor),
    keepJournal(journal),
    limitRate,
    preferError,
    injectFaultsBefore,
    readBody({ largestBytes: LARGEST_BODY, journal }),
    validateRequest,
    runOperation,
    answerStub(parts.stubs),
    answerByRoutes(parts.routes, LARGEST_BODY, findCalled),
    nameDecisions(parts.namesDecisions ?? false),
    judgeResponse(keptPages),
    addLatency(latency),
    writeResult(keptPages),
    injectFaultsAfter,
    send,
  ];
}

/** Creates the service; everything that is thrown in it becomes a response. */
export function createService(parts: ServiceParts): Service {
  const walk = createWalk(stepsOf(parts), refuseBy(parts));
  return async (request) => {
    const exchange = new Exchange(request, parts.platform);
    try {
      const waiting = walk(exchange);
      if (waiting) await waiting;
      exchange.onResponse?.(exchange);
      if (exchange.response) return exchange.response;
      throw new Error('No step has answered the request.');
    } catch (reason) {
      exchange.end(false);
      throw reason;
    }
  };
}

/** Takes an exchange through steps until one of them has answered; `refuse` answers what they throw. */
export function createWalk(steps: readonly Step[], refuse: Refuse): Step {
  function walk(exchange: Exchange, from: number): void | Promise<void> {
    for (let at = from; at < steps.length && !exchange.response; at += 1) {
      const waiting = steps[at]?.(exchange);
      if (waiting) return waiting.then(() => walk(exchange, at + 1));
    }
  }
  return (exchange) => {
    try {
      return walk(exchange, 0)?.catch((thrown: unknown) => refuse(exchange, thrown));
    } catch (thrown) {
      return refuse(exchange, thrown);
    }
  };
}

const CONTROL = '/__control';

/** Hands the requests below `/__control` over to the control plane. */
function enterControl(control: Step): Step {
  return (exchange) => {
    const { path, target } = exchange;
    if (path !== CONTROL && !path.startsWith(`${CONTROL}/`)) return;
    setTarget(exchange, CONTROL, target);
    // It is there without the base path, too.
    exchange.isBelow = true;
    return control(exchange);
  };
}
