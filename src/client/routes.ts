import type { operations } from '../generated/control.js';

/**
 * The operations of the control plane that the verbs of the library use: method, path, and the member
 * by which an answer is known to be that of the mock.
 */
export const ROUTES = {
  getDocument: 'GET /openapi.json openapi',
  resetAccount: 'POST /reset accounts',
  resetAllAccounts: 'POST /accounts/reset accounts',
  restoreAccount: 'POST /restore fingerprint',
  getAccount: 'GET /account fingerprint',
  closeAccount: 'DELETE /account closed',
  closeAllAccounts: 'DELETE /accounts closed',
  getState: 'GET /state customers',
  putState: 'PUT /state fingerprint',
  listCustomers: 'GET /customers records',
  createCustomer: 'POST /customers id',
  readCustomer: 'GET /customers/{id} id',
  patchCustomer: 'PATCH /customers/{id} id',
  removeCustomer: 'DELETE /customers/{id} id',
  listContracts: 'GET /contracts records',
  createContract: 'POST /contracts id',
  readContract: 'GET /contracts/{id} id',
  patchContract: 'PATCH /contracts/{id} id',
  removeContract: 'DELETE /contracts/{id} id',
  listStoredMeasurements: 'GET /measurements records',
  createMeasurement: 'POST /measurements id',
  readMeasurement: 'GET /measurements/{id} id',
  patchMeasurement: 'PATCH /measurements/{id} id',
  removeMeasurement: 'DELETE /measurements/{id} id',
  listUsageEvents: 'GET /events records',
  createUsageEvent: 'POST /events id',
  readUsageEvent: 'GET /events/{id} id',
  patchUsageEvent: 'PATCH /events/{id} id',
  removeUsageEvent: 'DELETE /events/{id} id',
  takeSnapshot: 'POST /snapshots id',
  searchRequests: 'POST /requests/search requests|log',
  clearRequests: 'DELETE /requests count',
  countRequests: 'POST /requests/count evicted',
  explainRequest: 'GET /requests/{id}/explain explanation',
  listFaults: 'GET /faults faults',
  addFault: 'POST /faults id',
  clearFaults: 'DELETE /faults count',
  removeFault: 'DELETE /faults/{id} id',
  listStubs: 'GET /stubs stubs',
  addStub: 'POST /stubs id',
  clearStubs: 'DELETE /stubs count',
  removeStub: 'DELETE /stubs/{id} id',
  getClock: 'GET /clock now',
  setClock: 'PUT /clock now',
  getLatency: 'GET /latency minMs',
  setLatency: 'PUT /latency minMs',
  clearLatency: 'DELETE /latency minMs',
  getFidelity: 'GET /fidelity behaviours',
  getDecisions: 'GET /decisions repeat-delete',
  patchDecisions: 'PATCH /decisions repeat-delete',
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
