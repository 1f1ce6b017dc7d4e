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

/** Combinations that together contain every pair of the alternatives. */
export function combinationsCovering(alternatives: Combination): readonly Combination[] {
  const covered = createPairSet();
  const combinations: Combination[] = [];
  for (const pair of pairsOf(alternatives)) {
    if (covered.has(...pair)) continue;
    const combination = widen(pair, alternatives, covered);
    covered.add(combination);
    combinations.push(alternatives.filter((one) => combination.includes(one)));
  }
  return combinations;
}

/** Adds the alternatives that cover the most pairs, until one of each decision has been added. */
function widen(pair: Pair, alternatives: Combination, covered: PairSet): Combination {
  const combination: Alternative[] = [...pair];
  for (;;) {
    const [best] = alternatives
      .filter(({ decision }) => combination.every((one) => one.decision !== decision))
      .map((one) => ({ one, gain: combination.filter((has) => !covered.has(has, one)).length }))
      .sort((one, other) => other.gain - one.gain);
    if (best === undefined || best.gain === 0) return combination;
    combination.push(best.one);
  }
}

export interface PairSet {
  readonly has: (one: Alternative, other: Alternative) => boolean;
  /** Adds every pair of a combination. */
  readonly add: (combination: Combination) => void;
}

export function createPairSet(): PairSet {
  const together = new Map<Alternative, Set<Alternative>>();
  return {
    has: (one, other) => together.get(one)?.has(other) ?? false,
    add(combination) {
      for (const one of combination) {
        together.set(one, new Set([...(together.get(one) ?? []), ...combination]));
      }
    },
  };
}
