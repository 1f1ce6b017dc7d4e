import type { StateBudget } from '../billing/state-budget.js';
import { ProblemError } from '../errors/problems.js';
import { UnknownIdError } from '../errors/unknown-id.js';
import type { SavedParts } from './account.js';

const MOST_SNAPSHOTS = 100;

/** What a snapshot has of one collection: counted once, however many snapshots have it. */
type SavedChanges = SavedParts['store'][keyof SavedParts['store']];

/** The named snapshots of one account. */
export class Snapshots {
  readonly #budget: StateBudget;
  readonly #saved = new Map<string, SavedParts>();
  /** How many snapshots have the same changes. */
  readonly #holders = new Map<SavedChanges, number>();
  #nextNumber = 1;

  constructor(budget: StateBudget) {
    this.#budget = budget;
  }

  /** Keeps what was saved under the id, or under a number of its own; returns the id. */
  add(id: string | undefined, saved: SavedParts): string {
    const key = id ?? this.#freeNumber();
    if (!this.#saved.has(key) && this.#saved.size >= MOST_SNAPSHOTS) {
      throw new ProblemError(
        'conflict',
        `The account has ${MOST_SNAPSHOTS} snapshots, as many as it may; expected fewer. Drop one, or take this under the id of one.`,
      );
    }
    const replaced = this.#saved.get(key);
    this.#hold(saved);
    if (replaced) this.#release(replaced);
    this.#saved.set(key, saved);
    return key;
  }

  /** What was saved under the id. */
  get(id: string): SavedParts {
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

  /** Forgets what was saved under the id. */
  remove(id: string): void {
    this.#release(this.get(id));
    this.#saved.delete(id);
  }

  /** Forgets all. */
  clear(): void {
    for (const saved of this.#saved.values()) this.#release(saved);
    this.#saved.clear();
  }

  #hold({ store }: SavedParts): void {
    const held = Object.values<SavedChanges>(store);
    const others = held.filter((changes) => !this.#holders.has(changes));
    const bytes = others.reduce((sum, changes) => sum + (changes?.bytes ?? 0), 0);
    this.#budget.admit(bytes, 'this snapshot');
    this.#budget.add(bytes);
    for (const changes of held) this.#holders.set(changes, (this.#holders.get(changes) ?? 0) + 1);
  }

  #release({ store }: SavedParts): void {
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
    return this.list().join(', ') || 'one to be taken first';
  }
}
