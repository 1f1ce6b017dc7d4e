import { cut, shown } from '../values/received-value.js';
import { recogniseAcrossBundles } from './same-error-across-bundles.js';

/** How many invalid values a problem lists at most, as `Problem` in the document says. */
export const MOST_ERRORS = 20;

/** What is said if there are others. */
export const FIRST_LISTED = `${MOST_ERRORS} or more values are invalid; the first ${MOST_ERRORS} are listed.`;

/** An invalid value of a fixture or a record. */
export interface Mistake {
  /** The path to the value: member names and indexes. */
  readonly path: readonly string[];
  /** The rule in words, such as `a string`. */
  readonly expected: string;
  readonly received: unknown;
  /** The value as the file has it, where that differs from how it was read. */
  readonly written?: string | undefined;
  /** What to do, as a sentence, where that is not obvious. */
  readonly fix?: string;
}

/** The mistake in words: which value, what was expected, what was received, what to do. */
export function describeMistake({ path, expected, received, written, fix }: Mistake): string {
  const name = cut(path.join('/')).replaceAll(/\p{Cc}/gu, ' ');
  const isUnquoted = expected === 'a string' && typeof received === 'number';
  const advice = fix ?? (isUnquoted ? 'Put it in quotes.' : 'Correct the value.');
  const shownValue = typeof received === 'number' ? (written ?? shown(received)) : shown(received);
  return `${name === '' ? 'The value' : `'${name}'`}: expected ${expected}; received ${shownValue}. ${advice}`;
}

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
