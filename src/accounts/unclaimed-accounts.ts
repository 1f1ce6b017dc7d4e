import type { Account } from './account.js';
import type { Yielding } from './state-budget.js';

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
