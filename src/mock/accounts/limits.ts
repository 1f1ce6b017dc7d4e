import { ProblemError } from '../../core/errors/problem-error.js';

/**
 * The most that tests can make one account keep, or of records all accounts of a server; and how
 * many deletions by the service all accounts keep before those are closed that were idle so long.
 */
const MAXIMA = {
  ...{ records: 100_000, faults: 1_000, stubs: 1_000, snapshots: 100 },
  ...{ deletions: 2_000_000, idleMinutes: 10 },
};

export type Maxima = Readonly<typeof MAXIMA>;

/** What is refused when there is too much of it. */
export type Limited = Exclude<keyof Maxima, 'deletions' | 'idleMinutes'>;

/** What a refusal says: who keeps how many of what, and what to do about it. */
const WORDS: Readonly<Record<Limited, readonly [who: string, what: string, advice: string]>> = {
  records: [
    'All accounts together keep',
    'changed records, those in snapshots included',
    'Reset or close accounts that you no longer need, or drop snapshots.',
  ],
  faults: [
    'The account has',
    'faults that can still fire',
    'Remove some, or all with DELETE /__control/faults (faults.clear() in the library).',
  ],
  stubs: [
    'There are',
    'stubs in this list',
    'Remove some, or all with DELETE /__control/stubs, or with ?for=server those of the server (stubs.clear() in the library).',
  ],
  snapshots: [
    'The account has',
    'snapshots with changes',
    'Drop a snapshot, or replace one by reusing its id.',
  ],
};

/** Limits what tests make the accounts of one server keep, by plain counts. */
export class Limits {
  readonly maxima: Maxima;
  #isOff = false;

  constructor(maxima: Partial<Maxima> = {}) {
    this.maxima = { ...MAXIMA, ...maxima };
  }

  /** Throws a `ProblemError` if so many more would be too many. */
  admit(what: Limited, more: number, countKept: () => number): void {
    if (more <= 0 || this.#isOff) return;
    const [kept, most] = [countKept(), this.maxima[what]];
    if (kept + more <= most) return;
    const [who, words, advice] = WORDS[what];
    throw new ProblemError(
      'conflict',
      `${who} ${shown(kept)} ${words}, and this would add ${shown(more)}; expected at most ${shown(most)}. ${advice}`,
    );
  }

  /** Keeps whatever an account opens with, or what was saved of it. */
  withoutLimit<Result>(act: () => Result): Result {
    this.#isOff = true;
    try {
      return act();
    } finally {
      this.#isOff = false;
    }
  }
}

function shown(number: number): string {
  return number.toLocaleString('en');
}
