import type { StubsControl } from '../stubs/stubs.js';
import type { DecisionsControl } from './account-decisions.js';
import type { ClockControl } from './clock.js';
import type { AccountState } from './export-state.js';
import type { FaultsControl } from './faults.js';
import type { JournalControl } from './journal/journal-control.js';
import type { LatencyControl } from './latency.js';
import type { Records } from './records.js';

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
  /** Answers to calls that no operation answers. */
  readonly stubs: StubsControl;
  readonly latency: LatencyControl;
  readonly decisions: DecisionsControl;
  /** A hash of all records and tombstones: the same records have the same fingerprint. */
  fingerprint(): string;
  /** Every record in the format of fixtures, tombstones included. */
  exportState(): AccountState;
  /** Replaces all records by these; refuses a state with any mistake. */
  importState(state: AccountState): void;
  /**
   * Saves records, faults, stubs, clock, latency and decisions under the id, or under a new number;
   * returns the id. Not the journal, which is the evidence.
   */
  snapshot(id?: string): string;
  /** Goes back to a snapshot; the journal stays. */
  restore(id: string): void;
  /** Goes back to what the account opened with, the journal too; costs only what was changed. */
  reset(): void;
}
