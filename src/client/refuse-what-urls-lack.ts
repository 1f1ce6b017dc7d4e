import { InvalidInputError } from '../errors/invalid-input.js';

/** Whether a record may have this id. Refuses ids that URLs cannot contain, such as `..`. */
export function isPossible(id: unknown): id is string {
  if (typeof id !== 'string' || id === '') return false;
  if (id !== '.' && id !== '..' && !/\p{Cs}/u.test(id)) return true;
  const expected = 'an id that fits in a URL: neither . nor .., without half of a surrogate pair';
  throw new InvalidInputError('id', expected, id);
}
