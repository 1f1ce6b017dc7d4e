import { type Bases, Store, type StoreChanges } from '../billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName } from '../billing/resources.js';
import type { StateBudget } from '../billing/state-budget.js';
import type { RecordChecks } from '../datasets/fixture/record-checks.js';
import type { Decisions } from '../decisions/ledger.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { finish, type Steps } from '../store/steps.js';
import { AccountDecisions, type DecisionsControl } from './account-decisions.js';
import { Clock, type ClockControl } from './clock.js';
import { CLOSED_BASES } from './closed-bases.js';
import { Faults, type FaultsControl } from './faults.js';
import { Journal, type JournalControl } from './journal/journal.js';
import type { JournalBudget } from './journal/journal-budget.js';
import { createRecords, type Records } from './records.js';
import { Snapshots } from './snapshots.js';
import { type AccountState, exportState, importingState } from './state.js';

/**
 * What a test arranges and inspects of one token's account.
 *
 * @example
 * const account: AccountControl = server.account('my-token');
 * account.customers.put({ id: 'c1', name: 'Initech' });
 * const before = account.snapshot();
 * account.customers.remove('c1');
 * account.restore(before);
 */
export interface AccountControl {
  readonly customers: Records<'customers'>;
  readonly contracts: Records<'contracts'>;
  readonly measurements: Records<'measurements'>;
  readonly events: Records<'events'>;
  readonly journal: JournalControl;
  readonly faults: FaultsControl;
  readonly clock: ClockControl;
  readonly decisions: DecisionsControl;
  /** A hash of all records and tombstones: the same records have the same fingerprint. */
  fingerprint(): string;
  /** Every record in the format of fixtures, tombstones included. */
  exportState(): AccountState;
  /** Puts these records in the place of all that there are; refuses a state with any mistake. */
  importState(state: AccountState): void;
  /**
   * Keeps records, faults, clock and decisions as they are, under the id or a number of its own;
   * returns the id. Not the journal, which is the evidence.
   */
  snapshot(id?: string): string;
  /** Goes back to a snapshot; the journal stays. */
  restore(id: string): void;
  /** Goes back to what the account opened with, the journal too; costs what it has changed. */
  reset(): void;
}

/** What an account is made from, beside its dataset. */
export interface AccountParts {
  readonly decisions: Decisions;
  readonly checks: RecordChecks;
  /** How many requests its journal keeps. */
  readonly journalSize: number;
  readonly journalBudget: JournalBudget;
  readonly stateBudget: StateBudget;
}

/** The parts that a named snapshot keeps; `reset` brings back the journal as well. */
const SNAPSHOT_PARTS = ['store', 'faults', 'clock', 'decisions'] as const;
const ALL_PARTS = [...SNAPSHOT_PARTS, 'journal'] as const;

/** A copy of some parts of an account, safe against what comes later. */
export type SavedParts = { readonly [Part in (typeof ALL_PARTS)[number]]?: unknown } & {
  readonly store: StoreChanges;
};

/** Everything that one token has: its records, its time, its evidence, and how it is answered. */
export class Account implements AccountControl {
  readonly store: Store;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock = new Clock();
  readonly decisions: AccountDecisions;
  readonly snapshots: Snapshots;
  readonly #checks: RecordChecks;
  #opened: SavedParts;
  #generation = 0;

  /** Opens an account: a fork of the dataset, at no cost but its own changes. */
  constructor(bases: Bases, parts: AccountParts) {
    this.store = new Store(bases, parts.stateBudget);
    this.snapshots = new Snapshots(parts.stateBudget);
    this.journal = new Journal(parts.journalSize, parts.journalBudget, parts.checks);
    this.faults = new Faults(parts.checks);
    this.decisions = new AccountDecisions(parts.decisions);
    this.#checks = parts.checks;
    this.#opened = this.#save(ALL_PARTS);
  }

  get customers(): Records<'customers'> {
    return this.records('customers');
  }

  get contracts(): Records<'contracts'> {
    return this.records('contracts');
  }

  get measurements(): Records<'measurements'> {
    return this.records('measurements');
  }

  get events(): Records<'events'> {
    return this.records('events');
  }

  /** Another number after every reset, restoring and closing: what began before must not act. */
  get generation(): number {
    return this.#generation;
  }

  /** The door to the records of one collection. */
  records<Name extends ResourceName>(name: Name): Records<Name> {
    return createRecords(name, this.store[name] as never, this.#checks, this.clock);
  }

  fingerprint(): string {
    return finish(this.store.fingerprinting());
  }

  exportState(): AccountState {
    return exportState(this.store);
  }

  importState(state: AccountState): void {
    finish(this.importing(state));
  }

  /** The same in steps; nothing is changed before the last. */
  importing(state: AccountState): Steps<void> {
    return importingState(this.store, state, this.#checks);
  }

  snapshot(id?: string): string {
    const mistakes = this.#checks.value('SnapshotRequest', id === undefined ? {} : { id });
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    return this.snapshots.add(id, this.#save(SNAPSHOT_PARTS));
  }

  restore(id: string): void {
    this.#bringBack(this.snapshots.get(id));
  }

  reset(): void {
    this.#bringBack(this.#opened);
  }

  /** Becomes a fork of another dataset, or under other decisions, as if it had just been opened. */
  rebase(bases: Bases, decisions: Decisions): void {
    this.#opened = { ...this.#opened, decisions };
    this.reset();
    this.snapshots.clear();
    this.store.rebase(bases);
  }

  /** Forgets everything; whoever still holds the account is refused from now on. */
  close(): void {
    this.#generation += 1;
    this.journal.clear();
    this.snapshots.clear();
    this.store.rebase(CLOSED_BASES);
  }

  #save(parts: readonly (keyof SavedParts)[]): SavedParts {
    return Object.fromEntries(parts.map((part) => [part, this[part].snapshot()])) as SavedParts;
  }

  #bringBack(saved: SavedParts): void {
    this.#generation += 1;
    for (const [part, state] of Object.entries(saved)) {
      const { restore } = this[part as keyof SavedParts];
      restore.call(this[part as keyof SavedParts] as never, state as never);
    }
  }
}

/** How many records of each kind there are, tombstones included. */
export function sizesOf(store: Store): Record<ResourceName, number> {
  return Object.fromEntries(RESOURCE_NAMES.map((name) => [name, store[name].size])) as Record<
    ResourceName,
    number
  >;
}
