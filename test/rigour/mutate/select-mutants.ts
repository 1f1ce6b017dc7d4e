import { execFileSync } from 'node:child_process';
import type { Selection } from './flags.js';
import type { Mutant } from './mutant.js';
import { isBelow } from './mutated-files.js';

/** The lines changed since a commit, by file. */
function changedSince(ref: string): Map<string, Set<number>> {
  const args = ['diff', '--unified=0', '--no-color', ref, '--', 'src'];
  const changed = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of execFileSync('git', args, { encoding: 'utf8' }).split('\n')) {
    const file = /^\+\+\+ b\/(.+)$/.exec(line)?.[1];
    if (file) {
      lines = new Set();
      changed.set(file, lines);
    }
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    for (let index = 0; start !== undefined && index < Number(count); index += 1) {
      lines.add(Number(start) + index);
    }
  }
  return changed;
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = seeded(seed);
  return mutants
    .map((mutant) => ({ mutant, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** The mutants that a run is asked for. */
export function selectMutants(all: readonly Mutant[], selection: Selection): Mutant[] {
  const { since, files, sample, seed } = selection;
  const changed = since === undefined ? undefined : changedSince(since);
  const asked = all.filter(({ file, line }) => {
    const isAsked = files.length === 0 || files.some((path) => isBelow(path, file));
    return isAsked && (!changed || changed.get(file)?.has(line));
  });
  return sample === undefined ? asked : draw(asked, sample, seed);
}
