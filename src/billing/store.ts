import type { Base, Indexes } from './base.js';
import type { Changes } from './changes.js';
import { Collection } from './collection.js';
import { hexHash } from './hash.js';
import type {
  Contract,
  Customer,
  Measurement,
  ResourceName,
  Resources,
  UsageEvent,
} from './resources.js';

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
  #fingerprint: string;
  readonly customers: Collection<Customer>;
  readonly contracts: Collection<Contract>;
  readonly measurements: Collection<Measurement>;
  readonly events: Collection<UsageEvent>;

  constructor(bases: Bases) {
    this.#fingerprint = bases.fingerprint;
    this.customers = new Collection(bases.customers);
    this.contracts = new Collection(bases.contracts);
    this.measurements = new Collection(bases.measurements);
    this.events = new Collection(bases.events);
  }

  /** Names the dataset that the store is a fork of. */
  get datasetFingerprint(): string {
    return this.#fingerprint;
  }

  /**
   * A hash of all records and tombstones, 32 hexadecimal digits: the same records have the same,
   * whatever way they came about.
   */
  fingerprint(): string {
    const { customers, contracts, measurements, events } = this;
    return hexHash(
      32,
      ...[customers, contracts, measurements, events].flatMap((records) => [...records.sum()]),
    );
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

  /** Becomes a fork of another dataset, without any changes. */
  rebase(bases: Bases): void {
    this.#fingerprint = bases.fingerprint;
    this.customers.rebase(bases.customers);
    this.contracts.rebase(bases.contracts);
    this.measurements.rebase(bases.measurements);
    this.events.rebase(bases.events);
  }
}

function present(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}
