import type { Mistake } from './mistake.js';

/** Far more than any record has, and few enough for every recursive function. */
const MOST_LEVELS = 100;

/** In words, how deep a value may be nested. */
export const EXPECTED_NESTING = `at most ${MOST_LEVELS} levels of objects and lists`;

/** Whether a value is nested too deeply for recursive functions, or refers to itself. */
export function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/** The mistake of a value that is nested too deeply; none if it is not. */
export function tooDeep(value: unknown): Mistake[] {
  if (!isTooDeep(value)) return [];
  const fix = 'Nest it less deeply.';
  return [{ path: [], expected: EXPECTED_NESTING, received: value, fix }];
}
