import { type Combination, nameOfAll } from './alternatives.js';
import { createPairSet, type Pair, type PairSet, pairsOf } from './covering-pairs.js';
import { FLAKY, NO_REQUESTS, type Outcome } from './outcomes.js';

interface TriedCombination {
  readonly alternatives: Combination;
  /** `no requests` shows nothing about the combination. */
  readonly outcome: Outcome;
}

/** What a search for combinations that break the command found. */
export interface SearchResult<Run extends TriedCombination> {
  /**
   * Minimal combinations: bisection found no alternative that could be left out. One that a silent
   * run kept from being narrowed down may be larger.
   */
  readonly breaking: readonly Run[];
  /**
   * Flaky: they failed once, then passed; or they failed twice, but only because of one
   * alternative, which had passed alone.
   */
  readonly unsteady: readonly Run[];
  /** Combinations that passed without a request. */
  readonly silent: readonly Run[];
  /** Pairs that only runs without requests covered, so nothing is known about them. */
  readonly untried: readonly Pair[];
}

/**
 * Runs combinations, and narrows each that fails twice down to a minimal part that fails. Then runs
 * the combination again without each alternative of that part, unless that can show nothing new.
 */
export async function searchCombinations<Run extends TriedCombination>({
  combinations,
  jobs,
  run,
}: {
  /** None of their alternatives breaks the command alone. */
  readonly combinations: readonly Combination[];
  readonly jobs: number;
  readonly run: (alternatives: Combination) => Promise<Run>;
}): Promise<SearchResult<Run>> {
  const breaking: Run[] = [];
  const unsteady: Run[] = [];
  const silent: Run[] = [];
  const passed = createPairSet();
  const hasPassed = (combination: Combination) =>
    pairsOf(combination).every((pair) => passed.has(...pair));

  const runAndCover = async (combination: Combination) => {
    const ended = await run(combination);
    if (isSilent(ended)) silent.push(ended);
    else if (!hasFailed(ended)) passed.add(combination);
    return ended;
  };

  /** A minimal part of a combination that fails; undefined if the whole passes or is flaky. */
  async function findPart(combination: Combination): Promise<Combination | undefined> {
    const known = breaking.find(({ alternatives }) =>
      alternatives.every((one) => combination.includes(one)),
    );
    if (known) return known.alternatives;
    const first = await runAndCover(combination);
    // Bisecting a flaky command could end anywhere.
    const again = hasFailed(first) ? await runAndCover(combination) : first;
    if (isSilent(again)) return undefined;
    const found = hasFailed(again) ? await narrow(again, runAndCover) : again;
    if (!hasFailed(found) || found.alternatives.length < 2) {
      if (hasFailed(first)) unsteady.push({ ...first, outcome: FLAKY });
      return undefined;
    }
    // Another job may have found this part meanwhile.
    const name = nameOfAll(found.alternatives);
    if (!breaking.some(({ alternatives }) => nameOfAll(alternatives) === name))
      breaking.push(found);
    return found.alternatives;
  }

  async function tryCombination(combination: Combination): Promise<void> {
    if (hasPassed(combination)) return;
    const part = (await findPart(combination)) ?? [];
    for (const one of part) await tryCombination(combination.filter((other) => other !== one));
  }

  await inParallel(combinations, jobs, tryCombination);
  return { breaking, unsteady, silent, untried: untriedOf(silent, breaking, passed) };
}

function untriedOf(
  silent: readonly TriedCombination[],
  breaking: readonly TriedCombination[],
  passed: PairSet,
): readonly Pair[] {
  const found = new Set(breaking.map(({ alternatives }) => nameOfAll(alternatives)));
  const pairs = silent
    .flatMap(({ alternatives }) => pairsOf(alternatives))
    .filter((pair) => !passed.has(...pair) && !found.has(nameOfAll(pair)));
  return [...new Map(pairs.map((pair) => [nameOfAll(pair), pair])).values()];
}

/**
 * Finds a minimal failing part of a failed run. Each round bisects for the fewest of `others`, from
 * the first, that fail together with `needed`; the last of these is needed as well.
 */
async function narrow<Run extends TriedCombination>(
  failed: Run,
  run: (alternatives: Combination) => Promise<Run>,
): Promise<Run> {
  let smallest = failed;
  let needed: Combination = [];
  let others = failed.alternatives;
  while (others.length > 0) {
    let passing = 0;
    let failing = others.length;
    while (failing - passing > 1) {
      const middle = Math.ceil((passing + failing) / 2);
      const half = await run(inOrder(failed, [...needed, ...others.slice(0, middle)]));
      // A run without a request, as when a cache answers, proves nothing about this half.
      if (isSilent(half)) return smallest;
      if (hasFailed(half)) smallest = half;
      if (hasFailed(half)) failing = middle;
      else passing = middle;
    }
    needed = [...needed, ...others.slice(failing - 1, failing)];
    others = others.slice(0, failing - 1);
    // Known already: one alternative passes alone, and `needed` without others has failed.
    if (needed.length < 2 || others.length === 0) continue;
    const part = await run(inOrder(failed, needed));
    if (hasFailed(part)) return part;
  }
  return smallest;
}

function hasFailed({ outcome }: TriedCombination): boolean {
  return outcome === 'failed';
}

function isSilent({ outcome }: TriedCombination): boolean {
  return outcome === NO_REQUESTS;
}

function inOrder({ alternatives }: TriedCombination, part: Combination): Combination {
  return alternatives.filter((one) => part.includes(one));
}

export async function inParallel<Item>(
  items: readonly Item[],
  jobs: number,
  task: (item: Item, place: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const work = async () => {
    for (const [place, item] of queue) await task(item, place);
  };
  await Promise.all(Array.from({ length: jobs }, work));
}
