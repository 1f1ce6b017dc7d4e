import type { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';
import type { ProblemName } from '../errors/problem-types.js';
import type { Operation, OperationId } from './operation.js';
import { deleteContract } from './operations/delete-contract.js';
import { deleteEventsByRefs } from './operations/delete-events-by-refs.js';
import { getCustomer } from './operations/get-customer.js';
import { getCustomerByName } from './operations/get-customer-by-name.js';
import { listMeasurements } from './operations/list-measurements.js';

export const OPERATIONS: { readonly [Id in OperationId]: Operation<Id> } = {
  deleteContract,
  getCustomerByName,
  getCustomer,
  listMeasurements,
  deleteEventsByRefs,
};

/** The problems of the operation under the decisions in force, besides those that all share. */
export function refusalsOf(
  id: OperationId,
  decisions: DecisionsBehindResponse,
): readonly ProblemName[] {
  return OPERATIONS[id].refusals(decisions).filter((problem) => problem !== undefined);
}
