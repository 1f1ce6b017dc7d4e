import type { Account } from './account.js';

/** What is kept of a closed account until other requests have pushed out its own. */
export interface ClosedAccount extends Pick<Account, 'journal' | 'openedAt' | 'owner'> {
  readonly closedAt: Date;
  readonly store: {
    readonly bases: Pick<Account['store']['bases'], 'fingerprint' | 'name'>;
    readonly changeCount: number;
  };
}

/** The closed accounts of a server whose requests are kept, in the order in which they closed. */
export class ClosedAccounts {
  readonly #accounts = new Map<string, ClosedAccount>();

  [Symbol.iterator](): Iterator<ClosedAccount> {
    return this.#accounts.values();
  }

  find(id: string): ClosedAccount | undefined {
    return this.#accounts.get(id);
  }

  /** Closes an account; keeps it if it has requests, or if somebody marked how its test ended. */
  close(account: Account): void {
    const { journal, openedAt, owner, store } = account;
    const { changeCount, bases } = store;
    const { fingerprint, name } = bases;
    account.close();
    if (journal.size === 0 && owner.test === undefined) return;
    const kept = { bases: { fingerprint, name }, changeCount };
    const closed = { journal, openedAt, owner, closedAt: new Date(), store: kept };
    this.#accounts.set(owner.id, closed);
    // After its requests, which make room first.
    journal.keepAccount(() => this.#accounts.delete(owner.id));
  }
}
