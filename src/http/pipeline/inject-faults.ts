import type { RequestHandler, Response } from 'express';
import type { FaultPhase } from '../../accounts/fault-kinds.js';
import type { OperationId } from '../../billing/operation.js';
import { createStep, type KnownExchange } from './exchange.js';
import { FAULT_EFFECTS } from './fault-effects.js';

/** Lets a fault of the phase `before` fire: the operation then does not run, a delay aside. */
export const injectFaultsBefore: RequestHandler = createStep(
  ['account'],
  (exchange, _request, response, next) => injectFault('before', exchange, response, next),
);

/** Lets a fault of the phase `after` fire: the operation has run, and its response may be lost. */
export const injectFaultsAfter: RequestHandler = createStep(
  ['account', 'ready'],
  (exchange, _request, response, next) => injectFault('after', exchange, response, next),
);

/** Lets a fault fire if one is due; otherwise continues. */
function injectFault(
  phase: FaultPhase,
  { account, route, noted }: KnownExchange<'account'>,
  response: Response,
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
  FAULT_EFFECTS[fault.kind](response, fault, proceed);
}
