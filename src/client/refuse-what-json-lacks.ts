import { InvalidInputError } from '../errors/invalid-input.js';
import type { Mistake } from '../errors/mistake.js';
import { tooDeep } from '../errors/nesting.js';

const EXPECTED = 'a value that JSON has, for it is sent to the mock';

/** Refuses what JSON would drop or turn into another value, such as NaN, a Date or a function. */
export function refuseWhatJsonLacks(value: unknown, ...path: readonly string[]): void {
  const nested = tooDeep(value);
  const mistakes = nested.length > 0 ? nested : lackedByJson(value, path);
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
}

function lackedByJson(value: unknown, path: readonly string[]): Mistake[] {
  if (value === undefined && path.length === 0) {
    return [{ path, expected: 'an object', received: value }];
  }
  if (!isInJson(value)) return [{ path, expected: EXPECTED, received: shownAs(value) }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    // JSON leaves such a member out, and so do the checks of the library.
    member === undefined && !Array.isArray(value) ? [] : lackedByJson(member, [...path, name]),
  );
}

function isInJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  // By name, for test runners have more than one global scope.
  const kind = Object.prototype.toString.call(value);
  return ['[object Object]', '[object Array]'].includes(kind) && !('toJSON' in value);
}

/** What JSON would show as something else in words. */
function shownAs(value: unknown): unknown {
  const isPlain = typeof value === 'number' || typeof value === 'bigint' || value === undefined;
  return isPlain ? value : String(value);
}
