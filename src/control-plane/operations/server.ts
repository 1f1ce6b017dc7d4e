import type { Accounts } from '../../accounts/accounts.js';
import { ProblemError } from '../../errors/problem-error.js';
import type { operations } from '../../generated/control.js';

/** Which accounts are meant, as the validator has checked it. */
type Selection = NonNullable<operations['closeAllAccounts']['parameters']['query']>;

/** What such an operation is called with. */
interface ServerInput {
  readonly query: Selection;
  /** Returns the bearer token; refuses a request without one. */
  readonly token: () => string;
}

/** One operation on the server as a whole. */
export type ServerOperation = (accounts: Accounts, input: ServerInput) => object;

/** The operations on the server as a whole, which open no account. */
export const SERVER_OPERATIONS = {
  closeAccount: (accounts, { token }) => ({ closed: accounts.close(token()) }),
  resetAllAccounts: (accounts) => ({ accounts: accounts.resetAll() }),
  closeAllAccounts(accounts, { query: { prefix, all } }) {
    if ((prefix === undefined) === (all === undefined)) throw unclear(all);
    return {
      closed: prefix === undefined ? accounts.closeAll() : accounts.closeWithPrefix(prefix),
    };
  },
} as const satisfies Readonly<Record<string, ServerOperation>>;

function unclear(all: Selection['all']): ProblemError {
  const received = all ? 'Both prefix and all were received' : 'No parameter was received';
  return new ProblemError(
    'invalid-request',
    `${received}; expected either prefix=… for the accounts whose tokens begin so, or all=true for every account${all ? ', not both' : ''}.`,
  );
}
