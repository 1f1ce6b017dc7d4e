export type { DecisionsControl } from './accounts/account-decisions.js';
export type { AccountFixture, FixtureOptions } from './accounts/account-fixture.js';
export type {
  AccountControl,
  AccountState,
  JournalControl,
  RecordChange,
} from './accounts/account-interface.js';
export type { ClockControl } from './accounts/clock.js';
export type { Fault, FaultRequest, FaultsControl } from './accounts/faults.js';
export type { Har } from './accounts/journal/har.js';
export type { JournalFilter } from './accounts/journal/journal-filter.js';
export type { JournalRequest } from './accounts/journal/journal-request.js';
export type { WaitOptions } from './accounts/journal/wait-for-requests.js';
export type { LatencyControl, LatencyRange } from './accounts/latency.js';
export type { RecordInput, Records } from './accounts/records.js';
export type { TestOutcome } from './accounts/test-outcomes.js';
export type { OperationBody, OperationId, OperationInput } from './billing/operation.js';
export type {
  Contract,
  Customer,
  Measurement,
  ResourceName,
  UsageEvent,
} from './billing/resources.js';
export type { Coverage, CoverageRow } from './coverage/coverage.js';
export type { Dataset } from './datasets/dataset.js';
export type { AccountDeclaration, Scenario } from './datasets/fixture/fixture.js';
export { FixtureError } from './datasets/fixture/parse-fixture.js';
export type { DecisionChanges, Seen } from './decisions/decision-changes.js';
export type { FidelityRow } from './decisions/fidelity.js';
export type { DecisionId, Decisions, DecisionValue } from './decisions/ledger.js';
export type { Fetch } from './doors/fetch.js';
export { InvalidInputError } from './errors/invalid-input.js';
export { OptionError } from './errors/option-error.js';
export { ProblemError } from './errors/problem-error.js';
export { UnknownIdError } from './errors/unknown-id.js';
export type { Problem } from './errors/write-problem.js';
export type { components, operations, paths, Strict } from './openapi/document-types.js';
export type { LogFormat, LogLevel, MockServerOptions } from './options/mock-server-options.js';
export type { MockServer } from './server/mock-interface.js';
export { createMockServer } from './server/mock-server.js';
export type { Routes, RoutesMock } from './service/routes.js';
export { settle } from './settle/settle.js';
export type { SettleOptions } from './settle/settle-options.js';
export type { DecisionVerdict, SettleReport, Violation } from './settle/settle-report.js';
export type { Stub, StubRequest, StubResponse } from './stubs/stub.js';
export type { StubsControl } from './stubs/stubs.js';
