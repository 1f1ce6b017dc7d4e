import { describeMistake, type Mistake } from '../values/mistake.js';
import { FIRST_LISTED, MAX_ERRORS } from './first-mistakes.js';
import { recogniseAcrossBundles } from './same-error-across-bundles.js';

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
    const mistakes = all.slice(0, MAX_ERRORS);
    const sentences = mistakes.map(describeMistake);
    super([...sentences, ...(all.length > MAX_ERRORS ? [FIRST_LISTED] : [])].join(' '));
    this.mistakes = mistakes;
  }
}

recogniseAcrossBundles(InvalidInputError, 'InvalidInputError');

const MAX_ID_LENGTH = 1_000;

/** What an id must be, to fit in a path and a cursor; undefined if this one is valid. */
export function expectedId(id: unknown): string | undefined {
  const isUsable = typeof id === 'string' && id.length > 0 && id.length <= MAX_ID_LENGTH;
  return isUsable ? undefined : `a text of 1 to ${MAX_ID_LENGTH} characters`;
}

export function wrongId(id: unknown): Mistake | undefined {
  const expected = expectedId(id);
  if (expected === undefined) return undefined;
  const fix = id === undefined && { fix: 'Add it, or let add() generate one.' };
  return { path: ['id'], expected, received: id, ...fix };
}
