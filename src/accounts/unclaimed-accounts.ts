import type { Account } from './account.js';

/** Accounts that an earlier server has saved and whose tokens have not come yet. */
export interface UnclaimedAccounts {
  /** How many there are. */
  readonly size: number;
  has(token: string): boolean;
  /** Restores what was saved for the token into its new account, if there is something. */
  claim(token: string, account: Account): void;
  /** Drops what was saved for the token; returns whether there was something. */
  drop(token: string): boolean;
  /** Drops all. */
  dropAll(): void;
  /** Drops those over the dataset with this fingerprint. */
  dropDataset(fingerprint: string): void;
}
