import type { Logger } from 'pino';
import type { UnclaimedAccounts } from '../../accounts/account-registry.js';
import { bytesOf } from '../../store/bytes-of.js';
import { count } from '../../values/plural.js';
import { restoreAccount, type WrittenAccount } from './written-account.js';

/** Saved accounts whose tokens have not been used yet. */
export interface SavedAccounts extends UnclaimedAccounts {
  list(): readonly WrittenAccount[];
}

/** Keeps each account that was read, oldest first, until its token is used. */
export function createSavedAccounts(
  hashToken: (token: string) => string,
  read: readonly WrittenAccount[],
  logger: Logger,
): SavedAccounts {
  const unclaimed = new Map(
    read.map((account) => [account.token, { account, bytes: bytesOf(account) }]),
  );
  let bytes = 0;
  for (const saved of unclaimed.values()) bytes += saved.bytes;
  let hasYielded = false;

  /** Saves the time to hash once all accounts are claimed. */
  function hashOf(token: string): string {
    return unclaimed.size === 0 ? '' : hashToken(token);
  }

  function drop(hash: string): boolean {
    bytes -= unclaimed.get(hash)?.bytes ?? 0;
    return unclaimed.delete(hash);
  }

  return {
    get size() {
      return unclaimed.size;
    },
    get bytes() {
      return bytes;
    },
    has: (token) => unclaimed.has(hashOf(token)),
    claim(token, account) {
      const hash = hashOf(token);
      const { account: written } = unclaimed.get(hash) ?? {};
      if (written === undefined) return false;
      if (written.dataset === account.store.bases.fingerprint) restoreAccount(account, written);
      else logger.warn('Dropped the saved state of an account: its token now has another dataset.');
      return drop(hash);
    },
    drop: (token) => drop(hashOf(token)),
    dropOldest() {
      const [oldest] = unclaimed.keys();
      if (oldest === undefined || !drop(oldest) || hasYielded) return;
      hasYielded = true;
      logger.warn(
        'The accounts have reached --max-accounts or --state-bytes (maxAccounts or stateBytes in the library): from now on, the saved state of accounts whose tokens have not been used since the start is dropped, oldest first.',
      );
    },
    dropAll() {
      unclaimed.clear();
      bytes = 0;
    },
    dropDataset(fingerprint) {
      const { size } = unclaimed;
      for (const [hash, { account }] of unclaimed) if (account.dataset === fingerprint) drop(hash);
      const dropped = size - unclaimed.size;
      if (dropped > 0) {
        logger.warn(
          `Dropped the saved state of ${count(dropped, 'account')}: the dataset has changed.`,
        );
      }
    },
    list: () => Array.from(unclaimed.values(), ({ account }) => account),
  };
}
