import { inSlices } from '../../accounts/in-slices.js';
import { writingState } from '../write-state.js';
import type { ControlOperations } from './control-operation.js';
import { describeAccount } from './describe-account.js';

/** All records of the account at once. */
export const STATE_OPERATIONS = {
  getState: ({ account }) => inSlices(writingState(account.store.fork())),
  async putState({ account }, { body }) {
    await inSlices(account.importing(body));
    return describeAccount(account);
  },
} satisfies Partial<ControlOperations>;
