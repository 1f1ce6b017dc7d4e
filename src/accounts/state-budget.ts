import { ProblemError } from '../errors/problem-error.js';
import type { Budget } from '../store/budget.js';

const MB = 2 ** 20;

/** The bytes of changed records, stubs and snapshots that the accounts of one server hold, and their limit. */
export class StateBudget implements Budget {
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes;
  }

  /** Counts bytes that were added, or removed if negative. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Refuses growth beyond the limit; what takes no more than before is always admitted. */
  admit(bytes: number, what: string): void {
    if (bytes <= 0 || this.#bytes + bytes <= this.#mostBytes) return;
    throw new ProblemError(
      'conflict',
      `The accounts of this server hold ${inMb(this.#bytes)} MB of changed records, stubs and snapshots, and ${what} would take ${inMb(bytes)} MB more; expected at most ${inMb(this.#mostBytes)} MB together. Drop snapshots, reset or close accounts that are no longer needed, or raise the limit with --state-bytes (stateBytes in the library).`,
    );
  }
}

function inMb(bytes: number): string {
  return (bytes / MB).toFixed(1);
}
