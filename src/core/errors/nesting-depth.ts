import type { Mistake } from '../values/mistake.js';
import { EXPECTED_NESTING, MAX_LEVELS } from '../values/parse-json.js';

/** Whether a value is nested too deeply, or refers to itself. */
export function isTooDeep(whole: unknown, maxLevels = MAX_LEVELS): boolean {
  const open: [value: object, level: number][] = isContainer(whole) ? [[whole, 0]] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, level] = next;
    if (level === maxLevels) return true;
    for (const member of Array.isArray(value) ? value : Object.values(value)) {
      if (isContainer(member)) open.push([member, level + 1]);
    }
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function tooDeep(value: unknown, maxLevels = MAX_LEVELS): Mistake[] {
  if (!isTooDeep(value, maxLevels)) return [];
  const fix = 'Nest it less deeply.';
  return [{ path: [], expected: EXPECTED_NESTING, received: value, fix }];
}
