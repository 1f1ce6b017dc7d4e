import { closest, distance } from 'fastest-levenshtein';

/** Asks whether the known name was meant that is most like the received one, if one is like it. */
export function didYouMean(received: unknown, known: readonly string[]): string | undefined {
  const text = String(received);
  const nearest = closest(text, known);
  if (nearest === undefined) return undefined;
  const isLike = distance(text, nearest) <= Math.max(text.length, nearest.length) / 2;
  return isLike ? `Did you mean '${nearest}'?` : undefined;
}
