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
export interface Account extends AccountControl {
  readonly store: Store;
  readonly clock: Clock;
  readonly decisions: Decisions;
}

/** Opens an account: a fork of the dataset, at no cost but its own changes. */
export function createAccount(bases: Bases, decisions: Decisions, checks: RecordChecks): Account {
  const store = new Store(bases);
  const clock = createClock();
  const opened = store.snapshot();
  return {
    store,
    clock,
    decisions,
    customers: createRecords('customers', store.customers, checks, clock),
    contracts: createRecords('contracts', store.contracts, checks, clock),
    measurements: createRecords('measurements', store.measurements, checks, clock),
    events: createRecords('events', store.events, checks, clock),
    reset: () => store.restore(opened),
  };
}
