import { pointerTo } from '../../../errors/json-pointer.js';
import type { InvalidValue } from '../../../errors/problem-error.js';

/** Every value in the path that cannot be percent-decoded. */
export function checkPath(values: Readonly<Record<string, string>>): InvalidValue[] {
  return Object.entries(values)
    .filter(([, received]) => !isDecodable(received))
    .map(([name, received]) => ({
      in: 'path',
      pointer: pointerTo(name),
      expected: 'percent-encoded UTF-8',
      received,
      detail: 'Encode the value as encodeURIComponent does: a percent sign itself is %25.',
    }));
}

function isDecodable(segment: string): boolean {
  try {
    // The result is used; otherwise a bundler removes the call.
    return typeof decodeURIComponent(segment) === 'string';
  } catch {
    return false;
  }
}
