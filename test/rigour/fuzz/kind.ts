import type fc from 'fast-check';
import type { PlannedCall } from './calls.js';
import type { Target } from './target.js';

/** Called with each call and its status. */
export type Note = (call: PlannedCall, status: number) => void;

/** Plans that fast-check draws, and a function that plays one and throws what it finds. */
export interface Kind {
  /** Its share of the time. */
  readonly share: number;
  readonly plans: fc.Arbitrary<unknown>;
  readonly play: (target: Target, plan: unknown, note: Note) => Promise<void>;
}

export function kind<Plan>(
  share: number,
  plans: fc.Arbitrary<Plan>,
  play: (target: Target, plan: Plan, note: Note) => Promise<void>,
): Kind {
  return { share, plans, play: play as Kind['play'] };
}
