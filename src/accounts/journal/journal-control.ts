import type { Har } from './har.js';
import type { JournalFilter } from './journal-filter.js';
import type { JournalRequest } from './journal-request.js';

/**
 * The requests that an account received, as a test inspects them.
 *
 * @example
 * console.log(account.journal.count({ operationId: 'deleteContract' }));
 * console.log(account.journal.explain(1).join('\n'));
 */
export interface JournalControl {
  /** The requests that match the filter, the oldest first. */
  list(filter?: JournalFilter): JournalRequest[];
  /** How many requests match the filter. */
  count(filter?: JournalFilter): number;
  /** Why the request got its answer, in sentences. Throws an `UnknownIdError` if it is not kept. */
  explain(id: number): string[];
  /**
   * The requests that match the filter and have ended, as an HTTP archive; with the bodies of answers
   * if the server has the option `captureBodies`. Secrets are redacted.
   */
  toHar(filter?: JournalFilter): Har;
  /** How many older requests were dropped to make room. */
  readonly evicted: number;
  /** Drops all requests; returns how many there were. */
  clear(): number;
}
