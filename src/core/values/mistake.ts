import { pointerTo } from './json-value.js';
import { cut, shown } from './received-value.js';

/** An invalid value of a request, a record, a fixture or an option. */
export interface Mistake {
  /** The part of a request that it is in; the body if left out. */
  readonly in?: 'path' | 'query' | 'header' | 'body';
  /** The path to the value: member names and indexes. */
  readonly path: readonly string[];
  /** The rule in words, such as `a string`. */
  readonly expected: string;
  readonly received: unknown;
  /** The text of the value in its file; shown in place of a number, which reading may change. */
  readonly written?: string | undefined;
  /** What to do, as a sentence, where that is not obvious. */
  readonly fix?: string | undefined;
  /** The decision that forbids it, if the document alone does not. */
  readonly decision?: string | undefined;
}

/** The advice if the rule says enough. */
export const CORRECT_IT = 'Correct the value.';

export function describeMistake({ path, expected, received, written, fix }: Mistake): string {
  const name = cut(path.join('/')).replaceAll(/\p{Cc}/gu, ' ');
  const isUnquoted = expected === 'a string' && typeof received === 'number';
  const advice = fix ?? (isUnquoted ? 'Put it in quotes.' : CORRECT_IT);
  const shownValue = typeof received === 'number' ? (written ?? shown(received)) : shown(received);
  return `${name === '' ? 'The value' : `'${name}'`}: expected ${expected}; received ${shownValue}. ${advice}`;
}

/** Describes one of several mistakes in the detail of a problem, whose `errors` have the advice. */
export function mistakeInShort({ in: place = 'body', path, expected, received, fix }: Mistake) {
  // A suggestion helps more than the list of all known names.
  const question = fix?.startsWith('Did you mean') ? ` (${fix})` : '';
  const where = [place, cut(pointerTo(...path))].join(' ').trimEnd();
  return `${where}: expected ${expected}, received ${shown(received)}${question}`;
}
