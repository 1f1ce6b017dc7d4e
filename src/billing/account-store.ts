import type { Base, Indexes } from '../store/base.js';
import { type Changes, Collection } from '../store/collection.js';
import { hexHash } from '../store/hash.js';
import type { Steps } from '../store/steps.js';
import {
  type Contract,
  type Customer,
  type Measurement,
  RESOURCE_NAMES,
  type ResourceName,
  type Resources,
  type UsageEvent,
} from './resources.js';
import { StateBudget } from './state-budget.js';

/** The records of one dataset, which all its accounts share. */
export type Bases = { readonly [Name in ResourceName]: Base<Resources[Name]> } & {
  /** Names the dataset: the same fixture and seed have the same. Cursors are bound to it. */
  readonly fingerprint: string;
};

/** What an account has changed in each collection. */
export type StoreChanges = { readonly [Name in ResourceName]: Changes<Resources[Name]> };

/** The indexes that the operations look things up by. */
export const INDEXES: { readonly [Name in ResourceName]: Indexes<Resources[Name]> } = {
  customers: {
    name: ({ name }) => present(name),
    'folded name': ({ name }) => present(name).map(foldCase),
    'name or alias': ({ name, aliases = [] }) => [...present(name), ...aliases],
    externalId: ({ externalId }) => present(externalId),
  },
  contracts: {},
  measurements: {},
  events: { ref: ({ ref }) => present(ref) },
};

/** The text with upper and lower case made the same. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** The records that one account sees: its own fork of a dataset. */
export class Store {
  #bases: Bases;
  readonly #budget: StateBudget;
  readonly customers: Collection<Customer>;
  readonly contracts: Collection<Contract>;
  readonly measurements: Collection<Measurement>;
  readonly events: Collection<UsageEvent>;

  constructor(bases: Bases, budget: StateBudget) {
    this.#bases = bases;
    this.#budget = budget;
    this.customers = new Collection(bases.customers, budget);
    this.contracts = new Collection(bases.contracts, budget);
    this.measurements = new Collection(bases.measurements, budget);
    this.events = new Collection(bases.events, budget);
  }

  /** The dataset that the store is a fork of. */
  get bases(): Bases {
    return this.#bases;
  }

  /** Names the dataset that the store is a fork of. */
  get datasetFingerprint(): string {
    return this.#bases.fingerprint;
  }

  /** What the account's own changes take in bytes. */
  get bytes(): number {
    return RESOURCE_NAMES.reduce((bytes, name) => bytes + this[name].bytes, 0);
  }

  /** How many records there are in all, tombstones included. */
  get size(): number {
    return RESOURCE_NAMES.reduce((size, name) => size + this[name].size, 0);
  }

  /**
   * Makes a hash of all records and tombstones, 32 hexadecimal digits: the same records have the
   * same, whatever way they came about. Nothing may be changed while it is made.
   */
  *fingerprinting(): Steps<string> {
    const numbers: number[] = [];
    for (const name of ['customers', 'contracts', 'measurements', 'events'] as const) {
      numbers.push(...(yield* this[name].summing()));
    }
    return hexHash(32, ...numbers);
  }

  /** A store that stays as this one is now. */
  fork(): Store {
    const fork = new Store(this.#bases, new StateBudget());
    fork.restore(this.snapshot());
    return fork;
  }

  /** The account's own changes, safe against what comes later. */
  snapshot(): StoreChanges {
    return {
      customers: this.customers.snapshot(),
      contracts: this.contracts.snapshot(),
      measurements: this.measurements.snapshot(),
      events: this.events.snapshot(),
    };
  }

  /** Goes back to a snapshot of a store over the same dataset. */
  restore(saved: StoreChanges): void {
    this.customers.restore(saved.customers);
    this.contracts.restore(saved.contracts);
    this.measurements.restore(saved.measurements);
    this.events.restore(saved.events);
  }

  /** Has what another store over the same dataset has, if that is not too much. */
  replaceBy(other: Store): void {
    this.#budget.admit(other.bytes - this.bytes, 'this state');
    this.restore(other.snapshot());
  }

  /** Becomes a fork of another dataset, without any changes. */
  rebase(bases: Bases): void {
    this.#bases = bases;
    this.customers.rebase(bases.customers);
    this.contracts.rebase(bases.contracts);
    this.measurements.rebase(bases.measurements);
    this.events.rebase(bases.events);
  }
}

function present(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}
