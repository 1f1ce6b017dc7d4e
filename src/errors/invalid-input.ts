import { knowInBothCopies } from './both-copies.js';
import { describeMistake, type Mistake } from './mistake.js';

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
  readonly mistakes: readonly Mistake[];

  constructor(member: string, expected: string, received: unknown);
  constructor(mistakes: readonly Mistake[]);
  constructor(given: string | readonly Mistake[], expected = '', received?: unknown) {
    const mistakes =
      typeof given === 'string' ? [{ path: [given], expected, received }] : [...given];
    super(mistakes.map(describeMistake).join(' '));
    this.mistakes = mistakes;
  }
}

knowInBothCopies(InvalidInputError, 'InvalidInputError');
