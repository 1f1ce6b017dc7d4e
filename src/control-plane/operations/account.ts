import type { ControlOperations } from './control-operation.js';
import { describeAccount } from './describe-account.js';

/** The account as a whole: what it is, resetting it, restoring a snapshot. */
export const ACCOUNT_OPERATIONS = {
  getAccount: ({ account }) => describeAccount(account),
  resetAccount({ account, accounts }, { body }) {
    if (body?.all) return { accounts: accounts.resetAll() };
    account.reset();
    return { accounts: 1 };
  },
  restoreAccount({ account }, { body: { id } }) {
    account.restore(id);
    return describeAccount(account);
  },
} satisfies Partial<ControlOperations>;
