import type { Decisions, DecisionValue } from '../billing/decisions.js';
import { ProblemError } from '../billing/problems.js';
import { shown } from '../billing/shown.js';
import type { Bases } from '../billing/store.js';
import type { RecordChecks } from '../dataset/record-checks.js';
import { type Account, createAccount } from './account.js';

/** What a bearer token looks like (RFC 6750, section 2.1). */
export const TOKEN_FORM = /^[A-Za-z0-9\-._~+/]+=*$/;

/** The accounts of one server, by their tokens. */
export interface Accounts {
  /**
   * The account of the token; opens it if the token is new, whatever the decisions say. Refuses
   * with a `TypeError` what no request could send as a token.
   */
  open(token: string): Account;
  /** The account of the token as a request reaches it: `unknown-token` decides on a new one. */
  admit(token: string): Account;
}

/** Keeps an account for every token, each a fork of the dataset. */
export function createAccounts(bases: Bases, decisions: Decisions, checks: RecordChecks): Accounts {
  const accounts = new Map<string, Account>();

  function open(token: string): Account {
    if (typeof token !== 'string' || !TOKEN_FORM.test(token)) {
      throw new TypeError(
        `${shown(token)} is no bearer token; expected letters, digits and any of -._~+/ without spaces, such as 'my-token'.`,
      );
    }
    const account = accounts.get(token) ?? createAccount(bases, decisions, checks);
    accounts.set(token, account);
    return account;
  }

  const unknownToken: Record<DecisionValue<'unknown-token'>, (token: string) => Account> = {
    'open-account': open,
    reject: () => {
      throw new ProblemError(
        'unauthorized',
        'The token is not known; expected the token of an account that is open. Open one through the library first.',
        { decision: 'unknown-token' },
      );
    },
  };

  return {
    open,
    admit: (token) => accounts.get(token) ?? unknownToken[decisions['unknown-token']](token),
  };
}
