import { ProblemError } from '../errors/problem-error.js';

/** The most that the accounts of one server keep together, by `weightOf`. */
const MAX_WEIGHT = 100_000;

/** Memory that a member or element takes besides its JSON, in bytes. */
const MEMBER = 24;
/** The characters that begin a member or element. */
const BEGINNINGS = Array.from('[{,', (sign) => sign.charCodeAt(0));

/**
 * How much a value counts towards the quota: 1 for each kB that it takes in memory, so 1 for most
 * records. If one of its characters is beyond Latin-1, each counts as two bytes, as in memory.
 */
export function weightOf(value: unknown): number {
  const json = JSON.stringify(value) ?? '';
  let [bytesEach, members] = [1, 1];
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code > 0xff) bytesEach = 2;
    else if (BEGINNINGS.includes(code)) members += 1;
  }
  return Math.ceil((json.length * bytesEach + members * MEMBER) / 1_024);
}

/**
 * Limits what the accounts of one server keep: changed records, decisions, faults, stubs and
 * snapshots, the stubs for every caller, and accounts that an earlier run has saved.
 */
export class Quota {
  #most: number;
  readonly #saved: { readonly weight: number };
  #weight = 0;

  constructor(saved: { readonly weight: number } = { weight: 0 }, most = MAX_WEIGHT) {
    this.#saved = saved;
    this.#most = most;
  }

  /** Counts what is kept now, or no longer if negative. */
  add(weight: number): void {
    this.#weight += weight;
  }

  /** Throws if this much more would exceed the quota; `what` says what it is for. */
  admit(weight: number, what: string): void {
    const kept = this.#weight + this.#saved.weight;
    if (weight <= 0 || kept + weight <= this.#most) return;
    throw new ProblemError(
      'conflict',
      `This server keeps changed records, faults, stubs and snapshots that count ${shown(kept)} (one for each kB), and ${what} would add ${shown(weight)}; expected at most ${shown(this.#most)} in all. Drop snapshots, remove stubs and faults, or reset or close accounts that you no longer need.`,
    );
  }

  /** Keeps what an act adds, even if that is too much, as when saved state comes back. */
  withoutLimit<Result>(act: () => Result): Result {
    const most = this.#most;
    this.#most = Number.POSITIVE_INFINITY;
    try {
      return act();
    } finally {
      this.#most = most;
    }
  }
}

function shown(weight: number): string {
  return weight.toLocaleString('en');
}
