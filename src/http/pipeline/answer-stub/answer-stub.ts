import { type Request, type RequestHandler, Router } from 'express';
import type { Accounts } from '../../../accounts/accounts.js';
import type { Journal } from '../../../accounts/journal/journal.js';
import type { Latency } from '../../../accounts/latency.js';
import { valuesOfPath } from '../../../openapi/path-values.js';
import { fillStub, type SentValues } from '../../../stubs/fill-stub.js';
import { refersTo } from '../../../stubs/placeholders.js';
import type { Stub } from '../../../stubs/stub.js';
import { authenticate } from '../authenticate.js';
import { delayAnswer } from '../delay-answer.js';
import { createStep, exchangeOf } from '../exchange.js';
import { injectFaultsAfter } from '../inject-faults.js';
import { pathOf } from '../match-path.js';
import { sendAnswer } from '../send-answer.js';
import { matchStub, type StubSources } from './match-stub.js';
import { parseSentBody } from './read-sent-body.js';
import {
  isBesideOperations,
  stepsBesideOperations,
  withAccount,
} from './steps-beside-operations.js';

/** Dependencies of the step. */
interface AnswerStubParts extends StubSources {
  /** Where calls are noted that reach no account. */
  readonly journal: Journal;
  /** How long answers to these are held back. */
  readonly latency: Latency;
  /** What precedes the path of every stub. */
  readonly basePath: string;
  readonly largestBytes: number;
}

/** Answers a call that no operation answers, but a stub does; any other continues. */
export function answerStub(parts: AnswerStubParts): RequestHandler {
  let steps: RequestHandler | undefined;
  return (request, response, next) => {
    if (!isBesideOperations(request, response, parts.basePath)) return next();
    const exchange = exchangeOf(response);
    matchStub(exchange, request, parts);
    if (!exchange.stub) return next();
    steps ??= createSteps(parts);
    steps(request, response, next);
  };
}

/** The way of a call to a stub, from top to bottom. */
function createSteps(parts: AnswerStubParts): RequestHandler {
  const { accounts, journal, latency, largestBytes } = parts;
  return Router().use(
    authenticateIfNeeded(accounts),
    ...stepsBesideOperations(journal, largestBytes),
    fillAnswer,
    delayAnswer(latency),
    withAccount(injectFaultsAfter),
    sendAnswer,
  );
}

/** Finds the account of the token. Where the stub needs none, a token that names none is ignored. */
function authenticateIfNeeded(accounts: Accounts): RequestHandler {
  const strict = authenticate(accounts);
  return (request, response, next) => {
    if (exchangeOf(response).stub?.needsToken) return strict(request, response, next);
    try {
      strict(request, response, () => undefined);
    } catch {
      // No token, or one that is refused: a login does not depend on it.
    }
    next();
  };
}

const fillAnswer = createStep(['stub'], async (exchange, request, _response, next) => {
  const { stub } = exchange;
  exchange.ready = { status: stub.status, ...fillStub(stub, await sentValues(stub, request)) };
  next();
});

/** What the placeholders may refer to; the body is parsed only if one does. */
async function sentValues(stub: Stub, request: Request): Promise<SentValues> {
  if (refersTo('body', stub)) await parseSentBody(request);
  const [, ...query] = request.url.split('?');
  const path = Object.entries(valuesOfPath(stub.path, pathOf(request))).map(([name, value]) => [
    name,
    decoded(value),
  ]);
  return {
    path: Object.fromEntries(path),
    query: Object.fromEntries(new URLSearchParams(query.join('?'))),
    body: request.body,
  };
}

/** The text of a segment; undefined if it cannot be decoded. */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
