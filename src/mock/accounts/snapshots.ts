import type { StoreChanges } from '../../core/billing/account-store.js';
import { RESOURCE_NAMES } from '../../core/billing/resources.js';
import type { DecisionState } from '../../core/decisions/switch-decisions.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { unknownSnapshot } from '../../core/errors/unknown-id.js';
import type { Kept } from '../../core/store/kept.js';
import type { StubsState } from '../../core/stubs/stubs.js';
import type { components } from '../../generated/control.js';
import type { ClockState } from './clock.js';
import type { FaultsState } from './faults.js';
import type { LatencyRange } from './latency.js';

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

interface Snapshot {
  readonly saved: SavedAccount;
  /** By `Date`, whatever the account's clock shows. */
  readonly takenAt: Date;
  /** Whether the account had changed since it opened. A snapshot of an unchanged one costs nothing. */
  readonly isOfChanges: boolean;
}

type Listed = components['schemas']['Snapshots']['snapshots'][number];

type Taken = ReadonlyMap<string, Snapshot>;

export class Snapshots {
  readonly #admit: (what: 'records' | 'snapshots', more: number) => void;
  #taken: Taken = new Map();
  #nextNumber = 1;
  /** How many changed records they hold. */
  records = 0;

  /** `admit` throws if so many more may not be kept. */
  constructor(admit: (what: 'records' | 'snapshots', more: number) => void) {
    this.#admit = admit;
  }

  /** How many there are of changes, without those of the page's undos. */
  get count(): number {
    return countIn(this.#taken);
  }

  /**
   * Stores a state under the id, or under a new number; returns the id. It does not count if the
   * account is as it opened.
   */
  add(id: string | undefined, saved: SavedAccount, opened: SavedAccount): string {
    const key = id ?? this.#freeNumber();
    if (key === OPENING) {
      throw new InvalidInputError('id', 'another id: this one is the state at opening', key);
    }
    const taken = new Map(this.#taken);
    const undos = [...taken.keys()].filter(isUndo);
    const isTooMany = isUndo(key) && !taken.has(key) && undos.length >= MAX_UNDOS;
    if (isTooMany) taken.delete(String(undos[0]));
    taken.set(key, { saved, takenAt: new Date(), isOfChanges: !areSame(saved, opened) });
    this.#admit('snapshots', countIn(taken) - this.count);
    this.#admit('records', recordsIn(taken) - this.records);
    this.#keep(taken);
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

  #keep(taken: Taken): void {
    this.#taken = taken;
    this.records = recordsIn(taken);
  }

  #freeNumber(): string {
    while (this.#taken.has(String(this.#nextNumber))) this.#nextNumber += 1;
    return String(this.#nextNumber);
  }
}

function countIn(taken: Taken): number {
  return [...taken].filter(([id, { isOfChanges }]) => isOfChanges && !isUndo(id)).length;
}

/** How many changed records snapshots hold; those that share the same changes hold them once. */
function recordsIn(taken: Taken): number {
  const held = [...taken.values()].flatMap(({ saved }) =>
    RESOURCE_NAMES.map((name) => saved.store[name]),
  );
  let records = 0;
  for (const changes of new Set(held)) if (changes) records += changes.count - changes.deletions;
  return records;
}

/** The states of an account's parts. When a part changes, its state is replaced by a new one. */
export function statesOf({ store, ...parts }: SavedAccount): unknown[] {
  return [...Object.values(store), ...Object.values(parts)];
}

/** Whether nothing has changed from one state to the other. */
export function areSame(one: SavedAccount, other: SavedAccount): boolean {
  const others = statesOf(other);
  return statesOf(one).every((state, at) => state === others[at]);
}
