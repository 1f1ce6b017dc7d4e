import { closest, distance } from 'fastest-levenshtein';

/** Longer names are unlikely to be typos, and are slow to compare. */
const LONGEST = 100;

export function didYouMean(received: unknown, known: readonly string[]): string | undefined {
  const isName = typeof received === 'string' || typeof received === 'number';
  const nearest = isName ? nearestOf(String(received), known) : undefined;
  return nearest === undefined ? undefined : `Did you mean '${nearest}'?`;
}

/** Advice on an unknown name that may be several, for a flag that takes one each time. */
export function adviceOnList(received: string, flag: string): string | undefined {
  const isList = flag.startsWith('--') && received.includes(',');
  return isList ? `If these are several, repeat ${flag} for each.` : undefined;
}

/** Advice on an unknown name: a suggestion, or else all known names. */
export function adviceOnName(received: string, known: readonly string[]): string {
  const listed = known.length > 0 ? `, or correct it to one of ${known.join(', ')}` : '';
  return didYouMean(received, known) ?? `Remove it${listed}.`;
}

/**
 * The most changes in a typo: a third of the letters, or two swapped ones, but at most half of a
 * name.
 */
function maxChanges(length: number): number {
  return Math.min(Math.max(length / 3, 2), length / 2);
}

/** The known name that starts with the received one or is most similar to it, ignoring case. */
function nearestOf(received: string, known: readonly string[]): string | undefined {
  if (received.length > LONGEST) return undefined;
  const text = received.toLowerCase();
  const names = new Map(known.map((name) => [name.toLowerCase(), name]));
  const begun = [...names.keys()].filter((name) => text.length > 1 && name.startsWith(text));
  const near = closest(text, begun.length > 0 ? begun : [...names.keys()]) ?? '';
  const isLike = distance(text, near) <= maxChanges(Math.max(text.length, near.length));
  return isLike || begun.length > 0 ? names.get(near) : undefined;
}
