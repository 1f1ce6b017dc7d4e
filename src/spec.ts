/**
 * What the kits, the tools and the page may know of the mock: the ledger, the documents and their
 * routes, the check by schema, what is hidden, how data is made anonymous and how tokens are named.
 * All else they ask of a mock.
 */
export { NEVER_REMOVED } from './core/billing/fields-by-decision.js';
export type { OperationId } from './core/billing/operation.js';
export { RESOURCE_NAMES, type ResourceName } from './core/billing/resources.js';
export { type Anonymising, createAnonymiser } from './core/datasets/fixture/anonymise.js';
export type { Fixture } from './core/datasets/fixture/fixture.js';
export type { RecordChecks } from './core/datasets/fixture/schema-checks.js';
export { SHIPPED_DATASETS } from './core/datasets/shipped-datasets.js';
export type { GivenChanges } from './core/decisions/decision-changes.js';
export {
  DEFAULT_DECISIONS,
  type DecisionId,
  type Decisions,
  LEDGER,
  type LedgerRow,
} from './core/decisions/ledger.js';
export { createSchemaCheck } from './core/openapi/judge.js';
export { valuesOfPath } from './core/openapi/path-template.js';
export { followReference } from './core/openapi/references.js';
export {
  createRouteTable,
  type OpenApiDocument,
  type OperationRoute,
  operationsOf,
  successOf,
} from './core/openapi/route-table.js';
export { expectationOf } from './core/openapi/schema-in-words.js';
export { inAscii, namedToken } from './core/stubs/issued-tokens.js';
export { STUB_METHODS, type Stub } from './core/stubs/stub.js';
export type { components as ControlComponents } from './generated/control.js';
export { DEFAULT_PHASES } from './generated/fault-kinds.js';
export type { components as ServiceComponents, operations } from './generated/openapi.js';
export { ENVELOPES, PARAMETERS, ROUTES, SUBJECTS } from './generated/operations.js';
export type { AccountControl } from './mock/accounts/account-interface.js';
export { labelOf } from './mock/accounts/account-name.js';
export type { Fault, FaultRequest } from './mock/accounts/faults.js';
export { hiderOf } from './mock/accounts/journal/hide-credentials.js';
export type { JournalControl } from './mock/accounts/journal/journal.js';
export type { JournalRequest } from './mock/accounts/journal/journal-request.js';
export { valueOfBody } from './mock/accounts/journal/note-body.js';
export {
  type ConnectOptions,
  connectMockServer,
  type Remote,
  type RemoteServer,
} from './mock/client/connect-mock-server.js';
export { type Coverage, parseCoverage, sumOf } from './mock/coverage/coverage.js';
export { callsIn, faultRow, rowOfDecision } from './mock/coverage/rows.js';
