import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { describeRequest } from '../../accounts/journal/journal-request.js';
import { redactionOfRefusal, redactTarget } from '../../accounts/journal/redact-request.js';
import { Redaction } from '../../accounts/journal/redact-secrets.js';
import { shown } from '../../messages/received-value.js';
import { elapsedMs } from '../real-time.js';
import { exchangeOf } from './exchange.js';

/**
 * Writes one line for every request once its answer has left, with the reason of a refusal; another
 * at the level debug for what the control plane has changed, at trace for what a client sent.
 */
export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    // Noted now: the method and the path are changed on the way.
    const { method, baseUrl, originalUrl, rawHeaders } = request;
    const startedAtMs = elapsedMs();
    response.once('close', () => {
      const { route, stub, problem, noted } = exchangeOf(response);
      const isAborted = !response.writableFinished;
      const sent = noted ?? { target: originalUrl, headerLines: rawHeaders.join('\n') };
      const redaction = redactionOfRefusal(sent, problem?.ground ?? {});
      const line = {
        ...namesOf(response),
        method,
        url: baseUrl + redactTarget({ ...sent, target: originalUrl }, redaction),
        ...(response.headersSent && { status: response.statusCode }),
        durationMs: Math.round((elapsedMs() - startedAtMs) * 10) / 10,
        ...(route && { operationId: route.operationId }),
        ...(stub && { stub: stub.id }),
        ...(problem && { problem: problem.problem }),
        ...(problem?.cause !== undefined && { err: problem.cause }),
        ...(isAborted && { isAborted }),
      };
      const level = response.statusCode >= 500 ? 'error' : 'info';
      const outcome = problem?.ground.inShort ?? problem?.message;
      const ending = isAborted ? 'aborted' : 'answered';
      logger[level](line, outcome === undefined ? ending : redaction.quote(outcome));
      logDetails(logger, originalUrl, request, response);
    });
    next();
  };
}

/** What every line of a request names: its account, and its number in the journal. */
function namesOf(response: Response): { readonly account?: string; readonly request?: number } {
  const { account, noted } = exchangeOf(response);
  return { ...(account && { account: account.name }), ...(noted && { request: noted.id }) };
}

function logDetails(logger: Logger, url: string, { method, body }: Request, response: Response) {
  const { route, noted } = exchangeOf(response);
  if (noted && logger.isLevelEnabled('trace')) {
    logger.trace({ ...namesOf(response), details: describeRequest(noted) }, `request ${noted.id}`);
  }
  const isChange = url.startsWith('/__control/') && !['GET', 'HEAD'].includes(method);
  if (route && isChange && response.statusCode < 400 && logger.isLevelEnabled('debug')) {
    const details = body === undefined ? {} : { details: shown(new Redaction().value(body)) };
    logger.debug({ ...namesOf(response), ...details }, route.operationId);
  }
}
