import type { Accounts } from '../../accounts/accounts.js';

/** One operation on the server as a whole. */
export type ServerOperation = (accounts: Accounts) => object;

/** The operations on the server as a whole, which open no account. */
export const SERVER_OPERATIONS = {
  closeAllAccounts: (accounts) => ({ closed: accounts.closeAll() }),
} as const satisfies Readonly<Record<string, ServerOperation>>;
