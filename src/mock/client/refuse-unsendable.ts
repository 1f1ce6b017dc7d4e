import { firstMistakes } from '../../core/errors/first-mistakes.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { tooDeep } from '../../core/errors/nesting-depth.js';
import type { Mistake } from '../../core/values/mistake.js';

const EXPECTED = 'a value that JSON can express, because it is sent to the mock';

/** Refuses what JSON would drop or turn into another value, such as NaN, a Date or a function. */
export function refuseWhatJsonLacks(value: unknown, ...path: readonly string[]): void {
  const nested = tooDeep(value);
  const mistakes = nested.length > 0 ? nested : firstMistakes(lackedByJson(value, path));
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
}

function* lackedByJson(value: unknown, path: readonly string[]): Generator<Mistake, void> {
  if (value === undefined && path.length === 0)
    yield { path, expected: 'an object', received: value };
  else if (!isInJson(value)) yield { path, expected: EXPECTED, received: shownAs(value) };
  else if (typeof value === 'object') {
    for (const [name, member] of Object.entries(value ?? {})) {
      // JSON leaves out undefined members, and the library ignores them.
      if (member === undefined && !Array.isArray(value)) continue;
      yield* lackedByJson(member, [...path, name]);
    }
  }
}

function isInJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (value === null) return true;
  // Not with `instanceof`, because test runners have more than one global scope.
  const kind = Object.prototype.toString.call(value);
  return ['[object Object]', '[object Array]'].includes(kind) && !('toJSON' in value);
}

function shownAs(value: unknown): unknown {
  const isPlain = typeof value === 'number' || typeof value === 'bigint' || value === undefined;
  return isPlain ? value : String(value);
}

/** Whether the id is a non-empty string. Throws if a URL cannot contain it, as with `..`. */
export function isPossible(id: unknown): id is string {
  if (typeof id !== 'string' || id === '') return false;
  if (id !== '.' && id !== '..' && !/\p{Cs}/u.test(id)) return true;
  const expected = 'an id that fits in a URL: neither . nor .., without half of a surrogate pair';
  throw new InvalidInputError('id', expected, id);
}
