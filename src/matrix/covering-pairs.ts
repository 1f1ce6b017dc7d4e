import type { Alternative, Combination } from './alternatives.js';

/** Two alternatives of different decisions. */
export type Pair = readonly [Alternative, Alternative];

export function pairsOf(alternatives: Combination): readonly Pair[] {
  return alternatives.flatMap((one, place) =>
    alternatives
      .slice(place + 1)
      .filter(({ decision }) => decision !== one.decision)
      .map((other) => [one, other] as const),
  );
}

/**
 * Combinations that together contain every pair of the alternatives and, for each other decision,
 * contain the pair at least once while that decision is unchanged. So no alternative can hide
 * everywhere what a pair breaks.
 */
export function combinationsCovering(alternatives: Combination): readonly Combination[] {
  const cover = createCover(alternatives);
  const combinations: Combination[] = [];
  for (;;) {
    const [pair] = pairsOf(alternatives)
      .filter((one) => cover.missing(one) > 0)
      .sort((one, other) => cover.missing(other) - cover.missing(one));
    if (pair === undefined) return withoutRedundant(combinations, alternatives);
    const combination = widen(pair, alternatives, cover);
    cover.add(combination);
    combinations.push(alternatives.filter((one) => combination.includes(one)));
  }
}

/** Drops combinations that later ones have made redundant. */
function withoutRedundant(combinations: readonly Combination[], alternatives: Combination) {
  const cover = createCover(alternatives);
  return combinations.toReversed().filter(cover.add).toReversed();
}

/** Adds alternatives one by one, as long as each covers more than it takes away. */
function widen(pair: Pair, alternatives: Combination, cover: Cover): Combination {
  const combination: Alternative[] = [...pair];
  for (;;) {
    const decided = decisionsOf(combination);
    const [best] = alternatives
      .filter(({ decision }) => !decided.has(decision))
      .map((one) => ({ one, gain: cover.gain(combination, one) }))
      .sort((one, other) => other.gain - one.gain);
    if (best === undefined || best.gain <= 0) return combination;
    combination.push(best.one);
  }
}

/** Which pairs were tried together, and which other decisions were unchanged then. */
export interface Cover {
  /**
   * How many other decisions were changed whenever this pair was tried; if it never was, one more
   * than there are.
   */
  readonly missing: (pair: Pair) => number;
  /** True if a combination that was added contains both. */
  readonly wereTogether: (pair: Pair) => boolean;
  /** How much more a combination would cover with one more alternative; negative if less. */
  readonly gain: (combination: Combination, further: Alternative) => number;
  /** Adds a combination. True if that covers anything new. */
  readonly add: (combination: Combination) => boolean;
}

/** Stands among the missing decisions of a pair until the pair is first tried. */
const NEVER_TOGETHER = '';

export function createCover(alternatives: Combination): Cover {
  const decisions = new Set(alternatives.map(({ decision }) => decision));
  const missing = new Map(alternatives.map((one) => [one, new Map<Alternative, Set<string>>()]));
  for (const [one, other] of pairsOf(alternatives)) {
    const unchanged = new Set<string>([NEVER_TOGETHER, ...decisions]);
    unchanged.delete(one.decision);
    unchanged.delete(other.decision);
    missing.get(one)?.set(other, unchanged);
    missing.get(other)?.set(one, unchanged);
  }
  const missingOf = (one: Alternative, other: Alternative) =>
    missing.get(one)?.get(other) ?? new Set<string>();

  return {
    missing: (pair) => missingOf(...pair).size,
    wereTogether: (pair) => !missingOf(...pair).has(NEVER_TOGETHER),
    gain(combination, further) {
      const changed = decisionsOf([...combination, further]);
      let gain = 0;
      for (const one of combination) {
        for (const id of missingOf(one, further)) if (!changed.has(id)) gain += 1;
      }
      for (const [one, other] of pairsOf(combination)) {
        if (missingOf(one, other).has(further.decision)) gain -= 1;
      }
      return gain;
    },
    add(combination) {
      const changed = decisionsOf(combination);
      let coversMore = false;
      for (const [one, other] of pairsOf(combination)) {
        const unchanged = missingOf(one, other);
        for (const id of unchanged) {
          if (changed.has(id)) continue;
          unchanged.delete(id);
          coversMore = true;
        }
      }
      return coversMore;
    },
  };
}

function decisionsOf(alternatives: Combination): ReadonlySet<string> {
  return new Set(alternatives.map(({ decision }) => decision));
}
