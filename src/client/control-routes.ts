import type { SuccessBody } from '../billing/operation.js';
import type { operations } from '../generated/control.js';

/** The operations of the control plane that the verbs of the library use: method and path. */
export const ROUTES = {
  getDocument: 'GET /openapi.json',
  resetAccount: 'POST /reset',
  resetAllAccounts: 'POST /accounts/reset',
  getAccount: 'GET /account',
  closeAccount: 'DELETE /account',
  markFailed: 'PUT /account/failure',
  closeAllAccounts: 'DELETE /accounts',
  getState: 'GET /state',
  putState: 'PUT /state',
  getFixture: 'GET /fixture',
  listRecords: 'GET /{collection}',
  createRecord: 'POST /{collection}',
  readRecord: 'GET /{collection}/{id}',
  putRecord: 'PUT /{collection}/{id}',
  patchRecord: 'PATCH /{collection}/{id}',
  removeRecord: 'DELETE /{collection}/{id}',
  listChanges: 'GET /changes',
  listScenarios: 'GET /scenarios',
  applyScenario: 'PUT /scenario',
  listSnapshots: 'GET /snapshots',
  takeSnapshot: 'POST /snapshots',
  restoreSnapshot: 'POST /snapshots/{id}/restore',
  listRequests: 'GET /requests',
  clearRequests: 'DELETE /requests',
  countRequests: 'POST /requests/count',
  waitForRequests: 'POST /requests/wait',
  explainRequest: 'GET /requests/{id}/explain',
  getCoverage: 'GET /coverage',
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

/** The body of an operation's success. */
export type BodyOf<Id extends RouteId> = SuccessBody<operations[Id]['responses']>;
