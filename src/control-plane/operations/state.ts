import { runWithoutBlocking } from '../../accounts/run-without-blocking.js';
import { writingState } from '../write-state.js';
import type { ControlOperations } from './control-operation.js';
import { describeAccount } from './describe-account.js';

/** All records of the account at once. */
export const STATE_OPERATIONS = {
  getState: ({ account }) => runWithoutBlocking(writingState(account.store.fork())),
  async putState({ account }, { body }) {
    await runWithoutBlocking(account.importing(body));
    return describeAccount(account);
  },
} satisfies Partial<ControlOperations>;
