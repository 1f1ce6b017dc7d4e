import { ProblemError } from '../../core/errors/problem-error.js';
import type { Budget } from '../../core/store/kept.js';
import { count } from '../../core/values/plural.js';

const MB = 2 ** 20;

/** State that can be dropped piece by piece when the accounts need its bytes. */
export interface Yielding {
  readonly bytes: number;
  /** Drops the oldest piece, if there is one. */
  dropOldest(): void;
}

/**
 * Limits the bytes that the accounts of one server hold in changed records, settings and snapshots,
 * together with the stubs for every caller. The journals have a budget of their own.
 */
export class StateBudget implements Budget {
  #mostBytes: number;
  readonly #yielding: Yielding | undefined;
  #bytes = 0;

  constructor(mostBytes: number = Number.POSITIVE_INFINITY, yielding?: Yielding) {
    this.#mostBytes = mostBytes;
    this.#yielding = yielding;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Adds what an act keeps without a limit, as when saved state comes back. */
  withoutLimit<Result>(act: () => Result): Result {
    const mostBytes = this.#mostBytes;
    this.#mostBytes = Number.POSITIVE_INFINITY;
    try {
      return act();
    } finally {
      this.#mostBytes = mostBytes;
    }
  }

  /** Drops yielding state to make room, oldest first, unless `isSpare`. */
  admit(bytes: number, what: string, isSpare = false): void {
    if (bytes <= 0) return;
    const taken = isSpare ? (this.#yielding?.bytes ?? 0) : 0;
    if (taken + this.#bytes + bytes <= this.#mostBytes) {
      this.#makeRoom(this.#mostBytes - this.#bytes - bytes);
      return;
    }
    throw new ProblemError(
      'conflict',
      `This server holds ${size(taken + this.#bytes)} of changed records, decisions, faults, stubs and snapshots, and ${what} would take ${size(bytes)} more; expected at most ${size(this.#mostBytes)} in total. Drop snapshots, remove stubs, reset or close accounts you no longer need, or raise the limit with --state-bytes (stateBytes in the library).`,
    );
  }

  #makeRoom(bytesLeft: number): void {
    while (this.#yielding && this.#yielding.bytes > bytesLeft) this.#yielding.dropOldest();
  }
}

function size(bytes: number): string {
  return bytes < MB / 20 ? count(bytes, 'byte') : `${(bytes / MB).toFixed(1)} MB`;
}
