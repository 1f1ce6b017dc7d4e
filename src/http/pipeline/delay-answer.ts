import type { RequestHandler, Response } from 'express';
import type { NotedRequest } from '../../accounts/journal/journal-request.js';
import type { Latency } from '../../accounts/latency.js';
import { createStep } from './exchange.js';
import { wait } from './wait.js';

/**
 * Holds a success back for the latency of the account, or of the server where the call has none; the
 * operation has run by then.
 */
export function delayAnswer(latency: Latency): RequestHandler {
  return createStep(['noted'], ({ account, noted }, _request, response, next) =>
    awaitLatency(response, account?.latency ?? latency, noted, next),
  );
}

/** Continues once the latency of the request has passed: at once if it has none, or has passed before. */
export function awaitLatency(
  response: Response,
  latency: Pick<Latency, 'drawMs'>,
  noted: NotedRequest,
  proceed: () => void,
): void {
  const latencyMs = noted.latencyMs === undefined ? latency.drawMs(noted.id) : undefined;
  if (latencyMs === undefined) {
    proceed();
    return;
  }
  noted.latencyMs = latencyMs;
  wait(response, latencyMs, proceed);
}
