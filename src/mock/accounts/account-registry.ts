import type { Datasets } from '../../core/datasets/read-datasets.js';
import type { DecisionValue } from '../../core/decisions/ledger.js';
import type { DecisionState } from '../../core/decisions/switch-decisions.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { EXAMPLE_TOKEN, isIssued } from '../../core/stubs/issued-tokens.js';
import { refuseInvalidToken, scenarioIn } from '../../core/values/bearer-token.js';
import { ownText } from '../../core/values/own-text.js';
import { count } from '../../core/values/plural.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import { decisionRow } from '../coverage/rows.js';
import { Account, type AccountParts } from './account.js';
import { AccountOwner } from './account-name.js';
import { type ClosedAccount, ClosedAccounts } from './closed-accounts.js';
import type { Journal } from './journal/journal.js';

export interface AccountsParts extends Omit<AccountParts, 'countRecords' | 'shipped'> {
  readonly datasets: Datasets;
  readonly maxAccounts: number;
  readonly coverage: Pick<CoverageCounter, 'add'>;
  readonly unclaimed?: UnclaimedAccounts | undefined;
}

/** Opens accounts by token, each as a fork of the dataset that its token is bound to. */
export class Accounts {
  /** The closed accounts whose journals are kept. */
  readonly closed: ClosedAccounts;
  readonly #parts: AccountsParts;
  readonly #accounts = new Map<string, Account>();
  readonly #tokensById = new Map<string, string>();
  #datasets: Datasets;
  #decisions: DecisionState;
  #opened = 0;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
    this.#datasets = parts.datasets;
    this.#decisions = parts.decisions;
    this.closed = new ClosedAccounts();
  }

  get entries(): Iterable<readonly [token: string, account: Account]> {
    return this.#accounts;
  }

  /** Open and closed accounts, in the order in which they were opened. */
  get all(): readonly (Account | ClosedAccount)[] {
    const all = [...this.closed, ...this.#accounts.values()];
    return all.sort((one, other) => one.owner.number - other.owner.number);
  }

  /** Those whose test has failed, and has not ended again in a later account. */
  get failed(): readonly (Account | ClosedAccount)[] {
    const { all } = this;
    const latest = new Map(all.map((one) => [testOf(one), one]));
    return all.filter((one) => one.owner.hasFailed && latest.get(testOf(one)) === one);
  }

  /** In the order in which the accounts were opened. */
  get tokens(): readonly string[] {
    return [...this.#accounts.keys()];
  }

  /** The open account of this token, or with this public id. */
  find(token: string): Account | undefined {
    return this.#accounts.get(token) ?? this.findById(token)?.[1];
  }

  findById(id: string): readonly [token: string, account: Account] | undefined {
    const token = this.#tokensById.get(id) ?? '';
    const account = this.#accounts.get(token);
    return account && [token, account];
  }

  /** The journal of the account with this public id, if it is open or its requests are kept. */
  journalOf(id: string): Journal | undefined {
    return (this.findById(id)?.[1] ?? this.closed.find(id))?.journal;
  }

  /**
   * The account that `find` finds, or else a new one, whatever `unknown-token` says. Throws a
   * `TypeError` for a token that no request could send, and a `ProblemError` for one that is
   * declared as refused, is the id of a closed account, or would exceed `maxAccounts`.
   */
  open(token: string): Account {
    refuseInvalidToken(token);
    return this.find(token) ?? this.#openNew(token);
  }

  /**
   * Like `open`, but applies the decision `unknown-token`, unless the token is issued or declared, or
   * has an open or saved account.
   */
  admit(token: string): Account {
    const found = this.find(token);
    if (found) return found;
    const { sign, unclaimed, coverage } = this.#parts;
    const isDeclared = this.#datasets.declaredFor(token) !== undefined;
    if (isDeclared || isIssued(token, sign) || unclaimed?.has(token)) return this.open(token);
    const { inForce: decisions } = this.#decisions;
    if (UNKNOWN_IS_REFUSED[decisions['unknown-token']]) throw unknownToken();
    const account = this.open(token);
    coverage.add([decisionRow('unknown-token', decisions)]);
    return account;
  }

  #openNew(sent: string): Account {
    const { maxAccounts, sign, limits, unclaimed } = this.#parts;
    const token = ownText(sent);
    const grant = this.#datasets.declaredFor(token) ?? this.#datasets.main;
    if (grant === 'refused') throw refusedToken();
    const closed = this.closed.find(token);
    if (closed) throw closedToken(closed);
    if (this.#accounts.size >= maxAccounts) throw tooManyAccounts(maxAccounts);
    this.#opened += 1;
    const { known } = this.#parts.journalRules;
    const owner = new AccountOwner(token, { number: this.#opened, sign, known });
    const scenarios = [scenarioIn(token), ...this.#parts.scenarios];
    const countRecords = () => this.#countRecords();
    const shipped: Datasets['shipped'] = (name) => this.#datasets.shipped(name);
    const own = { decisions: this.#decisions, scenarios, countRecords, shipped };
    const parts = { ...this.#parts, ...own };
    return limits.withoutLimit(() => {
      const account = new Account(grant, parts, owner);
      unclaimed?.claim(token, account);
      this.#accounts.set(token, account);
      this.#tokensById.set(account.id, token);
      unclaimed?.keepAtMost(maxAccounts - this.#accounts.size);
      return account;
    });
  }

  #countRecords(): number {
    let records = 0;
    for (const account of this.#accounts.values()) records += account.countOf('records');
    return records;
  }

  /**
   * Closes the account of the token, but keeps its journal, or drops the saved one; returns whether
   * there was one.
   */
  close(tokenOrId: string): boolean {
    const { unclaimed } = this.#parts;
    const account = this.find(tokenOrId);
    const token = account?.owner.token ?? tokenOrId;
    if (account) this.closed.close(account);
    this.#tokensById.delete(account?.id ?? '');
    const wasUnclaimed = unclaimed?.drop(token) ?? false;
    return this.#accounts.delete(token) || wasUnclaimed;
  }

  /** Closes the open accounts whose tokens begin with the prefix; returns how many there were. */
  closeWithPrefix(prefix: string): number {
    const tokens = this.tokens.filter((token) => token.startsWith(prefix));
    for (const token of tokens) this.close(token);
    return tokens.length;
  }

  /** Closes every account, and drops saved ones; returns how many were open. */
  closeAll(): number {
    this.#parts.unclaimed?.dropAll();
    return this.closeWithPrefix('');
  }

  /** Resets every open account, and drops saved ones; returns how many are open. */
  resetAll(): number {
    for (const account of this.#accounts.values()) account.reset();
    this.#parts.unclaimed?.dropAll();
    return this.#accounts.size;
  }

  /**
   * Switches to other datasets and decisions: resets the accounts whose dataset or decisions
   * changed, and closes those whose token is now refused. Returns how many were reset.
   */
  reload(datasets: Datasets, decisions: DecisionState): number {
    const hasOtherDecisions = decisions !== this.#decisions;
    this.#datasets = datasets;
    this.#decisions = decisions;
    let resets = 0;
    for (const [token, account] of this.#accounts) {
      const grant = datasets.declaredFor(token) ?? datasets.main;
      if (grant === 'refused') this.close(token);
      else if (hasOtherDecisions || grant.fingerprint !== account.opened.store.bases.fingerprint) {
        this.#parts.limits.withoutLimit(() => account.rebase(grant, decisions));
        resets += 1;
      }
    }
    return resets;
  }
}

/** Identifies the test of an account. */
function testOf({ owner: { test } }: Account | ClosedAccount): string {
  return JSON.stringify([test?.file, test?.title]);
}

const UNKNOWN_IS_REFUSED: Record<DecisionValue<'unknown-token'>, boolean> = {
  'open-account': false,
  reject: true,
};

function unknownToken(): ProblemError {
  return new ProblemError(
    'unauthorized',
    `Unknown token; expected '${EXAMPLE_TOKEN}', or a token that has an account, is declared in \`accounts\` or was issued by a mock. Declare it in the fixture, or open an account for it by a call to the control plane, such as GET /__control/account.`,
    { decision: 'unknown-token' },
  );
}

function refusedToken(): ProblemError {
  return new ProblemError(
    'unauthorized',
    'The fixture or the option `accounts` declares this token as refused; expected another token. Send another, or remove the declaration.',
    { decision: 'unauthorized-status' },
  );
}

function closedToken({ closedAt }: ClosedAccount): ProblemError {
  return new ProblemError(
    'unauthorized',
    `The bearer token is the id of an account that was closed at ${closedAt.toISOString()}; expected the token itself, which opens a new account, or the id of an open account. The id still reads the journal of the closed one, as in GET /__control/requests.`,
    { decision: 'unauthorized-status' },
  );
}

function tooManyAccounts(maxAccounts: number): ProblemError {
  return new ProblemError(
    'too-many-accounts',
    `This token is new, and the limit of ${count(maxAccounts, 'open account')} is reached. Close accounts you no longer need with DELETE /__control/accounts?prefix=… (closeAccounts in the library), let --close-idle-after close idle ones, reuse a token, or raise the limit with --max-accounts (maxAccounts in the library).`,
  );
}

/** Accounts that an earlier run of the mock saved and whose tokens have not been used since. */
export interface UnclaimedAccounts {
  has(token: string): boolean;
  /**
   * Moves the saved state of the token, if any, into its new account, or drops it if it was saved
   * over another dataset.
   */
  claim(token: string, account: Account): void;
  /** Returns whether there was any saved state. */
  drop(token: string): boolean;
  dropAll(): void;
  /** Drops the oldest beyond so many. */
  keepAtMost(most: number): void;
}
