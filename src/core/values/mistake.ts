import { adviceOnName } from './did-you-mean.js';
import { pointerTo } from './json-value.js';
import { cut, shown } from './received-value.js';
import { REDACTED, SECRET_NAME } from './secret-name.js';

/** An invalid value of a request, a record, a fixture or an option. */
export interface Mistake {
  /** The part of a request that it is in; the body if left out. */
  readonly in?: 'path' | 'query' | 'header' | 'body';
  /** The path to the value: member names and indexes. */
  readonly path: readonly string[];
  /** The rule in words, such as `a string`. */
  readonly expected: string;
  readonly received: unknown;
  /** If the last name of the path is unknown: what it names, such as `member`, and then among which. */
  readonly unknown?: string | undefined;
  /** The text of the value as sent; shown in place of a number, which reading may change. */
  readonly written?: string | undefined;
  /** What to do, as a sentence, where that is not obvious. */
  readonly fix?: string | undefined;
  /** The decision that forbids it, if the document alone does not. */
  readonly decision?: string | undefined;
}

/** The advice if the rule says enough: `It must be a string.` */
export function adviceOnRule(expected: string): string {
  const verb = /^at (?:least|most) \d+ (?:character|item|member)s?$/.test(expected) ? 'have' : 'be';
  return `It must ${verb} ${expected}.`;
}

/** A name that is not one of the known ones; `what` it names, such as `member with the kind 'x'`. */
export function unknownName(
  path: readonly string[],
  received: unknown,
  known: readonly string[],
  what = 'member',
): Mistake {
  const fix = adviceOnName(path.at(-1) ?? '', known);
  return { path, expected: `a known ${what}`, unknown: what, received, fix };
}

function printable(path: readonly string[]): string {
  return cut(path.join('/')).replaceAll(/\p{Cc}/gu, ' ');
}

export function describeMistake(mistake: Mistake): string {
  const { path, expected, unknown, received, written, fix } = mistake;
  if (unknown !== undefined) {
    const [what, ...among] = unknown.split(' ');
    const place = path.length > 1 ? [`in '${printable(path.slice(0, -1))}'`] : [];
    const words = ['Unknown', what, `'${printable(path.slice(-1))}'`, ...place, ...among];
    return `${words.join(' ')}. ${fix}`;
  }
  const isUnquoted = expected === 'a string' && typeof received === 'number';
  const advice = fix ?? (isUnquoted ? 'Put it in quotes.' : undefined);
  const value = typeof received === 'number' ? (written ?? shown(received)) : shown(received);
  const name = path.length === 0 ? 'The value' : `'${printable(path)}'`;
  const is = received === undefined ? 'is missing' : `is ${value}`;
  return [`${name} ${is}; expected ${expected}.`, ...(advice ? [advice] : [])].join(' ');
}

/** Whether what was received is no credential by its name. */
export function mayBeShown({ path }: Mistake): boolean {
  return !path.some((name) => SECRET_NAME.test(name));
}

/** Describes one of several mistakes in the detail of a problem, whose `errors` have the advice. */
export function mistakeInShort(mistake: Mistake): string {
  const { in: place = 'body', path, expected, unknown, received, fix } = mistake;
  // A suggestion helps more than the list of all known names.
  const question = fix?.startsWith('Did you mean') ? ` (${fix})` : '';
  const where = [place, cut(pointerTo(...path))].join(' ').trimEnd();
  const what = unknown
    ? `unknown ${unknown}`
    : `expected ${expected}, received ${shown(mayBeShown(mistake) ? received : REDACTED)}`;
  return `${where}: ${what}${question}`;
}
