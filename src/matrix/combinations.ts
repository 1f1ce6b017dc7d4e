import type { Alternative, Combination } from './alternatives.js';
import { type Cover, createCover, type Pair, pairsOf } from './pairs.js';

/**
 * Combinations that have every pair of the alternatives, several times: for each other decision at
 * least once with the value that it has in the baseline. So one alternative that hides what a pair
 * breaks does not hide it everywhere.
 */
export function combinationsCovering(alternatives: Combination): readonly Combination[] {
  const cover = createCover(alternatives);
  const combinations: Combination[] = [];
  for (;;) {
    const [pair] = pairsOf(alternatives)
      .filter((one) => cover.missing(one) > 0)
      .sort((one, other) => cover.missing(other) - cover.missing(one));
    if (pair === undefined) return withoutVain(combinations, alternatives);
    const combination = widen(pair, alternatives, cover);
    cover.add(combination);
    combinations.push(alternatives.filter((one) => combination.includes(one)));
  }
}

/** Leaves out those that later ones have made vain. */
function withoutVain(combinations: readonly Combination[], alternatives: Combination) {
  const cover = createCover(alternatives);
  return combinations.toReversed().filter(cover.add).toReversed();
}

/** Adds one alternative after another, as long as that covers more than it takes away. */
function widen(pair: Pair, alternatives: Combination, cover: Cover): Combination {
  const combination: Alternative[] = [...pair];
  for (;;) {
    const decided = new Set(combination.map(({ decision }) => decision));
    const [best] = alternatives
      .filter(({ decision }) => !decided.has(decision))
      .map((one) => ({ one, gain: cover.gain(combination, one) }))
      .sort((one, other) => other.gain - one.gain);
    if (best === undefined || best.gain <= 0) return combination;
    combination.push(best.one);
  }
}
