import type { StoreChanges } from '../billing/account-store.js';
import { RESOURCE_NAMES } from '../billing/resources.js';
import type { DecisionState } from '../decisions/decision-changes.js';
import { ProblemError } from '../errors/problem-error.js';
import { unknownSnapshot } from '../errors/unknown-id.js';
import type { StubsState } from '../stubs/stubs.js';
import type { ClockState } from './clock.js';
import type { FaultsState } from './faults.js';
import type { LatencyRange } from './latency.js';
import type { StateBudget } from './state-budget.js';

const MOST_SNAPSHOTS = 100;

/** What a snapshot saves of an account, safe against later changes. */
export interface SavedAccount {
  readonly store: StoreChanges;
  readonly faults: FaultsState;
  readonly clock: ClockState;
  readonly stubs: StubsState;
  readonly latency: LatencyRange;
  readonly decisions: DecisionState;
}

/** The named snapshots of one account. */
export class Snapshots {
  readonly #budget: StateBudget;
  #saved: ReadonlyMap<string, SavedAccount> = new Map();
  #bytes = 0;
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
        `The account already has ${MOST_SNAPSHOTS} snapshots; expected at most ${MOST_SNAPSHOTS}. Drop a snapshot, or replace one by reusing its id.`,
      );
    }
    this.#keep(new Map(this.#saved).set(key, saved));
    return key;
  }

  /** What was saved under the id. */
  get(id: string): SavedAccount {
    const saved = this.#saved.get(id);
    if (saved) return saved;
    throw unknownSnapshot(id, this.list());
  }

  /** The ids, in the order in which the snapshots were taken. */
  list(): string[] {
    return [...this.#saved.keys()];
  }

  /** Drops the snapshot with the id. */
  remove(id: string): void {
    this.get(id);
    this.#keep(new Map([...this.#saved].filter(([key]) => key !== id)));
  }

  /** Drops all. */
  clear(): void {
    this.#keep(new Map());
  }

  #keep(saved: ReadonlyMap<string, SavedAccount>): void {
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
}

/** What the snapshots take; changes and stubs that several hold are counted once. */
function bytesOf(saved: ReadonlyMap<string, SavedAccount>): number {
  const counted = new Set<object>();
  let bytes = 0;
  for (const { store, stubs, faults } of saved.values()) {
    for (const changes of [...RESOURCE_NAMES.map((name) => store[name]), stubs, faults]) {
      if (!changes || counted.has(changes)) continue;
      counted.add(changes);
      bytes += changes.bytes ?? 0;
    }
  }
  return bytes;
}
