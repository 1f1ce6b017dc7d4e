import { parse } from 'node:querystring';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
} from 'express';
import type { Logger } from 'pino';
import type { Accounts } from '../../accounts/accounts.js';
import type { IdleAccounts } from '../../accounts/idle-accounts.js';
import type { Journal } from '../../accounts/journal/journal.js';
import type { Latency } from '../../accounts/latency.js';
import type { Decisions } from '../../decisions/ledger.js';
import type { SpecificationFor } from '../../openapi/specification-in-force.js';
import type { Stubs } from '../../stubs/stubs.js';
import { adoptSpecification } from './adopt-specification.js';
import { answerStub } from './answer-stub/answer-stub.js';
import { hasStub } from './answer-stub/match-stub.js';
import { authenticate } from './authenticate.js';
import { captureAnswers } from './capture-answers.js';
import { checkHeaders } from './check-headers.js';
import { closeIdleAccounts } from './close-idle-accounts.js';
import { allowAnyOrigin } from './cors.js';
import { delayAnswer } from './delay-answer.js';
import { forbidCaching } from './forbid-caching.js';
import { injectFaultsAfter, injectFaultsBefore } from './inject-faults.js';
import { keepJournal } from './keep-journal.js';
import { limitRate } from './limit-rate.js';
import { logRequests } from './log-requests.js';
import { matchMethod } from './match-method.js';
import { matchPath } from './match-path.js';
import { nameDecisions } from './name-decisions.js';
import { normalizeTargets } from './normalize-target.js';
import { openPage } from './open-page.js';
import { preferError } from './prefer-error.js';
import { readBody } from './read-body.js';
import { refuseUnknownPath } from './refuse-unknown-path.js';
import { runOperation } from './run-operation.js';
import { sendAnswer, writeAnswer } from './send-answer.js';
import { sendProblem } from './send-problem.js';
import { type Routes, serveRoutes } from './serve-routes.js';
import { validateAnswer } from './validate-answer.js';
import { validateRequest } from './validate-request/validate-request.js';

/** The dependencies of the pipeline. */
export interface PipelineParts {
  readonly specificationFor: SpecificationFor;
  readonly accounts: Accounts;
  /** The decisions by which requests are answered that reach no account. */
  readonly decisions: () => Decisions;
  /** Where these requests are noted. */
  readonly journal: Journal;
  /** The stubs for every caller. */
  readonly stubs: Stubs;
  /** Adds routes for calls that neither an operation nor a stub answers. */
  readonly routes?: Routes | undefined;
  /** What closes accounts that nothing uses; none is closed if it is left out. */
  readonly idleAccounts?: IdleAccounts | undefined;
  /** How long their answers are held back. */
  readonly latency: Latency;
  /** What answers below `/__control`; nothing if it is left out. */
  readonly control?: RequestHandler;
  /** True if the control plane has the page. */
  readonly hasPage?: boolean;
  /** Whether answers are to be kept in journals at present; never if it is left out. */
  readonly capturesAnswers?: (() => boolean) | undefined;
  /** True to name in a header field the decisions that each answer rests on. */
  readonly namesDecisions?: boolean;
  /** What precedes the path of every operation; nothing if it is left out. */
  readonly basePath?: string;
  readonly logger: Logger;
}

type Step = RequestHandler | ErrorRequestHandler | readonly [path: string, handler: RequestHandler];

const LARGEST_BODY = 10 * 1024 * 1024;

/** The way of a request, from top to bottom; the order is the documented precedence of refusals. */
function stepsOf(app: Express, parts: PipelineParts): readonly Step[] {
  const {
    specificationFor,
    accounts,
    decisions,
    journal,
    idleAccounts,
    latency,
    namesDecisions = false,
    basePath = '',
  } = parts;
  const beside = { ...parts, basePath, largestBytes: LARGEST_BODY };
  const { routes } = specificationFor(decisions());
  const isStubbed = (request: Request, path: string) => hasStub(request, path, parts);
  return [
    ...(parts.logger.level === 'silent' ? [] : [logRequests(parts.logger)]),
    forbidCaching,
    ...(parts.control ? [['/__control', parts.control] as const] : []),
    ...(parts.capturesAnswers ? [captureAnswers(app, journal, parts.capturesAnswers)] : []),
    matchPath(routes, basePath),
    allowAnyOrigin,
    checkHeaders,
    ...(idleAccounts ? [closeIdleAccounts(idleAccounts)] : []),
    answerStub(beside),
    ...(parts.routes ? [serveRoutes(parts.routes, beside)] : []),
    ...(parts.hasPage ? [openPage(basePath)] : []),
    refuseUnknownPath(routes, { basePath, isKnown: isStubbed, hasPage: parts.hasPage }),
    matchMethod,
    authenticate(accounts),
    adoptSpecification(specificationFor),
    keepJournal,
    limitRate,
    preferError,
    injectFaultsBefore,
    readBody({ largestBytes: LARGEST_BODY }),
    validateRequest,
    runOperation,
    ...(namesDecisions ? [nameDecisions] : []),
    validateAnswer,
    delayAnswer(latency),
    writeAnswer,
    injectFaultsAfter,
    sendAnswer,
    sendProblem({ decisions, journal, latency, namesDecisions }),
  ];
}

/** The service over HTTP; a request reaches the first step with its target normalised. */
export function createApp(parts: PipelineParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  // Otherwise parameters after the first thousand are ignored.
  app.set('query parser', (text: string) => parse(text, '&', '=', { maxKeys: 0 }));
  for (const step of stepsOf(app, parts)) {
    if (typeof step === 'function') app.use(step);
    else app.use(...step);
  }
  return normalizeTargets(app, parts.basePath ?? '');
}
