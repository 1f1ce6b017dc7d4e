import type { StoreChanges } from '../../core/billing/account-store.js';
import { RESOURCE_NAMES } from '../../core/billing/resources.js';
import type { DecisionState } from '../../core/decisions/switch-decisions.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { unknownSnapshot } from '../../core/errors/unknown-id.js';
import { type Kept, totalWeight } from '../../core/store/kept.js';
import { type Quota, weightOf } from '../../core/store/quota.js';
import type { StubsState } from '../../core/stubs/stubs.js';
import type { components } from '../../generated/control.js';
import type { ClockState } from './clock.js';
import type { FaultsState } from './faults.js';
import type { LatencyRange } from './latency.js';

const MAX_SNAPSHOTS = 100;

/**
 * The id of the state that the account opened with, which exists without being saved, and the name
 * of the scenario that it opens in unless another is asked for.
 */
export const OPENING = 'opening';

/** The prefix of the page's undo snapshots, which are not listed and displace nothing else. */
const UNDO_PREFIX = 'page-undo-';

const isUndo = (id: string) => id.startsWith(UNDO_PREFIX);

/** Only the latest are kept, because a closed tab leaves its snapshots behind. */
const MAX_UNDOS = 20;

/** The state of an account as a snapshot saves it; later changes do not affect it. */
export interface SavedAccount {
  readonly store: StoreChanges;
  readonly faults: FaultsState;
  readonly clock: ClockState;
  readonly stubs: StubsState;
  readonly latency: LatencyRange;
  readonly decisions: DecisionState;
}

/** The parts of an account that a snapshot saves besides its records. */
export type KeptParts = {
  readonly [Name in Exclude<keyof SavedAccount, 'store'>]: Kept<SavedAccount[Name]>;
};

const IS_KEPT: Readonly<Record<keyof KeptParts, true>> = {
  faults: true,
  clock: true,
  stubs: true,
  latency: true,
  decisions: true,
};

/** The names of these parts; `IS_KEPT` does not compile if one is missing. */
export const KEPT_PARTS = Object.keys(IS_KEPT) as readonly (keyof KeptParts)[];

class Snapshot {
  readonly saved: SavedAccount;
  /** By `Date`, whatever the account's clock shows. */
  readonly takenAt = new Date();
  #before: SavedAccount | undefined;
  #weight: number | undefined;

  constructor(saved: SavedAccount) {
    this.saved = saved;
  }

  /**
   * How much it counts towards the quota after another snapshot. Cached until the snapshot before
   * it is a different one.
   */
  weightAfter(before: SavedAccount | undefined): number {
    if (this.#weight === undefined || before !== this.#before) {
      this.#weight = weightBeside(before, this.saved);
      this.#before = before;
    }
    return this.#weight;
  }
}

type Listed = components['schemas']['Snapshots']['snapshots'][number];

export class Snapshots {
  readonly #quota: Quota;
  #taken: ReadonlyMap<string, Snapshot> = new Map();
  #weight = 0;
  #nextNumber = 1;

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  /** Stores a state under the id, or under a new number; returns the id. */
  add(id: string | undefined, saved: SavedAccount): string {
    const key = id ?? this.#freeNumber();
    if (key === OPENING) {
      throw new InvalidInputError('id', 'another id: this one is the state at opening', key);
    }
    if (!this.#taken.has(key) && !isUndo(key) && this.#ids().length >= MAX_SNAPSHOTS) {
      throw new ProblemError(
        'conflict',
        `The account already has ${MAX_SNAPSHOTS} snapshots, which is the maximum. Drop a snapshot, or replace one by reusing its id.`,
      );
    }
    const others = new Map(this.#taken);
    const undos = [...others.keys()].filter(isUndo);
    const isTooMany = isUndo(key) && !others.has(key) && undos.length >= MAX_UNDOS;
    if (isTooMany) others.delete(String(undos[0]));
    this.#keep(others.set(key, new Snapshot(saved)));
    return key;
  }

  get(id: string): SavedAccount {
    return this.#known(id).saved;
  }

  /** In the order in which their ids were first used, without those of the page's undos. */
  list(): Listed[] {
    return this.#ids().map((id) => ({ id, takenAt: this.#known(id).takenAt.toISOString() }));
  }

  remove(id: string): void {
    this.#known(id);
    this.#keep(new Map([...this.#taken].filter(([key]) => key !== id)));
  }

  clear(): void {
    this.#keep(new Map());
  }

  #known(id: string): Snapshot {
    const taken = this.#taken.get(id);
    if (taken) return taken;
    throw unknownSnapshot(id, this.#ids());
  }

  #ids(): string[] {
    return [...this.#taken.keys()].filter((id) => !isUndo(id));
  }

  #keep(taken: ReadonlyMap<string, Snapshot>): void {
    let weight = 0;
    let before: SavedAccount | undefined;
    for (const snapshot of taken.values()) {
      weight += snapshot.weightAfter(before);
      before = snapshot.saved;
    }
    this.#quota.admit(weight - this.#weight, 'this snapshot');
    this.#quota.add(weight - this.#weight);
    this.#weight = weight;
    this.#taken = taken;
  }

  #freeNumber(): string {
    while (this.#taken.has(String(this.#nextNumber))) this.#nextNumber += 1;
    return String(this.#nextNumber);
  }
}

/** The states of an account's parts. When a part changes, its state is replaced by a new one. */
export function statesOf({ store, ...parts }: SavedAccount): unknown[] {
  return [...Object.values(store), ...Object.values(parts)];
}

/** Entries of a list that a snapshot copies take as much as one record. */
const ENTRIES_PER_WEIGHT = 16;

/** What a snapshot counts: itself, its lists, and what the snapshot before it does not hold. */
function weightBeside(before: SavedAccount | undefined, saved: SavedAccount): number {
  const listed = new Set<unknown>(before && [...before.faults.entries, ...before.stubs.entries]);
  const entries = [...saved.faults.entries, ...saved.stubs.entries];
  let weight = 1 + totalWeight(entries.filter((entry) => !listed.has(entry)));
  let copied = entries.length;
  for (const name of RESOURCE_NAMES) {
    const [earlier, changes] = [before?.store[name], saved.store[name]];
    if (!changes || changes === earlier) continue;
    copied += changes.count;
    weight += totalWeight(changes.beside(earlier as never));
  }
  if (before?.decisions !== saved.decisions) weight += weightOf(saved.decisions);
  return weight + Math.floor(copied / ENTRIES_PER_WEIGHT);
}
