import { ProblemError } from '../../../core/errors/problem-error.js';

/** A change of an account's records that no rewind passes. */
export interface Barrier {
  /** The last request before the change. */
  readonly last: number;
  /** What changed the records, as a clause: `records were imported after it`. */
  readonly what: string;
}

export const NO_BARRIER: Barrier = { last: 0, what: '' };

/** The barrier that a deletion leaves behind when its request is no longer kept. */
export function barrierOfEvicted(id: number): Barrier {
  return { last: id, what: `the journal no longer has request ${id}, which deleted records` };
}

/** Refuses to go back to before a request if a barrier came at that request or later. */
export function refuseBarrier({ last, what }: Barrier, id: number): void {
  if (last < id) return;
  throw new ProblemError(
    'conflict',
    `The records cannot go back to before request ${id}, because ${what}; expected only deletions that the journal still has. Go back to a later request, or restore a snapshot.`,
  );
}
