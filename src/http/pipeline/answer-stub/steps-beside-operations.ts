import type { Request, RequestHandler, Response } from 'express';
import { Clock } from '../../../accounts/clock.js';
import type { Journal } from '../../../accounts/journal/journal.js';
import { AppliedDecisions } from '../../../decisions/applied-decisions.js';
import { exchangeOf } from '../exchange.js';
import { injectFaultsBefore } from '../inject-faults.js';
import { noteRequest } from '../keep-journal.js';
import { limitRate } from '../limit-rate.js';
import { isBelow } from '../match-path.js';
import { readSentBody } from './read-sent-body.js';

/**
 * The steps of a call that no operation answers, between authentication and its answer: the same as
 * those of an operation, as far as the call has an account. `journal` notes calls that have none.
 */
export function stepsBesideOperations(
  journal: Journal,
  largestBytes: number,
): readonly RequestHandler[] {
  return [
    adoptDecisions,
    keepJournal(journal),
    withAccount(limitRate),
    withAccount(injectFaultsBefore),
    readSentBody(journal, largestBytes),
  ];
}

/** Whether the call is below the base path, and no operation answers it. */
export function isBesideOperations(
  request: Request,
  response: Response,
  basePath: string,
): boolean {
  return isBelow(basePath, request) && !exchangeOf(response).path?.routes.has(request.method);
}

/** Skips a step for calls without an account. */
export function withAccount(step: RequestHandler): RequestHandler {
  return (request, response, next) =>
    exchangeOf(response).account ? step(request, response, next) : next();
}

const adoptDecisions: RequestHandler = (_request, response, next) => {
  const exchange = exchangeOf(response);
  if (exchange.account) {
    exchange.decisions = new AppliedDecisions(exchange.account.decisions.inForce);
  }
  next();
};

function keepJournal(journal: Journal): RequestHandler {
  const clock = new Clock();
  return (request, response, next) => {
    const { account } = exchangeOf(response);
    noteRequest(request, response, account?.journal ?? journal, account?.clock ?? clock);
    next();
  };
}
