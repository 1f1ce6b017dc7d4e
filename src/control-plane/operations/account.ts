import type { ControlOperations } from './control-operation.js';
import { describeAccount } from './describe-account.js';

/** The account as a whole: what it is, resetting and closing it. */
export const ACCOUNT_OPERATIONS = {
  getAccount: ({ account }) => describeAccount(account),
  resetAccount({ account, accounts }, { body }) {
    if (body?.all) return { accounts: accounts.resetAll() };
    account.reset();
    return { accounts: 1 };
  },
  closeAccount: ({ accounts, token }) => ({ closed: accounts.close(token) }),
} satisfies Partial<ControlOperations>;
