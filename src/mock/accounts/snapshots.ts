import type { StoreChanges } from '../../core/billing/account-store.js';
import type { DecisionState } from '../../core/decisions/switch-decisions.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import { unknownSnapshot } from '../../core/errors/unknown-id.js';
import { bytesOf } from '../../core/store/bytes-of.js';
import type { Budget, Kept } from '../../core/store/kept.js';
import type { StubsState } from '../../core/stubs/stubs.js';
import type { components } from '../../generated/control.js';
import type { ClockState } from './clock.js';
import type { FaultsState } from './faults.js';
import type { LatencyRange } from './latency.js';

const MOST_SNAPSHOTS = 100;

/**
 * The id of the state that the account opened with, which exists without being saved, and the name
 * of the scenario that it opens in unless another is asked for.
 */
export const OPENING = 'opening';

/** The prefix of the page's undo snapshots, which are not listed and displace nothing else. */
const UNDO_PREFIX = 'page-undo-';

const isUndo = (id: string) => id.startsWith(UNDO_PREFIX);

/** Only the latest are kept, because a closed tab leaves its snapshots behind. */
const MOST_UNDOS = 20;

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

interface Snapshot {
  readonly saved: SavedAccount;
  /** By `Date`, whatever the account's clock shows. */
  readonly takenAt: Date;
}

type Listed = components['schemas']['Snapshots']['snapshots'][number];

export class Snapshots {
  readonly #budget: Budget;
  #taken: ReadonlyMap<string, Snapshot> = new Map();
  #nextNumber = 1;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Stores a state under the id, or under a new number; returns the id. */
  add(id: string | undefined, saved: SavedAccount): string {
    const key = id ?? this.#freeNumber();
    if (key === OPENING) {
      throw new InvalidInputError('id', 'another id: this one is the state at opening', key);
    }
    if (!this.#taken.has(key) && !isUndo(key) && this.#ids().length >= MOST_SNAPSHOTS) {
      throw new ProblemError(
        'conflict',
        `The account already has ${MOST_SNAPSHOTS} snapshots, the most allowed. Drop a snapshot, or replace one by reusing its id.`,
      );
    }
    const others = new Map(this.#taken);
    const undos = [...others.keys()].filter(isUndo);
    const isTooMany = isUndo(key) && !others.has(key) && undos.length >= MOST_UNDOS;
    if (isTooMany) others.delete(String(undos[0]));
    this.#keep(others.set(key, { saved, takenAt: new Date() }), isUndo(key));
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

  #keep(taken: ReadonlyMap<string, Snapshot>, isSpare = false): void {
    const [had, has] = [statesIn(this.#taken), statesIn(taken)];
    const growth = bytesBeside(had, has) - bytesBeside(has, had);
    this.#budget.admit(growth, 'this snapshot', isSpare);
    this.#budget.add(growth);
    this.#taken = taken;
  }

  #freeNumber(): string {
    while (this.#taken.has(String(this.#nextNumber))) this.#nextNumber += 1;
    return String(this.#nextNumber);
  }
}

/** The states of an account's parts; each is another as soon as its part changes. */
export function statesOf({ store, ...parts }: SavedAccount): unknown[] {
  return [...Object.values(store), ...Object.values(parts)];
}

/** A state that several snapshots share counts once. */
function statesIn(taken: ReadonlyMap<string, Snapshot>): ReadonlySet<unknown> {
  const states = [...taken.values()].flatMap(({ saved }) => statesOf(saved));
  return new Set([...taken.keys(), ...states]);
}

/** The bytes of the states that are not among `others`. */
function bytesBeside(others: ReadonlySet<unknown>, states: ReadonlySet<unknown>): number {
  let bytes = 0;
  for (const state of states) {
    if (!others.has(state)) bytes += bytesOf(state);
  }
  return bytes;
}
