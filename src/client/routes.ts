import type { operations } from '../generated/control.js';

/** The operations of the control plane that the verbs of the library use, with method and path. */
export const ROUTES = {
  getDocument: 'GET /openapi.json',
  resetAccount: 'POST /reset',
  resetAllAccounts: 'POST /accounts/reset',
  restoreAccount: 'POST /restore',
  getAccount: 'GET /account',
  closeAccount: 'DELETE /account',
  closeAllAccounts: 'DELETE /accounts',
  getState: 'GET /state',
  putState: 'PUT /state',
  listCustomers: 'GET /customers',
  createCustomer: 'POST /customers',
  readCustomer: 'GET /customers/{id}',
  patchCustomer: 'PATCH /customers/{id}',
  removeCustomer: 'DELETE /customers/{id}',
  listContracts: 'GET /contracts',
  createContract: 'POST /contracts',
  readContract: 'GET /contracts/{id}',
  patchContract: 'PATCH /contracts/{id}',
  removeContract: 'DELETE /contracts/{id}',
  listStoredMeasurements: 'GET /measurements',
  createMeasurement: 'POST /measurements',
  readMeasurement: 'GET /measurements/{id}',
  patchMeasurement: 'PATCH /measurements/{id}',
  removeMeasurement: 'DELETE /measurements/{id}',
  listUsageEvents: 'GET /events',
  createUsageEvent: 'POST /events',
  readUsageEvent: 'GET /events/{id}',
  patchUsageEvent: 'PATCH /events/{id}',
  removeUsageEvent: 'DELETE /events/{id}',
  takeSnapshot: 'POST /snapshots',
  searchRequests: 'POST /requests/search',
  clearRequests: 'DELETE /requests',
  countRequests: 'POST /requests/count',
  explainRequest: 'GET /requests/{id}/explain',
  listFaults: 'GET /faults',
  addFault: 'POST /faults',
  clearFaults: 'DELETE /faults',
  removeFault: 'DELETE /faults/{id}',
  listStubs: 'GET /stubs',
  addStub: 'POST /stubs',
  clearStubs: 'DELETE /stubs',
  removeStub: 'DELETE /stubs/{id}',
  getClock: 'GET /clock',
  setClock: 'PUT /clock',
  getLatency: 'GET /latency',
  setLatency: 'PUT /latency',
  clearLatency: 'DELETE /latency',
  getFidelity: 'GET /fidelity',
  getDecisions: 'GET /decisions',
  patchDecisions: 'PATCH /decisions',
} as const satisfies { readonly [Id in keyof operations]?: string };

/** The id of such an operation. */
export type RouteId = keyof typeof ROUTES;

/** What an operation answers when it succeeds. */
export type AnswerOf<Id extends RouteId> = operations[Id]['responses'] extends infer Responses
  ? Responses extends { 200: Json<infer Body> } | { 201: Json<infer Body> }
    ? Body
    : never
  : never;

interface Json<Body> {
  content: { 'application/json': Body };
}
