import type { Base } from './base.js';
import type { ChangeSet } from './change-set.js';

/** The changes over a base, if there are any. */
type Changes<T extends { readonly id: string }> = ChangeSet<T> | undefined;

/**
 * The records of the base from a place on, each as the changes have it, then those added; each with
 * its place.
 */
export function* recordsFrom<T extends { readonly id: string }>(
  base: Base<T>,
  changes: Changes<T>,
  start: number,
): Generator<readonly [place: number, record: T], void> {
  for (const [place, unchanged] of base.from(start)) {
    const record = changes ? changes.insteadOf(unchanged) : unchanged;
    if (record) yield [place, record];
  }
  for (const [number, id] of changes?.idsFrom(start - base.size) ?? []) {
    const added = base.get(id) === undefined ? changes?.get(id) : undefined;
    if (added) yield [base.size + number, added];
  }
}

/** The records whose keys in the index include the key. */
export function findRecords<T extends { readonly id: string }>(
  base: Base<T>,
  changes: Changes<T>,
  index: string,
  key: string,
): readonly T[] {
  const unchanged = base.find(index, key);
  if (!changes) return unchanged;
  const others = changes.findChanged(index, key);
  if (others.length === 0 && !unchanged.some(({ id }) => changes.has(id))) return unchanged;
  const keysOf = base.indexes[index] ?? (() => []);
  const stillFound = unchanged.flatMap((record) => {
    const now = changes.insteadOf(record);
    const hasKey = now !== null && (now === record || keysOf(now).includes(key));
    return hasKey ? [now] : [];
  });
  return [...stillFound, ...others];
}
