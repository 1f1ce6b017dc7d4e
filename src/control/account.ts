import type { Decisions } from '../billing/decisions.js';
import { type Bases, Store } from '../billing/store.js';
import type { RecordChecks } from '../dataset/record-checks.js';
import { type Clock, createClock } from './clock.js';
import { createRecords, type Records } from './records.js';

/** What a test arranges and inspects of one token's account. */
export interface AccountControl {
  readonly customers: Records<'customers'>;
  readonly contracts: Records<'contracts'>;
  readonly measurements: Records<'measurements'>;
  readonly events: Records<'events'>;
  /** Goes back to the records with which the account opened; costs what it has changed. */
  reset(): void;
}

/** Everything that one token has: its records, its time, and the decisions it is answered by. */
export class Account implements AccountControl {
  readonly store: Store;
  readonly clock: Clock = createClock();
  readonly decisions: Decisions;
  readonly #checks: RecordChecks;
  readonly #opened: ReturnType<Store['snapshot']>;

  /** Opens an account: a fork of the dataset, at no cost but its own changes. */
  constructor(bases: Bases, decisions: Decisions, checks: RecordChecks) {
    this.store = new Store(bases);
    this.decisions = decisions;
    this.#checks = checks;
    this.#opened = this.store.snapshot();
  }

  get customers(): Records<'customers'> {
    return createRecords('customers', this.store.customers, this.#checks, this.clock);
  }

  get contracts(): Records<'contracts'> {
    return createRecords('contracts', this.store.contracts, this.#checks, this.clock);
  }

  get measurements(): Records<'measurements'> {
    return createRecords('measurements', this.store.measurements, this.#checks, this.clock);
  }

  get events(): Records<'events'> {
    return createRecords('events', this.store.events, this.#checks, this.clock);
  }

  reset(): void {
    this.store.restore(this.#opened);
  }
}
