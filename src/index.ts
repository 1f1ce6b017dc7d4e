export type { DecisionId, Decisions, DecisionValue } from './billing/decisions.js';
export { type Problem, ProblemError } from './billing/problems.js';
export type {
  Contract,
  Customer,
  Measurement,
  ResourceName,
  UsageEvent,
} from './billing/resources.js';
export type { AccountControl } from './control/account.js';
export type { DecisionsControl } from './control/account-decisions.js';
export type { ClockControl } from './control/clock.js';
export type { Fault, FaultRequest, FaultsControl } from './control/faults.js';
export { InvalidInputError } from './control/invalid-input.js';
export type { JournalControl, JournalFilter } from './control/journal.js';
export type { JournalRequest } from './control/journal-request.js';
export type { RecordInput, Records } from './control/records.js';
export type { AccountState } from './control/state.js';
export { UnknownIdError } from './control/unknown-id.js';
export type { Dataset } from './dataset/dataset.js';
export type { AccountDeclaration } from './dataset/fixture.js';
export { FixtureError } from './dataset/fixture-file.js';
export type { components, operations, paths } from './document-types.js';
export type { Fetch } from './http/in-process.js';
export { createMockServer, type MockServer } from './mock-server.js';
export type { LogFormat, LogLevel, MockServerOptions } from './option-table.js';
export { OptionError } from './options.js';
