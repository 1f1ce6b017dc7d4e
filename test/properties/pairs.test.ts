import fc from 'fast-check';
import { DEFAULT_DECISIONS } from '../../src/core/decisions/ledger.js';
import {
  alternativesTo,
  type Combination,
  nameOfAll,
} from '../../src/tools/matrix/alternatives.js';
import { searchCombinations } from '../../src/tools/matrix/breaking-combinations.js';
import { combinationsCovering, pairsOf } from '../../src/tools/matrix/covering-pairs.js';

const ALL = alternativesTo(DEFAULT_DECISIONS);
const someAlternatives = fc.subarray([...ALL], { maxLength: 15 });

/** Combinations of two or three alternatives. */
const small = fc
  .subarray([...ALL], { minLength: 2, maxLength: 3 })
  .filter((all) => new Set(all.map(({ decision }) => decision)).size === all.length);

/** The combinations that contain no other. */
function smallestOf(combinations: readonly Combination[]): string[] {
  const names = combinations
    .filter((all) => !combinations.some((one) => one.length < all.length && has(all, one)))
    .map(nameOfAll);
  return [...new Set(names)].sort();
}

function has(combination: Combination, part: Combination): boolean {
  return part.every((one) => combination.includes(one));
}

const COMBINATIONS = combinationsCovering(ALL);

/** Searches for the combinations that break a command; counts the unplanned runs. */
async function search(breaks: (combination: Combination) => boolean, jobs = 1) {
  let runs = 0;
  const found = await searchCombinations({
    combinations: COMBINATIONS,
    jobs,
    async run(alternatives) {
      runs += 1;
      if (jobs > 1) await new Promise(setImmediate);
      return { alternatives, outcome: breaks(alternatives) ? 'failed' : 'passed' } as const;
    },
  });
  const names = found.breaking.map(({ alternatives }) => nameOfAll(alternatives));
  return { ...found, names, extraRuns: runs - COMBINATIONS.length };
}

describe('combinations of alternatives', () => {
  test('have every pair of two decisions, and of one decision one value', () => {
    fc.assert(
      fc.property(someAlternatives, (alternatives) => {
        const combinations = combinationsCovering(alternatives);
        const covered = new Set(combinations.flatMap((one) => pairsOf(one).map(nameOfAll)));
        expect(covered).toEqual(new Set(pairsOf(alternatives).map(nameOfAll)));
        for (const one of combinations) {
          expect(new Set(one.map(({ decision }) => decision)).size).toBe(one.length);
          expect(one.length).toBeGreaterThan(1);
        }
      }),
    );
  });

  test('are few beside the pairs of the ledger', () => {
    expect(COMBINATIONS.length).toBeLessThan(pairsOf(ALL).length / 40);
  });

  test('lead to every pair that breaks a command, and to nothing larger than breaks it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(small, { maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        async (breaking, jobs) => {
          const breaks = (combination: Combination) =>
            breaking.some((one) => has(combination, one));
          const { names, unsteady } = await search(breaks, jobs);
          const smallest = smallestOf(breaking);
          expect(smallest).toEqual(expect.arrayContaining(names));
          const pairs = smallest.filter((name) => name.split(' + ').length === 2);
          expect(names).toEqual(expect.arrayContaining(pairs));
          expect(new Set(names).size).toBe(names.length);
          expect(unsteady).toEqual([]);
        },
      ),
    );
  });

  test('take about 14 more runs for a pair', async () => {
    const pairs = pairsOf(ALL).filter((_, nth) => nth % 10 === 0);
    const extraRuns: number[] = [];
    for (const pair of pairs) {
      extraRuns.push((await search((combination) => has(combination, pair))).extraRuns);
    }
    const sum = extraRuns.reduce((one, other) => one + other);
    expect(sum / pairs.length).toBeLessThan(14);
    expect(Math.max(...extraRuns)).toBeLessThan(20);
  });

  test('are untried where only silent runs had them', async () => {
    const [cached] = ALL;
    const { untried } = await searchCombinations({
      combinations: COMBINATIONS,
      jobs: 2,
      async run(alternatives) {
        const isCached = alternatives.some((one) => one === cached);
        return { alternatives, outcome: isCached ? 'no requests' : 'passed' } as const;
      },
    });
    const others = COMBINATIONS.filter((all) => all.every((one) => one !== cached));
    const pairs = pairsOf(ALL).filter((pair) => !others.some((all) => has(all, pair)));
    expect(untried.map(nameOfAll).sort()).toEqual(pairs.map(nameOfAll).sort());
  });

  test('that fail once only are said to be unsteady, and not narrowed down', async () => {
    let runs = 0;
    const { breaking, unsteady } = await searchCombinations({
      combinations: COMBINATIONS,
      jobs: 1,
      async run(alternatives) {
        runs += 1;
        return { alternatives, outcome: runs === 2 ? 'failed' : 'passed' } as const;
      },
    });
    expect(breaking).toEqual([]);
    expect(unsteady.map(({ alternatives }) => alternatives)).toEqual([COMBINATIONS[1]]);
    expect(runs).toBe(COMBINATIONS.length + 1);
  });
});
