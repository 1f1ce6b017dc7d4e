import type { Datasets } from '../datasets/read-datasets.js';
import type { DecisionState } from '../decisions/decision-changes.js';
import type { DecisionValue } from '../decisions/ledger.js';
import { ProblemError } from '../errors/problem-error.js';
import { bytesOf } from '../store/bytes-of.js';
import { EXAMPLE_TOKEN, isIssued } from '../stubs/issued-tokens.js';
import { refuseInvalidToken, scenarioIn } from '../values/bearer-token.js';
import { ownText } from '../values/own-text.js';
import { Account, type AccountParts } from './account.js';
import { AccountOwner } from './account-name.js';
import type { Yielding } from './state-budget.js';

/** What the accounts of a server are built from. */
export interface AccountsParts extends AccountParts {
  readonly datasets: Datasets;
  /** How many may be open at once. */
  readonly maxAccounts: number;
  /** What an earlier server has saved, if it has. */
  readonly unclaimed?: UnclaimedAccounts | undefined;
}

/** The accounts of one server, by their tokens. */
export type Accounts = ReturnType<typeof createAccounts>;

/** Keeps an account for every token, each a fork of the dataset that the token is bound to. */
export function createAccounts(parts: AccountsParts) {
  const { maxAccounts, sign, stateBudget, unclaimed } = parts;
  const accounts = new Map<string, Account>();
  /** The tokens of open accounts by their public ids. */
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
    const isSaved = unclaimed?.claim(token, account);
    accounts.set(token, account);
    stateBudget.add(bytesOf(token));
    tokensById.set(account.id, token);
    if (!isSaved) makeRoom();
    return account;
  }

  /** What is saved counts as well, and yields to what is used. */
  function makeRoom(): void {
    while (unclaimed?.size && accounts.size + unclaimed.size > maxAccounts) unclaimed.dropOldest();
  }

  function close(token: string): boolean {
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

  const unknownToken: Record<DecisionValue<'unknown-token'>, (token: string) => Account> = {
    'open-account': open,
    reject: (token) => {
      if (
        isIssued(token, sign) ||
        datasets.declaredFor(token) !== undefined ||
        unclaimed?.has(token)
      ) {
        return open(token);
      }
      throw new ProblemError(
        'unauthorized',
        `Unknown token; expected a token that has an open account, is declared in the fixture or was issued by a mock, such as '${EXAMPLE_TOKEN}'. A call to the control plane with this token opens its account, such as GET /__control/account; so does the library. Or declare it in the fixture.`,
        { decision: 'unknown-token' },
      );
    },
  };

  return {
    /**
     * The account of the token; opens it if the token is new, whatever `unknown-token` says. Throws a
     * `TypeError` for what no request could send as a token, and a `ProblemError` for a token that is
     * declared as refused or is one too many.
     */
    open,
    /** The account of a request's token: `unknown-token` decides whether a new one is opened. */
    admit: (token: string) =>
      find(token) ?? unknownToken[decisions.inForce['unknown-token']](token),
    /** The account of the token, if it is open; the public id of an open account stands for its token. */
    find,
    /** The open account with this public id, and its token. */
    findById,
    /** Drops the account of the token with all its changes; returns whether there was one. */
    close,
    /** Drops every account; returns how many there were. */
    closeAll(): number {
      unclaimed?.dropAll();
      return closeEach([...accounts.keys()]);
    },
    /** Drops the accounts whose tokens begin with the prefix; returns how many there were. */
    closeWithPrefix: (prefix: string) =>
      closeEach([...accounts.keys()].filter((token) => token.startsWith(prefix))),
    /** The open accounts with their tokens. */
    entries: (): Iterable<readonly [token: string, account: Account]> => accounts,
    /** The tokens of the open accounts, in the order in which they were opened. */
    tokens: (): readonly string[] => [...accounts.keys()],
    /** Resets every open account; returns how many there are. */
    resetAll(): number {
      for (const account of accounts.values()) account.reset();
      unclaimed?.dropAll();
      return accounts.size;
    },
    /**
     * Continues with other datasets and decisions: an account is reset if its dataset or the decisions
     * have changed, and closed if its token is refused from now on. Returns how many were reset.
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
    '`accounts` declares this token as refused; expected another token. Use a different token, or remove it from `accounts`.',
    { decision: 'unauthorized-status' },
  );
}

function tooManyAccounts(maxAccounts: number): ProblemError {
  return new ProblemError(
    'too-many-accounts',
    `This token is new, and ${maxAccounts} accounts are open; expected at most ${maxAccounts}. Close accounts you no longer need with DELETE /__control/accounts?prefix=… (closeAccounts in the library), let --close-idle-after close idle ones, reuse a token, or raise the limit with --max-accounts.`,
  );
}

/**
 * Accounts that an earlier server has saved and whose tokens have not come yet. They count as open
 * ones do, and make room for these.
 */
export interface UnclaimedAccounts extends Yielding {
  /** How many there are. */
  readonly size: number;
  has(token: string): boolean;
  /** Moves what was saved for the token into its new account; returns whether there was something. */
  claim(token: string, account: Account): boolean;
  /** Drops what was saved for the token; returns whether there was something. */
  drop(token: string): boolean;
  /** Drops all. */
  dropAll(): void;
  /** Drops those over the dataset with this fingerprint. */
  dropDataset(fingerprint: string): void;
}
