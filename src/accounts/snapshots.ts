import type { StoreChanges } from '../billing/account-store.js';
import type { Decisions } from '../decisions/ledger.js';
import { ProblemError } from '../errors/problems.js';
import { UnknownIdError } from '../errors/unknown-id.js';
import type { ClockState } from './clock.js';
import type { FaultsState } from './faults.js';
import type { StateBudget } from './state-budget.js';

const MOST_SNAPSHOTS = 100;

/** What a snapshot saves of an account, safe against later changes. */
export interface SavedAccount {
  readonly store: StoreChanges;
  readonly faults: FaultsState;
  readonly clock: ClockState;
  readonly decisions: Decisions;
}

/** The changes of one collection: counted once, however many snapshots hold them. */
type SavedChanges = StoreChanges[keyof StoreChanges];

/** The named snapshots of one account. */
export class Snapshots {
  readonly #budget: StateBudget;
  readonly #saved = new Map<string, SavedAccount>();
  /** How many snapshots hold the same changes. */
  readonly #holders = new Map<SavedChanges, number>();
  #nextNumber = 1;

  constructor(budget: StateBudget) {
    this.#budget = budget;
  }

  /** Stores what was saved under the id, or under a new number; returns the id. */
  add(id: string | undefined, saved: SavedAccount): string {
    const key = id ?? this.#freeNumber();
    if (!this.#saved.has(key) && this.#saved.size >= MOST_SNAPSHOTS) {
      throw new ProblemError(
        'conflict',
        `The account has ${MOST_SNAPSHOTS} snapshots, the maximum; expected fewer. Drop one, or replace one by using its id.`,
      );
    }
    const replaced = this.#saved.get(key);
    this.#hold(saved);
    if (replaced) this.#release(replaced);
    this.#saved.set(key, saved);
    return key;
  }

  /** What was saved under the id. */
  get(id: string): SavedAccount {
    const saved = this.#saved.get(id);
    if (saved) return saved;
    throw new UnknownIdError(
      `There is no snapshot '${id}' in this account; expected ${this.#ids()}.`,
    );
  }

  /** The ids, in the order in which the snapshots were taken. */
  list(): string[] {
    return [...this.#saved.keys()];
  }

  /** Drops the snapshot with the id. */
  remove(id: string): void {
    this.#release(this.get(id));
    this.#saved.delete(id);
  }

  /** Drops all. */
  clear(): void {
    for (const saved of this.#saved.values()) this.#release(saved);
    this.#saved.clear();
  }

  #hold({ store }: SavedAccount): void {
    const held = Object.values<SavedChanges>(store);
    const others = held.filter((changes) => !this.#holders.has(changes));
    const bytes = others.reduce((sum, changes) => sum + (changes?.bytes ?? 0), 0);
    this.#budget.admit(bytes, 'this snapshot');
    this.#budget.add(bytes);
    for (const changes of held) this.#holders.set(changes, (this.#holders.get(changes) ?? 0) + 1);
  }

  #release({ store }: SavedAccount): void {
    for (const changes of Object.values<SavedChanges>(store)) {
      const others = (this.#holders.get(changes) ?? 0) - 1;
      if (others > 0) this.#holders.set(changes, others);
      else {
        this.#holders.delete(changes);
        this.#budget.add(-(changes?.bytes ?? 0));
      }
    }
  }

  #freeNumber(): string {
    while (this.#saved.has(String(this.#nextNumber))) this.#nextNumber += 1;
    return String(this.#nextNumber);
  }

  #ids(): string {
    return this.list().join(', ') || 'one that was taken before';
  }
}
