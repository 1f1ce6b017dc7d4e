import { cut, shown } from '../messages/received-value.js';

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
  const advice = fix ?? (isUnquoted ? 'Put it in quotes.' : 'Correct or remove the value.');
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
