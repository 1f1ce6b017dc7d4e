import type { Mistake } from './mistake.js';

/** Far more than any record has, and few enough for all that goes through a value step by step. */
const MOST_LEVELS = 100;

/** In words, how deep a value may be nested. */
export const EXPECTED_NESTING = `at most ${MOST_LEVELS} levels of objects and lists`;

/** Whether a value is nested deeper than what works through it can go, or refers to itself. */
export function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** The mistake of a value that is nested too deep; none if it is not. */
export function tooDeep(value: unknown): Mistake[] {
  if (!isTooDeep(value)) return [];
  const fix = 'Nest it less deep.';
  return [{ path: [], expected: EXPECTED_NESTING, received: value, fix }];
}
