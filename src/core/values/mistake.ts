import { adviceOnName } from './did-you-mean.js';
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
  /** The text of the value as sent; shown in place of a number, which reading may change. */
  readonly written?: string | undefined;
  /** What to do, as a sentence, where that is not obvious. */
  readonly fix?: string | undefined;
  /** The decision that forbids it, if the document alone does not. */
  readonly decision?: string | undefined;
}

/** The advice if the rule says enough. */
export const CORRECT_IT = 'Correct the value.';

const KNOWN_MEMBER = 'a known member';

/** A member that is not one of the known ones; `among` says whose, such as ` with the kind 'x'`. */
export function unknownMember(
  path: readonly string[],
  received: unknown,
  known: readonly string[],
  among = '',
): Mistake {
  const fix = adviceOnName(path.at(-1) ?? '', known);
  return { path, expected: `${KNOWN_MEMBER}${among}`, received, fix };
}

function isUnknownMember({ expected }: Mistake): boolean {
  return expected.startsWith(KNOWN_MEMBER);
}

function printable(path: readonly string[]): string {
  return cut(path.join('/')).replaceAll(/\p{Cc}/gu, ' ');
}

export function describeMistake(mistake: Mistake): string {
  const { path, expected, received, written, fix } = mistake;
  const name = printable(path);
  if (isUnknownMember(mistake)) {
    const place = path.length > 1 ? `'${name}': ` : '';
    const among = expected.slice(KNOWN_MEMBER.length);
    return `${place}Unknown member '${printable(path.slice(-1))}'${among}. ${fix}`;
  }
  const isUnquoted = expected === 'a string' && typeof received === 'number';
  const advice = fix ?? (isUnquoted ? 'Put it in quotes.' : CORRECT_IT);
  const shownValue = typeof received === 'number' ? (written ?? shown(received)) : shown(received);
  return `${name === '' ? 'The value' : `'${name}'`}: expected ${expected}; received ${shownValue}. ${advice}`;
}

/** Describes one of several mistakes in the detail of a problem, whose `errors` have the advice. */
export function mistakeInShort(mistake: Mistake): string {
  const { in: place = 'body', path, expected, received, fix } = mistake;
  // A suggestion helps more than the list of all known names.
  const question = fix?.startsWith('Did you mean') ? ` (${fix})` : '';
  const where = [place, cut(pointerTo(...path))].join(' ').trimEnd();
  const what = isUnknownMember(mistake)
    ? expected.replace(KNOWN_MEMBER, 'unknown member')
    : `expected ${expected}, received ${shown(received)}`;
  return `${where}: ${what}${question}`;
}
