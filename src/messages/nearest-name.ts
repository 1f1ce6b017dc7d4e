import { closest, distance } from 'fastest-levenshtein';

/** Longer names are no typing errors, and take long to compare. */
const LONGEST = 100;

/** Asks whether the known name was meant that is most like the received one, if one is like it. */
export function didYouMean(received: unknown, known: readonly string[]): string | undefined {
  const isName = typeof received === 'string' || typeof received === 'number';
  const nearest = isName ? nearestOf(String(received), known) : undefined;
  return nearest === undefined ? undefined : `Did you mean '${nearest}'?`;
}

/** What to do about a name that is not known: the one that may have been meant, or all that are. */
export function adviceOnName(received: string, known: readonly string[]): string {
  const listed = known.length > 0 ? `, or correct it to one of ${known.join(', ')}` : '';
  return didYouMean(received, known) ?? `Take it out${listed}.`;
}

/** The known name that begins like the received one, or is most like it; whatever the case. */
function nearestOf(received: string, known: readonly string[]): string | undefined {
  if (received.length > LONGEST) return undefined;
  const text = received.toLowerCase();
  const names = new Map(known.map((name) => [name.toLowerCase(), name]));
  const begun = [...names.keys()].filter((name) => text.length > 1 && name.startsWith(text));
  const near = closest(text, begun.length > 0 ? begun : [...names.keys()]) ?? '';
  const isLike = distance(text, near) <= Math.max(text.length, near.length) / 2;
  return isLike || begun.length > 0 ? names.get(near) : undefined;
}
