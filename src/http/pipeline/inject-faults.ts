import type { RequestHandler, Response } from 'express';
import type { FaultPhase } from '../../accounts/faults.js';
import type { OperationId } from '../../billing/operation.js';
import { createStep, type KnownExchange } from './exchange.js';
import { FAULT_EFFECTS, type PendingAnswer } from './fault-effects.js';

/** Lets a fault of the phase `before` fire: the operation then does not run, a delay aside. */
export const injectFaultsBefore: RequestHandler = createStep(
  ['account', 'route'],
  (exchange, _request, response, next) => {
    const body = { detail: 'An injected fault replaces this answer.' };
    const answer = { status: exchange.route.successStatus, body, proceed: next };
    injectFault('before', exchange, response, answer);
  },
);

/** Lets a fault of the phase `after` fire: the operation has run, and its answer may be lost. */
export const injectFaultsAfter: RequestHandler = createStep(
  ['account', 'route', 'answer'],
  (exchange, _request, response, next) => {
    injectFault('after', exchange, response, { ...exchange.answer, proceed: next });
  },
);

/** Lets a fault fire if one is due; otherwise continues. */
function injectFault(
  phase: FaultPhase,
  { account, route, noted }: KnownExchange<'account' | 'route'>,
  response: Response,
  answer: PendingAnswer,
): void {
  const fault = account.faults.take(phase, route.operationId as OperationId);
  if (noted && fault) noted.fault = fault.id;
  if (fault) FAULT_EFFECTS[fault.kind](response, fault, answer);
  else answer.proceed();
}
