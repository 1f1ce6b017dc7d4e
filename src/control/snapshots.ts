import { ProblemError } from '../billing/problems.js';
import type { SavedParts } from './account.js';
import { UnknownIdError } from './unknown-id.js';

const MOST_SNAPSHOTS = 100;

/** The named snapshots of one account. */
export class Snapshots {
  readonly #saved = new Map<string, SavedParts>();
  #nextNumber = 1;

  /** Keeps what was saved under the id, or under a number of its own; returns the id. */
  add(id: string | undefined, saved: SavedParts): string {
    const key = id ?? this.#freeNumber();
    if (!this.#saved.has(key) && this.#saved.size >= MOST_SNAPSHOTS) {
      throw new ProblemError(
        'conflict',
        `The account has ${MOST_SNAPSHOTS} snapshots, as many as it may; expected fewer. Drop one, or take this under the id of one.`,
      );
    }
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
    this.get(id);
    this.#saved.delete(id);
  }

  /** Forgets all. */
  clear(): void {
    this.#saved.clear();
  }

  #freeNumber(): string {
    while (this.#saved.has(String(this.#nextNumber))) this.#nextNumber += 1;
    return String(this.#nextNumber);
  }

  #ids(): string {
    return this.list().join(', ') || 'one to be taken first';
  }
}
