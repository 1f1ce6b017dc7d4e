import type {
  Operation,
  OperationContext,
  OperationId,
  OperationInput,
  Refusals,
} from '../operation.js';
import { varyFields } from '../vary-fields.js';
import { deleteContract, deleteContractRefusals } from './delete-contract.js';
import { deleteEventsByRefs, deleteEventsByRefsRefusals } from './delete-events-by-refs.js';
import { getCustomer, getCustomerRefusals } from './get-customer.js';
import { getCustomerByName, getCustomerByNameRefusals } from './get-customer-by-name.js';
import { listMeasurements, listMeasurementsRefusals } from './list-measurements.js';

/** Every operation of the document, by its operationId; one too many or too few does not compile. */
export const OPERATIONS: { readonly [Id in OperationId]: Operation<Id> } = {
  deleteContract,
  getCustomerByName,
  getCustomer,
  listMeasurements,
  deleteEventsByRefs,
};

/** How every operation itself refuses. */
export const REFUSALS: { readonly [Id in OperationId]: Refusals } = {
  deleteContract: deleteContractRefusals,
  getCustomerByName: getCustomerByNameRefusals,
  getCustomer: getCustomerRefusals,
  listMeasurements: listMeasurementsRefusals,
  deleteEventsByRefs: deleteEventsByRefsRefusals,
};

/** Runs an operation and returns the body of its success, varied by the decisions. */
export function answer(
  operationId: OperationId,
  context: OperationContext,
  input: OperationInput<OperationId>,
): object {
  // The id and the input belong together, which no type of a table says.
  const operation = OPERATIONS[operationId] as Operation<OperationId>;
  return varyFields(operation(context, input), context.decisions);
}
