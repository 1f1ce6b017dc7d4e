import type { ResourceName } from '../billing/resources.js';
import type { Coverage } from '../coverage/coverage.js';
import type { Fixture } from '../datasets/fixture/fixture.js';
import type { components } from '../generated/control.js';
import type { StubsControl } from '../stubs/stubs.js';
import type { DecisionsControl } from './account-decisions.js';
import type { AccountFixture, FixtureOptions } from './account-fixture.js';
import type { ClockControl } from './clock.js';
import type { FaultsControl } from './faults.js';
import type { Har } from './journal/har.js';
import type { JournalFilter, WaitOptions } from './journal/journal-filter.js';
import type { JournalRequest } from './journal/journal-request.js';
import type { LatencyControl } from './latency.js';
import type { Records } from './records.js';

/**
 * The records of an account in the format of fixtures.
 *
 * @example
 * const state: AccountState = account.exportState();
 * server.account('another-token').importState(state);
 */
export type AccountState = Pick<Fixture, ResourceName>;

/**
 * A record that differs from the dataset. A soft-deleted record is `updated`; a record that a
 * test removed leaves no trace.
 *
 * @example
 * const [change]: RecordChange[] = account.changes();
 * console.log(change?.collection, change?.id);
 */
export type RecordChange = components['schemas']['Changes']['changes'][number];

/**
 * The account of one token, for a test to arrange and inspect.
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
  /** Responses to calls that no operation handles. */
  readonly stubs: StubsControl;
  readonly latency: LatencyControl;
  readonly decisions: DecisionsControl;
  /** Which records differ from the dataset, by collection, in the order of their first changes. */
  changes(): RecordChange[];
  /** A hash of all records and tombstones: the same records have the same fingerprint. */
  fingerprint(): string;
  /** Which parts of the contract requests have touched, under its decisions; `reset` starts over. */
  coverage(): Coverage;
  /** Every record in the format of fixtures, tombstones included. */
  exportState(): AccountState;
  /** Replaces all records with the given ones; refuses a state with a mistake. */
  importState(state: AccountState): void;
  /**
   * The account as a fixture that the mock loads: its changes to its dataset, or with `whole` every
   * record. Invented texts replace names and anything that may be secret, except values that the
   * dataset also has; write the fixture to a file as JSON or YAML.
   */
  fixture(options?: FixtureOptions): AccountFixture;
  /**
   * Saves records, faults, stubs, clock, latency and decisions under the id, or under a new number;
   * returns the id. Leaves out the journal, which is the evidence.
   */
  snapshot(id?: string): string;
  /** Goes back to a snapshot, or with `opening` to the state that it opened with; the journal stays. */
  restore(id: string): void;
  /**
   * Goes back to the state that the account opens with, and applies the scenario of its dataset on
   * top; the journal stays. Throws an `UnknownIdError` if no scenario has this name.
   */
  scenario(name: string): void;
  /**
   * Puts back the records that a request and later ones have deleted, and returns how many of these
   * requests there were; the rest of the account stays. Refuses with a `ProblemError` to go past any
   * other change of the records, or past a deletion that the journal no longer has.
   */
  rewind(requestId: number): number;
  /** Restores the state that the account opened with, and clears the journal. */
  reset(): void;
  /**
   * Names the account in logs, lists and the page in place of its token, before `#` and its number: at
   * most 200 characters, without secrets. It keeps the name until it is closed.
   */
  setName(name: string): void;
  /** Marks its test as failed until the journal is cleared; keeps 2,000 characters, without secrets. */
  markFailed(message: string): void;
}

/**
 * The requests that an account received, for a test to inspect.
 *
 * @example
 * console.log(account.journal.count({ operationId: 'deleteContract' }));
 * console.log(account.journal.explain(1).join('\n'));
 */
export interface JournalControl {
  /** The requests that match the filter, oldest first. */
  list(filter?: JournalFilter): JournalRequest[];
  /** How many requests match the filter. */
  count(filter?: JournalFilter): number;
  /**
   * Waits until enough requests that match the filter were received and answered, and resolves to all
   * of them, oldest first. Rejects with a `ProblemError` when time runs out or the mock stops. Fake
   * timers do not affect it.
   */
  waitFor(filter?: JournalFilter, options?: WaitOptions): Promise<JournalRequest[]>;
  /** Explains a response in sentences. Throws an `UnknownIdError` if the request is not kept. */
  explain(id: number): string[];
  /**
   * The requests that match the filter and have ended, as an HTTP archive; with response bodies
   * if the server has the option `captureBodies`. Secrets are redacted.
   */
  toHar(filter?: JournalFilter): Har;
  /** How many older requests were dropped to make room. */
  readonly evicted: number;
  /** Drops all requests, and the mark of a failed test; returns how many requests there were. */
  clear(): number;
}
