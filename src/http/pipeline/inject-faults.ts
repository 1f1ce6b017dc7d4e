import type { RequestHandler, Response } from 'express';
import type { FaultPhase } from '../../accounts/faults.js';
import type { OperationId } from '../../billing/operation.js';
import { type Answer, createStep, type KnownExchange } from './exchange.js';
import { FAULT_EFFECTS } from './fault-effects.js';

/** What a distorting fault sends before there is an answer. */
const REPLACEMENT = { detail: 'An injected fault replaces this answer.' };

/** Lets a fault of the phase `before` fire: the operation then does not run, a delay aside. */
export const injectFaultsBefore: RequestHandler = createStep(
  ['account'],
  (exchange, _request, response, next) => {
    const answer = { status: exchange.route?.successStatus ?? 200, body: REPLACEMENT };
    injectFault('before', exchange, response, answer, next);
  },
);

/** Lets a fault of the phase `after` fire: the operation has run, and its answer may be lost. */
export const injectFaultsAfter: RequestHandler = createStep(
  ['account', 'answer'],
  (exchange, _request, response, next) => {
    injectFault('after', exchange, response, exchange.answer, next);
  },
);

/** Lets a fault fire if one is due; otherwise continues. */
function injectFault(
  phase: FaultPhase,
  { account, route, noted }: KnownExchange<'account'>,
  response: Response,
  answer: Answer,
  proceed: () => void,
): void {
  const fault = account.faults.take(phase, {
    target: response.req.url,
    operationId: route?.operationId as OperationId | undefined,
  });
  if (!fault) {
    proceed();
    return;
  }
  if (noted) noted.fault = fault.id;
  FAULT_EFFECTS[fault.kind](response, fault, { ...answer, proceed });
}
