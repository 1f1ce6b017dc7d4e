import { writingState } from '../write-state.js';
import type { ControlOperations } from './control-operation.js';
import { describeAccount } from './describe-account.js';

/** All records of the account at once. */
export const STATE_OPERATIONS = {
  getState: ({ account, run }) => run(writingState(account.store.fork())),
  async putState(context, { body }) {
    await context.run(context.account.importing(body));
    return describeAccount(context);
  },
} satisfies Partial<ControlOperations>;
