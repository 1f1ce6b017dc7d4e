import { knowInBothCopies } from './both-copies.js';

/**
 * An id that matches nothing in the account; nothing was changed.
 *
 * @example
 * try {
 *   account.restore('a snapshot that was never taken');
 * } catch (error) {
 *   if (error instanceof UnknownIdError) console.log(error.message);
 * }
 */
export class UnknownIdError extends Error {
  override readonly name = 'UnknownIdError';
}

knowInBothCopies(UnknownIdError, 'UnknownIdError');
