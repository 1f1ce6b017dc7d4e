import type { Logger } from 'pino';
import { finish } from '../../../core/store/work-in-steps.js';
import { count } from '../../../core/values/plural.js';
import type { AccountFixture } from '../../../mock/accounts/account-fixture.js';
import type { Accounts, UnclaimedAccounts } from '../../../mock/accounts/account-registry.js';
import { areSame, statesOf } from '../../../mock/accounts/snapshots.js';

/** An account that outlives its mock. */
export interface SavedEntry {
  /** A salted hash of the token; in a tab, the token itself. */
  readonly token: string;
  /** The fingerprint of the dataset that was changed. */
  readonly dataset: string;
  /** The name that a test gave the account. */
  readonly name?: string | undefined;
  readonly fixture: AccountFixture;
}

/** An account that has changed, as it is at one moment. */
interface ChangedAccount {
  /** Values to compare by identity: some are replaced when the account changes. */
  readonly marks: readonly unknown[];
  /** Makes the entry, with the form of the token that is saved; call it once. */
  entry(hashToken: (token: string) => string): SavedEntry;
}

/** The accounts that have changed since they opened; later changes do not affect the entries. */
export function changedIn(accounts: Accounts): ChangedAccount[] {
  return [...accounts.entries].flatMap(([token, account]) => {
    const name = account.owner.snapshot();
    const saved = account.save();
    if (name === undefined && areSame(saved, account.opened)) return [];
    const saving = account.savingFixture({ keepNames: true });
    const { fingerprint: dataset } = account.store.bases;
    return {
      marks: [token, name, ...statesOf(saved)],
      entry: (hashToken) => ({ token: hashToken(token), dataset, name, fixture: finish(saving) }),
    };
  });
}

/** Saved accounts whose tokens have not been used yet. */
export interface SavedAccounts extends UnclaimedAccounts {
  list(): readonly SavedEntry[];
}

/** Keeps each account that was read, oldest first, until its token is used. */
export function createSavedAccounts(
  hashToken: (token: string) => string,
  read: readonly SavedEntry[],
  logger: Logger,
): SavedAccounts {
  const unclaimed = new Map(read.map((account) => [account.token, account]));
  let hasYielded = false;

  return {
    get size() {
      return unclaimed.size;
    },
    has: (token) => unclaimed.has(hashToken(token)),
    claim(token, account) {
      const hash = hashToken(token);
      const saved = unclaimed.get(hash);
      if (saved === undefined) return false;
      if (saved.dataset === account.store.bases.fingerprint) {
        account.importState(saved.fixture);
        if (saved.name !== undefined) account.setName(saved.name);
      } else {
        logger.warn('Dropped the saved state of an account: its token now has another dataset.');
      }
      return unclaimed.delete(hash);
    },
    drop: (token) => unclaimed.delete(hashToken(token)),
    dropOldest() {
      const [oldest] = unclaimed.keys();
      if (oldest === undefined || !unclaimed.delete(oldest) || hasYielded) return;
      hasYielded = true;
      logger.warn(
        'The accounts have reached --max-accounts (maxAccounts in the library): from now on, the saved state of accounts whose tokens have not been used since the start is dropped, oldest first.',
      );
    },
    dropAll: () => unclaimed.clear(),
    dropDataset(fingerprint) {
      const { size } = unclaimed;
      for (const [hash, account] of unclaimed)
        if (account.dataset === fingerprint) unclaimed.delete(hash);
      const dropped = size - unclaimed.size;
      if (dropped > 0) {
        logger.warn(
          `Dropped the saved state of ${count(dropped, 'account')}: the dataset has changed.`,
        );
      }
    },
    list: () => [...unclaimed.values()],
  };
}
