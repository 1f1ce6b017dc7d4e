// Generated from openapi.yaml by npm run generate; not to be edited.

/** The parameters, and members of the body, of each operation. */
export const PARAMETERS = {
  deleteContract: ['contractId'],
  getCustomerByName: ['name'],
  getCustomer: ['customerId'],
  listMeasurements: ['limit', 'cursor'],
  deleteEventsByRefs: ['refs'],
} as const;

/** The method and path of each operation. */
export const ROUTES = {
  deleteContract: 'DELETE /contracts/{contractId}',
  getCustomerByName: 'GET /customers/name/{name}',
  getCustomer: 'GET /customers/{customerId}',
  listMeasurements: 'GET /measurements',
  deleteEventsByRefs: 'POST /events/delete-by-refs',
} as const;

/** The member that every success of an operation has: the first that its schema requires. */
export const ENVELOPES = {
  deleteContract: 'contract',
  getCustomerByName: 'customer',
  getCustomer: 'customer',
  listMeasurements: 'measurements',
  deleteEventsByRefs: 'events',
} as const;
