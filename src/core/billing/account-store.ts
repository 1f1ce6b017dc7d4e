import { ProblemError } from '../errors/problem-error.js';
import { Base } from '../store/base.js';
import type { Changes } from '../store/changes.js';
import { Collection, type Undo } from '../store/collection.js';
import { hexHash } from '../store/hash.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from './resources.js';

/** The records of one dataset, which all its accounts share. */
export type Bases = { readonly [Name in ResourceName]: Base<Resources[Name]> } & {
  /** Identifies the dataset; the same for the same fixture and seed. Cursors are bound to it. */
  readonly fingerprint: string;
  /** The name of the fixture's file without its extension; `own` for a fixture without a file. */
  readonly name: string;
  /** How `extends` refers to it: the name of a shipped dataset, or the path of a fixture. */
  readonly source: string;
  /** The seed of the generated records. */
  readonly seed: number;
  /** True if its records may have null, and members that the document does not list. */
  readonly keepsUndocumented: boolean;
};

/** The dataset, and what was changed of it. */
export type StoreChanges = { readonly bases: Bases } & {
  readonly [Name in ResourceName]: Changes<Resources[Name]> | undefined;
};

export type Collections = { readonly [Name in ResourceName]: Collection<Resources[Name]> };

/** What undoes the changes of one operation, and how many records it changed. */
export type StoreUndo = { readonly count: number } & {
  readonly [Name in ResourceName]?: Undo<Resources[Name]>;
};

/** The records that one account sees: its own fork of a dataset. */
export class AccountStore implements Collections {
  readonly customers: Collections['customers'];
  readonly contracts: Collections['contracts'];
  readonly measurements: Collections['measurements'];
  readonly events: Collections['events'];
  bases: Bases;

  constructor(bases: Bases) {
    this.bases = bases;
    this.customers = new Collection(bases.customers);
    this.contracts = new Collection(bases.contracts);
    this.measurements = new Collection(bases.measurements);
    this.events = new Collection(bases.events);
  }

  /** Whether the dataset has a record with this id that was removed from the account. */
  isRemoved(name: ResourceName, id: string): boolean {
    return this.bases[name].get(id) !== undefined && this[name].get(id) === undefined;
  }

  get changeCount(): number {
    return RESOURCE_NAMES.reduce((count, name) => count + this[name].changeCount, 0);
  }

  /** How many of the changes are deletions, as the service makes them. */
  get deletions(): number {
    return RESOURCE_NAMES.reduce((count, name) => count + this[name].deletions, 0);
  }

  /** How many records there are in all, including tombstones. */
  get size(): number {
    return RESOURCE_NAMES.reduce((size, name) => size + this[name].size, 0);
  }

  /** How many records each collection has, including tombstones. */
  get sizes(): Record<ResourceName, number> {
    const sizes = RESOURCE_NAMES.map((name) => [name, this[name].size]);
    return Object.fromEntries(sizes) as Record<ResourceName, number>;
  }

  /** Stores the records of a scenario, which are already checked and complete. */
  putAll(records: { readonly [Name in ResourceName]?: readonly object[] }): void {
    for (const name of RESOURCE_NAMES)
      for (const record of records[name] ?? []) this[name].put(record as never);
  }

  /**
   * Computes a hash of all records and tombstones, 32 hexadecimal digits: the same records have the
   * same hash, however they were created.
   */
  fingerprint(): string {
    return hexHash(32, ...RESOURCE_NAMES.flatMap((name) => this[name].sum));
  }

  /** A copy that stays unchanged when this one changes. */
  fork(): AccountStore {
    const fork = new AccountStore(this.bases);
    fork.restore(this.snapshot());
    return fork;
  }

  /** A copy of its changes, which later ones do not affect. */
  snapshot(): StoreChanges {
    return {
      bases: this.bases,
      customers: this.customers.snapshot(),
      contracts: this.contracts.snapshot(),
      measurements: this.measurements.snapshot(),
      events: this.events.snapshot(),
    };
  }

  /** Goes back to a snapshot of a store, and to its dataset. */
  restore(saved: StoreChanges): void {
    this.rebase(saved.bases);
    this.customers.restore(saved.customers);
    this.contracts.restore(saved.contracts);
    this.measurements.restore(saved.measurements);
    this.events.restore(saved.events);
  }

  /**
   * Returns the result of an operation, and what undoes its changes, if it made any. If it throws,
   * they are undone.
   */
  recording<Result>(operation: () => Result) {
    for (const name of RESOURCE_NAMES) this[name].startRecording();
    try {
      return { result: operation(), undo: this.#stopRecording() };
    } catch (error) {
      this.undo([this.#stopRecording() ?? { count: 0 }]);
      throw error;
    }
  }

  #stopRecording(): StoreUndo | undefined {
    const undos = RESOURCE_NAMES.map((name) => [name, this[name].stopRecording()] as const);
    if (!undos.some(([, undo]) => undo)) return undefined;
    const count = undos.reduce((sum, [, undo]) => sum + (undo?.count ?? 0), 0);
    return { count, ...Object.fromEntries(undos) };
  }

  /** Undoes operations since which nothing else has changed it, the latest first. */
  undo(operations: readonly StoreUndo[]): void {
    for (const operation of operations) {
      for (const name of RESOURCE_NAMES) {
        const undo = operation[name];
        if (undo) this[name].undo(undo as never);
      }
    }
  }

  /** Becomes a fork of another dataset, without any changes. */
  rebase(bases: Bases): void {
    this.bases = bases;
    this.customers.rebase(bases.customers);
    this.contracts.rebase(bases.contracts);
    this.measurements.rebase(bases.measurements);
    this.events.rebase(bases.events);
  }

  /** Drops all records of a closed account. Using them throws, so that no write is lost silently. */
  end(): void {
    this.rebase(CLOSED_BASES);
  }
}

const CLOSED_BASES: Bases = {
  name: 'closed',
  source: 'closed',
  fingerprint: 'closed',
  seed: 0,
  keepsUndocumented: false,
  customers: new Base<Resources['customers']>({}, refuse),
  contracts: new Base<Resources['contracts']>({}, refuse),
  measurements: new Base<Resources['measurements']>({}, refuse),
  events: new Base<Resources['events']>({}, refuse),
};

function refuse(): never {
  throw new ProblemError(
    'conflict',
    'The account was closed; expected an open one. Call server.account(token) again.',
  );
}
