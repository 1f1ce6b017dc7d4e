import { ProblemError } from '../errors/problem-error.js';

const MB = 2 ** 20;

/** What the accounts of one server hold on their own, in bytes, and how much that may be. */
export class StateBudget {
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes: number = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes;
  }

  /** Counts what has come, or what has gone if it is negative. */
  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Refuses what would grow beyond the bound; what takes no more than before may always be done. */
  admit(bytes: number, what: string): void {
    if (bytes <= 0 || this.#bytes + bytes <= this.#mostBytes) return;
    throw new ProblemError(
      'conflict',
      `The accounts of this server hold ${inMb(this.#bytes)} MB of changed records and snapshots, and ${what} would take ${inMb(bytes)} MB more; expected at most ${inMb(this.#mostBytes)} MB together. Drop snapshots, reset or close accounts that are no longer needed, or raise the bound with --state-bytes (stateBytes in the library).`,
    );
  }
}

function inMb(bytes: number): string {
  return (bytes / MB).toFixed(1);
}
