import { finish, type Steps } from '../store/work-in-steps.js';
import type { Mistake } from './invalid-input.js';

/** Far more than any record has, and few enough for every recursive function. */
const MOST_LEVELS = 100;

const VALUES_A_STEP = 10_000;

/** In words, how deep a value may be nested. */
export const EXPECTED_NESTING = `at most ${MOST_LEVELS} levels of objects and lists`;

/** Whether a value is nested deeper than what works through it can go, or refers to itself. */
export function isTooDeep(value: unknown): boolean {
  return finish(measuringDepth(value));
}

function* measuringDepth(whole: unknown): Steps<boolean> {
  const open: [value: object, level: number][] = isContainer(whole) ? [[whole, 0]] : [];
  let passed = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, level] = next;
    if (level === MOST_LEVELS) return true;
    for (const member of Array.isArray(value) ? value : Object.values(value)) {
      if (isContainer(member)) open.push([member, level + 1]);
      passed += 1;
      if (passed % VALUES_A_STEP === 0) yield;
    }
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The mistake of a value that is nested too deeply; none if it is not. */
export function tooDeep(value: unknown): Mistake[] {
  return finish(checkingDepth(value));
}

/** The same in steps, for a value that may be long. */
export function* checkingDepth(value: unknown): Steps<Mistake[]> {
  if (!(yield* measuringDepth(value))) return [];
  const fix = 'Nest it less deeply.';
  return [{ path: [], expected: EXPECTED_NESTING, received: value, fix }];
}
