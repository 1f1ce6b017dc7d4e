import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { exchangeOf } from './exchange.js';
import { elapsedMs } from './real-time.js';

/** Writes one line for every request once its answer has left, with the reason of a refusal. */
export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    // Noted now: the method and the path are changed on the way.
    const { method, originalUrl: url } = request;
    const startedAtMs = elapsedMs();
    response.once('close', () => {
      const { route, problem } = exchangeOf(response);
      const isAborted = !response.writableFinished;
      const line = {
        method,
        url,
        ...(response.headersSent && { status: response.statusCode }),
        durationMs: Math.round((elapsedMs() - startedAtMs) * 10) / 10,
        ...(route && { operationId: route.operationId }),
        ...(problem && { problem: problem.problem }),
        ...(problem?.cause !== undefined && { err: problem.cause }),
        ...(isAborted && { isAborted }),
      };
      const level = response.statusCode >= 500 ? 'error' : 'info';
      logger[level](line, problem?.message ?? (isAborted ? 'aborted' : 'answered'));
    });
    next();
  };
}
