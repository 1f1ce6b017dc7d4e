import type { OperationId } from '../../core/billing/operation.js';
import type { FaultPhase } from '../accounts/fault-kinds.js';
import type { Exchange, Step } from './exchange.js';
import { FAULT_EFFECTS } from './fault-effects.js';

/** Fires a fault of phase `before`: unless it only delays, the operation does not run. */
export const injectFaultsBefore: Step = (exchange) => injectFault('before', exchange);

/**
 * Fires a fault of phase `after`, when the operation has run. A refusal ends the walk before this
 * step (`pipeline.ts`), so the fault waits for a later request.
 */
export const injectFaultsAfter: Step = (exchange) => injectFault('after', exchange);

function injectFault(phase: FaultPhase, exchange: Exchange): void | Promise<void> {
  const { account, called, noted, target } = exchange;
  const operationId = called.route?.operationId as OperationId | undefined;
  const fault = account?.faults.take(phase, { target, operationId });
  if (!fault) return;
  if (noted) noted.fault = fault.id;
  exchange.fault = fault.kind;
  return FAULT_EFFECTS[fault.kind](exchange, fault);
}
