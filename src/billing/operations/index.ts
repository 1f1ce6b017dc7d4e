import type { AppliedDecisions } from '../../decisions/applied-decisions.js';
import type { ProblemName } from '../../errors/problem-types.js';
import type { Operation, OperationContext, OperationId, OperationInput } from '../operation.js';
import { varyFields } from '../vary-fields.js';
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

/** The kinds of problem with which the operation itself refuses, under the decisions in force. */
export function refusalsOf(id: OperationId, decisions: AppliedDecisions): readonly ProblemName[] {
  return OPERATIONS[id].refusals(decisions).filter((problem) => problem !== undefined);
}

/** Runs an operation and returns the body of its success, varied by the decisions. */
export function answer(
  operationId: OperationId,
  context: OperationContext,
  input: OperationInput<OperationId>,
): object {
  // The id and the input belong together, which no type of a table says.
  const operation = OPERATIONS[operationId] as Operation<OperationId>;
  return varyFields(operation.run(context, input), context.decisions);
}
