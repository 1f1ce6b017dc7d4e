import type { RecordChecks } from '../../../core/datasets/fixture/schema-checks.js';
import { InvalidInputError } from '../../../core/errors/invalid-input.js';
import { ProblemError } from '../../../core/errors/problem-error.js';
import { count as counted } from '../../../core/values/plural.js';
import { shown } from '../../../core/values/received-value.js';
import type { JournalFilter } from './journal-filter.js';

/**
 * How many requests to wait for, and how long.
 *
 * @example
 * const options: WaitOptions = { count: 2, timeoutMs: 5_000 };
 */
export interface WaitOptions {
  /** At least this many; 1 if left out. */
  readonly count?: number | undefined;
  /** At most this many milliseconds of real time; 1,000 if left out. */
  readonly timeoutMs?: number | undefined;
}

interface Waiting<Found> {
  readonly checks: RecordChecks;
  readonly after: (delayMs: number, act: () => void) => () => void;
  readonly signal: AbortSignal | undefined;
  /** The matching requests that have ended. */
  readonly ended: () => readonly Found[];
  /** How many requests the journal has. */
  readonly size: () => number;
  /**
   * From now on, calls `note` when a request is received or has ended, and `end` when there will be
   * no more; returns a function that stops this.
   */
  readonly follow: (note: () => void, end: () => void) => () => void;
}

/**
 * Waits for matching requests to end. Rejects with an `InvalidInputError` for wrong options, with a
 * `ProblemError` if too few have ended when the wait ends, and with the signal's reason if it
 * aborts.
 */
export async function waitForEnded<Found>(
  filter: JournalFilter,
  options: WaitOptions,
  { checks, after, signal, ended, size, follow }: Waiting<Found>,
): Promise<readonly Found[]> {
  const mistakes = checks.value('WaitOptions', options);
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
  const { count = 1, timeoutMs = 1_000 } = options;
  let ending = '';
  if (ended().length < count) {
    let leave = () => {};
    await new Promise<void>((resolve) => {
      const unfollow = follow(
        () => ended().length >= count && resolve(),
        () => {
          ending = ', but the account was closed or the mock stopped first';
          resolve();
        },
      );
      const cancel = after(timeoutMs, resolve);
      signal?.addEventListener('abort', () => resolve());
      leave = () => [unfollow(), cancel()];
    });
    leave();
    signal?.throwIfAborted();
  }
  const found = ended();
  if (found.length >= count) return found;
  const members = shown(filter);
  const wanted = counted(count, 'request') + (members === '{}' ? '' : ` with ${members}`);
  throw new ProblemError(
    'conflict',
    `Expected ${wanted} within ${timeoutMs} ms${ending}; ${found.length} of the ${size()} in the journal match and have ended.`,
  );
}
