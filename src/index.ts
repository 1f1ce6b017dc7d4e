// docs/architecture.md says which five files to read first.
export type { OperationBody, OperationId, OperationInput } from './core/billing/operation.js';
export type {
  Contract,
  Customer,
  Measurement,
  ResourceName,
  UsageEvent,
} from './core/billing/resources.js';
export type { Dataset } from './core/datasets/dataset.js';
export type { AccountDeclaration, Scenario } from './core/datasets/fixture/fixture.js';
export { FixtureError } from './core/datasets/fixture/parse-fixture.js';
export type { DecisionChanges, Seen } from './core/decisions/decision-changes.js';
export type { FidelityRow } from './core/decisions/fidelity.js';
export type { DecisionId, Decisions, DecisionValue } from './core/decisions/ledger.js';
export { InvalidInputError } from './core/errors/invalid-input.js';
export { OptionError } from './core/errors/option-error.js';
export { ProblemError } from './core/errors/problem-error.js';
export { UnknownIdError } from './core/errors/unknown-id.js';
export type { Problem } from './core/errors/write-problem.js';
export type { components, operations, paths, Strict } from './core/openapi/document-types.js';
export type { Stub, StubRequest, StubResponse } from './core/stubs/stub.js';
export type { StubsControl } from './core/stubs/stubs.js';
export type { Fetch } from './host/adapters/fetch.js';
export type { LogFormat, LogLevel, MockServerOptions } from './host/options/mock-server-options.js';
export type { MockServer } from './host/server/mock-interface.js';
export { createMockServer } from './host/server/mock-server.js';
export type { DecisionsControl } from './mock/accounts/account-decisions.js';
export type { AccountFixture, FixtureOptions } from './mock/accounts/account-fixture.js';
export type {
  AccountControl,
  AccountState,
  RecordChange,
} from './mock/accounts/account-interface.js';
export type { TestOutcome } from './mock/accounts/account-name.js';
export type { ClockControl } from './mock/accounts/clock.js';
export type { Fault, FaultRequest, FaultsControl } from './mock/accounts/faults.js';
export type { Har } from './mock/accounts/journal/har.js';
export type { JournalControl } from './mock/accounts/journal/journal.js';
export type { JournalFilter } from './mock/accounts/journal/journal-filter.js';
export type { JournalRequest } from './mock/accounts/journal/journal-request.js';
export type { WaitOptions } from './mock/accounts/journal/wait-for-requests.js';
export type { LatencyControl, LatencyRange } from './mock/accounts/latency.js';
export type { RecordInput, Records } from './mock/accounts/records.js';
export type { Coverage } from './mock/coverage/coverage.js';
export type { Routes, RoutesMock } from './mock/service/routes.js';
export {
  type DecisionVerdict,
  type SettleOptions,
  type SettleReport,
  settle,
  type UnexplainedResponse,
  type Violation,
} from './tools/settle/settle.js';
