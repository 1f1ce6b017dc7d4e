import { knowInBothCopies } from './both-copies.js';
import { describeMistake, FIRST_LISTED, type Mistake, MOST_ERRORS } from './mistake.js';

/**
 * Invalid input from a test, such as a record or a fault; nothing was changed.
 *
 * @example
 * try {
 *   account.faults.add({ kind: 'status', status: 99 });
 * } catch (error) {
 *   if (error instanceof InvalidInputError) console.log(error.message);
 * }
 */
export class InvalidInputError extends TypeError {
  override readonly name = 'InvalidInputError';
  /** The first 20. */
  readonly mistakes: readonly Mistake[];

  constructor(member: string, expected: string, received: unknown);
  constructor(mistakes: readonly Mistake[]);
  constructor(given: string | readonly Mistake[], expected = '', received?: unknown) {
    const all = typeof given === 'string' ? [{ path: [given], expected, received }] : given;
    const mistakes = all.slice(0, MOST_ERRORS);
    const sentences = mistakes.map(describeMistake);
    super([...sentences, ...(all.length > MOST_ERRORS ? [FIRST_LISTED] : [])].join(' '));
    this.mistakes = mistakes;
  }
}

knowInBothCopies(InvalidInputError, 'InvalidInputError');
