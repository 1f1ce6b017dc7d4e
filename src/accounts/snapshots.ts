import { RESOURCE_NAMES } from '../billing/resources.js';
import type { StateBudget } from '../billing/state-budget.js';
import { ProblemError } from '../errors/problem-error.js';
import { UnknownIdError } from '../errors/unknown-id.js';
import type { SavedParts } from './account.js';

const MOST_SNAPSHOTS = 100;

/** The named snapshots of one account. */
export class Snapshots {
  readonly #budget: StateBudget;
  #saved: ReadonlyMap<string, SavedParts> = new Map();
  #bytes = 0;
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
    this.#keep(new Map(this.#saved).set(key, saved));
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
    this.#keep(new Map([...this.#saved].filter(([key]) => key !== id)));
  }

  /** Forgets all. */
  clear(): void {
    this.#keep(new Map());
  }

  #keep(saved: ReadonlyMap<string, SavedParts>): void {
    const bytes = bytesOf(saved);
    this.#budget.admit(bytes - this.#bytes, 'this snapshot');
    this.#budget.add(bytes - this.#bytes);
    this.#saved = saved;
    this.#bytes = bytes;
  }

  #freeNumber(): string {
    while (this.#saved.has(String(this.#nextNumber))) this.#nextNumber += 1;
    return String(this.#nextNumber);
  }

  #ids(): string {
    return this.list().join(', ') || 'one to be taken first';
  }
}

/** What the snapshots take; what several have alike is counted once. */
function bytesOf(saved: ReadonlyMap<string, SavedParts>): number {
  const counted = new Set<object>();
  let bytes = 0;
  for (const { store } of saved.values()) {
    for (const name of RESOURCE_NAMES) {
      const changes = store[name];
      if (!changes || counted.has(changes)) continue;
      counted.add(changes);
      bytes += changes.bytes;
    }
  }
  return bytes;
}
