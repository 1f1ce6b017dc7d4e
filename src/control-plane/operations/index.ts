import { ACCOUNT_OPERATIONS } from './account.js';
import { CLOCK_OPERATIONS } from './clock.js';
import type { ControlOperations } from './control-operation.js';
import { DECISION_OPERATIONS } from './decisions.js';
import { DOCUMENT_OPERATIONS } from './documents.js';
import { FAULT_OPERATIONS } from './faults.js';
import { LATENCY_OPERATIONS } from './latency.js';
import { RECORD_OPERATIONS } from './records.js';
import { REQUEST_OPERATIONS } from './requests.js';
import { SNAPSHOT_OPERATIONS } from './snapshots.js';
import { STATE_OPERATIONS } from './state.js';
import { STUB_OPERATIONS } from './stubs.js';

/** Every operation of the document on an account; one too many or too few does not compile. */
export const CONTROL_OPERATIONS: ControlOperations = {
  ...DOCUMENT_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...STATE_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...SNAPSHOT_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...FAULT_OPERATIONS,
  ...STUB_OPERATIONS,
  ...CLOCK_OPERATIONS,
  ...LATENCY_OPERATIONS,
  ...DECISION_OPERATIONS,
};
