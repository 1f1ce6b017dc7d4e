import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { UnclaimedAccounts } from '../../accounts/unclaimed-accounts.js';
import { restoreAccount, type WrittenAccount } from '../../accounts/written-account.js';

/** Saved accounts by the hashes of their tokens. */
export interface SavedAccounts extends UnclaimedAccounts {
  /** Those whose tokens have not come yet. */
  list(): readonly WrittenAccount[];
}

/** A hash that tells the token to nobody who does not know it. */
export function hashToken(salt: string, token: string): string {
  return createHmac('sha256', salt).update(token).digest('hex');
}

/** Keeps what was read of each account until its token comes. */
export function createSavedAccounts(
  salt: string,
  read: readonly WrittenAccount[],
  logger: Logger,
): SavedAccounts {
  const unclaimed = new Map(read.map((account) => [account.token, account]));

  /** Nothing is hashed once all were claimed. */
  function hashOf(token: string): string | undefined {
    return unclaimed.size === 0 ? undefined : hashToken(salt, token);
  }

  function drop(token: string): boolean {
    return unclaimed.delete(hashOf(token) ?? '');
  }

  return {
    get size() {
      return unclaimed.size;
    },
    has: (token) => unclaimed.has(hashOf(token) ?? ''),
    claim(token, account) {
      const written = unclaimed.get(hashOf(token) ?? '');
      if (written === undefined) return;
      if (written.dataset === account.store.datasetFingerprint) restoreAccount(account, written);
      else logger.warn('Dropped the saved state of an account: its token now has another dataset.');
      drop(token);
    },
    drop,
    dropAll: () => unclaimed.clear(),
    dropDataset(fingerprint) {
      const { size } = unclaimed;
      for (const { token, dataset } of unclaimed.values()) {
        if (dataset === fingerprint) unclaimed.delete(token);
      }
      const dropped = size - unclaimed.size;
      if (dropped > 0) {
        logger.warn(
          `Dropped the saved state of ${dropped} ${dropped === 1 ? 'account' : 'accounts'}: the dataset has changed.`,
        );
      }
    },
    list: () => [...unclaimed.values()],
  };
}
