export type { DecisionId, Decisions, DecisionValue } from './billing/decisions.js';
export type { Problem } from './billing/problems.js';
export type {
  Contract,
  Customer,
  Measurement,
  ResourceName,
  UsageEvent,
} from './billing/resources.js';
export type { AccountControl } from './control/account.js';
export type { RecordInput, Records } from './control/records.js';
export type { Dataset } from './dataset/dataset.js';
export type { AccountDeclaration } from './dataset/fixture.js';
export { FixtureError } from './dataset/fixture-file.js';
export type { components, operations, paths } from './generated/openapi.js';
export { createMockServer, type MockServer } from './mock-server.js';
export { type LogFormat, type LogLevel, type MockServerOptions, OptionError } from './options.js';
