import type { Datasets } from '../../core/datasets/read-datasets.js';
import type { DecisionValue } from '../../core/decisions/ledger.js';
import type { DecisionState } from '../../core/decisions/switch-decisions.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { bytesOf } from '../../core/store/bytes-of.js';
import { EXAMPLE_TOKEN, isIssued } from '../../core/stubs/issued-tokens.js';
import { refuseInvalidToken, scenarioIn } from '../../core/values/bearer-token.js';
import { ownText } from '../../core/values/own-text.js';
import { count } from '../../core/values/plural.js';
import { Account, type AccountParts } from './account.js';
import { AccountOwner } from './account-name.js';
import type { Yielding } from './state-budget.js';

export interface AccountsParts extends AccountParts {
  readonly datasets: Datasets;
  readonly maxAccounts: number;
  readonly unclaimed?: UnclaimedAccounts | undefined;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** Opens accounts by token, each as a fork of the dataset that its token is bound to. */
export function createAccounts(parts: AccountsParts) {
  const { maxAccounts, sign, stateBudget, unclaimed } = parts;
  const accounts = new Map<string, Account>();
  const tokensById = new Map<string, string>();
  let { datasets, decisions } = parts;
  let opened = 0;

  function find(token: string): Account | undefined {
    return accounts.get(token) ?? findById(token)?.[1];
  }

  const isToken = (word: string) => find(word) !== undefined;

  function findById(id: string): readonly [string, Account] | undefined {
    const token = tokensById.get(id) ?? '';
    const account = accounts.get(token);
    return account && [token, account];
  }

  function open(token: string): Account {
    refuseInvalidToken(token);
    return find(token) ?? openNew(token);
  }

  function openNew(sent: string): Account {
    const token = ownText(sent);
    const grant = datasets.declaredFor(token) ?? datasets.main;
    if (grant === 'refused') throw refusedToken();
    if (accounts.size >= maxAccounts) throw tooManyAccounts(maxAccounts);
    opened += 1;
    const scenarios = [scenarioIn(token), ...parts.scenarios];
    const owner = new AccountOwner(token, { number: opened, sign, isToken, budget: stateBudget });
    const account = new Account(grant, { ...parts, decisions, scenarios }, owner);
    const isSaved = stateBudget.withoutLimit(() => unclaimed?.claim(token, account));
    accounts.set(token, account);
    stateBudget.add(bytesOf(token));
    tokensById.set(account.id, token);
    if (!isSaved) makeRoom();
    return account;
  }

  /** Saved accounts count towards the limit too, but give way to open ones. */
  function makeRoom(): void {
    while (unclaimed?.size && accounts.size + unclaimed.size > maxAccounts) unclaimed.dropOldest();
  }

  function close(tokenOrId: string): boolean {
    const token = tokensById.get(tokenOrId) ?? tokenOrId;
    const account = accounts.get(token);
    if (account) stateBudget.add(-bytesOf(token));
    account?.close();
    tokensById.delete(account?.id ?? '');
    const wasUnclaimed = unclaimed?.drop(token) ?? false;
    return accounts.delete(token) || wasUnclaimed;
  }

  function closeEach(tokens: readonly string[]): number {
    for (const token of tokens) close(token);
    return tokens.length;
  }

  function isKnown(token: string): boolean {
    if (find(token) || isIssued(token, sign)) return true;
    return datasets.declaredFor(token) !== undefined || unclaimed?.has(token) === true;
  }

  const unknownToken: Record<DecisionValue<'unknown-token'>, (token: string) => Account> = {
    'open-account': open,
    reject: (token) => {
      if (isKnown(token)) return open(token);
      throw new ProblemError(
        'unauthorized',
        `Unknown token; expected '${EXAMPLE_TOKEN}', or a token that has an account, is declared in \`accounts\` or was issued by a mock. Declare it in the fixture, or open an account for it by a call to the control plane, such as GET /__control/account.`,
        { decision: 'unknown-token' },
      );
    },
  };

  return {
    /**
     * The account that `find` finds, or else a new one, whatever `unknown-token` says. Throws a
     * `TypeError` for a token that no request could send, and a `ProblemError` for one that is
     * declared as refused or would exceed `maxAccounts`.
     */
    open,
    /**
     * Whether the decision `unknown-token` does not apply: the token is issued or declared, or has
     * an open or saved account.
     */
    isKnown,
    /** Like `open`, but an unknown token is refused if the decision `unknown-token` says so. */
    admit: (token: string) =>
      find(token) ?? unknownToken[decisions.inForce['unknown-token']](token),
    /** The open account of this token, or with this public id. */
    find,
    findById,
    /** Closes the account of the token, or drops the saved one; returns whether there was one. */
    close,
    /** Closes every account, and drops saved ones; returns how many were open. */
    closeAll(): number {
      unclaimed?.dropAll();
      return closeEach([...accounts.keys()]);
    },
    /** Closes the open accounts whose tokens begin with the prefix; returns how many there were. */
    closeWithPrefix: (prefix: string) =>
      closeEach([...accounts.keys()].filter((token) => token.startsWith(prefix))),
    /** How the tests of all accounts ended. */
    tests: parts.tests,
    entries: (): Iterable<readonly [token: string, account: Account]> => accounts,
    /** In the order in which the accounts were opened. */
    tokens: (): readonly string[] => [...accounts.keys()],
    /** Resets every open account, and drops saved ones; returns how many are open. */
    resetAll(): number {
      for (const account of accounts.values()) account.reset();
      unclaimed?.dropAll();
      return accounts.size;
    },
    /**
     * Switches to other datasets and decisions: resets the accounts whose dataset or decisions
     * changed, and closes those whose token is now refused. Returns how many were reset.
     */
    reload(next: Datasets, nextDecisions: DecisionState): number {
      const hasOtherDecisions = nextDecisions !== decisions;
      if (next.main.fingerprint !== datasets.main.fingerprint) {
        unclaimed?.dropDataset(datasets.main.fingerprint);
      }
      datasets = next;
      decisions = nextDecisions;
      let resets = 0;
      for (const [token, account] of accounts) {
        const grant = next.declaredFor(token) ?? next.main;
        if (grant === 'refused') close(token);
        else if (hasOtherDecisions || grant.fingerprint !== account.store.bases.fingerprint) {
          account.rebase(grant, decisions);
          resets += 1;
        }
      }
      return resets;
    },
  };
}

function refusedToken(): ProblemError {
  return new ProblemError(
    'unauthorized',
    'The fixture or the option `accounts` declares this token as refused; expected another token. Send another, or remove the declaration.',
    { decision: 'unauthorized-status' },
  );
}

function tooManyAccounts(maxAccounts: number): ProblemError {
  return new ProblemError(
    'too-many-accounts',
    `This token is new, and the limit of ${count(maxAccounts, 'open account')} is reached. Close accounts you no longer need with DELETE /__control/accounts?prefix=… (closeAccounts in the library), let --close-idle-after close idle ones, reuse a token, or raise the limit with --max-accounts (maxAccounts in the library).`,
  );
}

/**
 * Accounts that an earlier run of the mock saved and whose tokens have not been used since. They
 * count towards the limit, and are dropped to make room for open ones.
 */
export interface UnclaimedAccounts extends Yielding {
  readonly size: number;
  has(token: string): boolean;
  /**
   * Moves the saved state of the token into its new account, or drops it if it was saved over
   * another dataset; returns whether there was any.
   */
  claim(token: string, account: Account): boolean;
  /** Returns whether there was any saved state. */
  drop(token: string): boolean;
  dropAll(): void;
  dropDataset(fingerprint: string): void;
}
