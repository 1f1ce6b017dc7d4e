import type { ResourceName } from '../../core/billing/resources.js';
import type { Fixture } from '../../core/datasets/fixture/fixture.js';
import type { StubsControl } from '../../core/stubs/stubs.js';
import type { components } from '../../generated/control.js';
import type { DecisionsControl } from './account-decisions.js';
import type { AccountFixture, FixtureOptions } from './account-fixture.js';
import type { TestOutcome } from './account-name.js';
import type { ClockControl } from './clock.js';
import type { FaultsControl } from './faults.js';
import type { JournalControl } from './journal/journal.js';
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
 * A record that was added, updated or removed. A soft-deleted record of the dataset is `updated`; a
 * `removed` one has no tombstone.
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
  /**
   * The changed records by collection, in the order in which they were first changed. If an import
   * kept only a few records of a collection, all imported records of that collection are listed
   * instead.
   */
  changes(): RecordChange[];
  /** A hash of all records and tombstones: equal records have equal fingerprints. */
  fingerprint(): string;
  /** Every record in the format of fixtures, tombstones included. */
  exportState(): AccountState;
  /**
   * Replaces all records with the given ones. With what `fixture` saved, replaces all that the
   * account has changed, and the dataset too: `{ extends: 'empty' }` gives it the records of `empty`
   * until a reset. The dataset must be the account's own or one of the package. `demo` and `large`
   * take a server that has generated a dataset already, or the remote control, which waits. Throws an
   * `InvalidInputError` if anything is wrong, and then changes nothing.
   */
  importState(state: AccountState | AccountFixture): void;
  /**
   * The account as a fixture: its changes to the dataset, or every record with `whole`, and its
   * faults, stubs, clock, latency and decisions as the scenario that accounts open in. Invented texts
   * replace names and possible secrets of records; without `whole`, texts that the dataset has for
   * the same records, and its customers' names, stay. Write it to a file as JSON or YAML.
   */
  fixture(options?: FixtureOptions): AccountFixture;
  /**
   * Saves records, faults, stubs, clock, latency and decisions under the id, or under a new number;
   * returns the id. Does not save the journal. Replaces an earlier snapshot with the same id.
   */
  snapshot(id?: string): string;
  /**
   * Restores a snapshot; `opening` is the state that the account opened with. Keeps the journal.
   * Throws an `UnknownIdError` if no snapshot has this id.
   */
  restore(id: string): void;
  /**
   * Restores the state before any scenario, then applies a scenario of its dataset. Keeps the
   * journal. Throws an `UnknownIdError` if no scenario has this name.
   */
  scenario(name: string): void;
  /**
   * Puts back the records that this request and all later ones deleted, and returns how many
   * requests had deleted any. The rest of the account stays as it is. Refuses with a `ProblemError`
   * to go past any other change of the records, or past a deletion that the journal no longer has.
   */
  rewind(requestId: number): number;
  /** Restores the state that the account opened with, and clears the journal. */
  reset(): void;
  /**
   * Names the account in logs, lists and the page, in place of its token. The name has at most 200
   * characters, and lasts until the account is closed. The account's own token and declared tokens
   * are redacted.
   */
  setName(name: string): void;
  /**
   * Notes how the account's test ended, in place of an earlier outcome. Keeps at most 2,000
   * characters of the message; the account's own token and declared tokens are redacted. `reset`
   * forgets it.
   */
  markTest(outcome: TestOutcome): void;
}
