import type { Operation, OperationContext, OperationId, OperationInput } from '../operation.js';
import { varyAnswer } from '../vary-answer.js';
import { deleteContract } from './delete-contract.js';
import { deleteEventsByRefs } from './delete-events-by-refs.js';
import { getCustomer } from './get-customer.js';
import { getCustomerByName } from './get-customer-by-name.js';
import { listMeasurements } from './list-measurements.js';

/** Every operation of the document, by its operationId; one too many or too few does not compile. */
export const OPERATIONS: { readonly [Id in OperationId]: Operation<Id> } = {
  deleteContract,
  getCustomerByName,
  getCustomer,
  listMeasurements,
  deleteEventsByRefs,
};

/** Runs an operation and returns the body of its success, varied as the decisions have it. */
export function answer(
  operationId: OperationId,
  context: OperationContext,
  input: OperationInput<OperationId>,
): object {
  const operation = OPERATIONS[operationId] as Operation<OperationId>;
  return varyAnswer(operation(context, input), context.decisions);
}
