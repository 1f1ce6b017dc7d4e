import { pointerTo } from './json-value.js';
import { cut, shown } from './received-value.js';

/** An invalid value of a request, a record, a fixture or an option. */
export interface Mistake {
  /** The part of a request that has it; the body if left out. */
  readonly in?: 'path' | 'query' | 'header' | 'body';
  /** The path to the value: member names and indexes. */
  readonly path: readonly string[];
  /** The rule in words, such as `a string`. */
  readonly expected: string;
  readonly received: unknown;
  /** The value as the file has it, where that differs from how it was read. */
  readonly written?: string | undefined;
  /** What to do, as a sentence, where that is not obvious. */
  readonly fix?: string | undefined;
  /** The decision that forbids it, if the document alone does not. */
  readonly decision?: string | undefined;
}

/** What to do about a mistake whose rule says enough. */
export const CORRECT_IT = 'Correct the value.';

/** The mistake in a sentence: which value, what was expected, what was received, what to do. */
export function describeMistake({ path, expected, received, written, fix }: Mistake): string {
  const name = cut(path.join('/')).replaceAll(/\p{Cc}/gu, ' ');
  const isUnquoted = expected === 'a string' && typeof received === 'number';
  const advice = fix ?? (isUnquoted ? 'Put it in quotes.' : CORRECT_IT);
  const shownValue = typeof received === 'number' ? (written ?? shown(received)) : shown(received);
  return `${name === '' ? 'The value' : `'${name}'`}: expected ${expected}; received ${shownValue}. ${advice}`;
}

/** The same as one of several in the detail of a problem, which lists what to do elsewhere. */
export function mistakeInShort({ in: place = 'body', path, expected, received, fix }: Mistake) {
  // The suggestion says more than the list of all that is known.
  const question = fix?.startsWith('Did you mean') ? ` (${fix})` : '';
  const where = [place, cut(pointerTo(...path))].join(' ').trimEnd();
  return `${where}: expected ${expected}, received ${shown(received)}${question}`;
}
