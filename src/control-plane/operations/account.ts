import type { ControlOperations } from './control-operation.js';
import { describeAccount } from './describe-account.js';

/** The account as a whole: what it is, and resetting it. */
export const ACCOUNT_OPERATIONS = {
  getAccount: describeAccount,
  resetAccount({ account }) {
    account.reset();
    return { accounts: 1 };
  },
} satisfies Partial<ControlOperations>;
