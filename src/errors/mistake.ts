import { shown } from '../messages/received-value.js';

/** A value of a fixture or a record that breaks a rule. */
export interface Mistake {
  /** The way to the value: member names and indexes. */
  readonly path: readonly string[];
  /** The rule in words, such as `a string`. */
  readonly expected: string;
  readonly received: unknown;
  /** The value as the file has it, where that differs from how it was read. */
  readonly written?: string | undefined;
  /** What to do, as a sentence, where that is not plain. */
  readonly fix?: string;
}

/** The mistake in words: which value, what was expected, what was received, what to do. */
export function describeMistake({ path, expected, received, written, fix }: Mistake): string {
  const name = path.join('/').replaceAll(/\p{Cc}/gu, ' ');
  const isUnquoted = expected === 'a string' && typeof received === 'number';
  const advice = fix ?? (isUnquoted ? 'Put it in quotes.' : 'Correct the value or take it out.');
  const shownValue = typeof received === 'number' ? (written ?? shown(received)) : shown(received);
  return `${name === '' ? 'The whole' : `'${name}'`}: expected ${expected}; received ${shownValue}. ${advice}`;
}
