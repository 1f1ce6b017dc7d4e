import type { ListedAccount } from './connection/account-list.js';
import type { Situation } from './situation/use-situation.js';

/** What a view of one account is given. */
export interface AccountView {
  readonly account: ListedAccount;
  readonly situation: Situation;
  /** Counts up when a client may have changed records. */
  readonly writes: number;
}
