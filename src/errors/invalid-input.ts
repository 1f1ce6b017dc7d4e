import { describeMistake, type Mistake } from '../values/mistake.js';
import { recogniseAcrossBundles } from './same-error-across-bundles.js';

/** How many invalid values a problem lists at most, as `Problem` in the document says. */
export const MOST_ERRORS = 20;

/** What is said if there are others. */
export const FIRST_LISTED = `${MOST_ERRORS} or more values are invalid; the first ${MOST_ERRORS} are listed.`;

/** The first mistakes: those that are listed, and one more if there are others. */
export function firstMistakes<One>(mistakes: Iterable<One>): One[] {
  const first: One[] = [];
  for (const mistake of mistakes) {
    first.push(mistake);
    if (first.length > MOST_ERRORS) break;
  }
  return first;
}

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

recogniseAcrossBundles(InvalidInputError, 'InvalidInputError');

const LONGEST_ID = 1_000;

/** The form of an id, if this one has another: a longer one fits in no path and in no cursor. */
export function expectedId(id: unknown): string | undefined {
  const isUsable = typeof id === 'string' && id.length > 0 && id.length <= LONGEST_ID;
  return isUsable ? undefined : `a text of 1 to ${LONGEST_ID} characters`;
}

/** What is wrong with the id of a record, if something is. */
export function wrongId(id: unknown): Mistake | undefined {
  const expected = expectedId(id);
  if (expected === undefined) return undefined;
  const fix = id === undefined && { fix: 'Add it, or let add() generate one.' };
  return { path: ['id'], expected, received: id, ...fix };
}
