import type { ControlOperations } from './control-operation.js';
import { ACCOUNT_OPERATIONS } from './on-account.js';
import { BEHAVIOUR_OPERATIONS } from './on-behaviour.js';
import { RECORD_OPERATIONS } from './on-records.js';
import { REQUEST_OPERATIONS } from './on-requests.js';

/** Every operation of the document on an account; one too many or too few does not compile. */
export const CONTROL_OPERATIONS: ControlOperations = {
  ...ACCOUNT_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...BEHAVIOUR_OPERATIONS,
};
