import { ProblemError } from '../../../core/errors/problem-error.js';
import type { NotedRequest } from './noted-request.js';

/** A change of an account's records that no rewind passes. */
export interface Barrier {
  /** Its place in the order in which operations ran. */
  readonly place: number;
  /** What changed the records, as a clause: `records were imported after it`. */
  readonly what: string;
}

export const NO_BARRIER: Barrier = { place: 0, what: '' };

/** The barrier that a deletion leaves behind when its request is no longer kept. */
export function barrierOfEvicted({ id, place }: NotedRequest): Barrier {
  return { place, what: `the journal no longer has request ${id}, which deleted records` };
}

/** Refuses to go back to before a request if a barrier has its place or a later one. */
export function refuseBarrier(barrier: Barrier, id: number, place: number): void {
  if (barrier.place < place) return;
  throw new ProblemError(
    'conflict',
    `The records cannot go back to before request ${id}, because ${barrier.what}; expected only deletions that the journal still has. Go back to a later request, or restore a snapshot.`,
  );
}
