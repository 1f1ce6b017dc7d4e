import type { Base } from './base.js';
import type { ChangeSet } from './change-set.js';

/** The changes over a base, if there are any. */
type Changes<T extends { readonly id: string }> = ChangeSet<T> | undefined;

/**
 * The records of the base from a place on, each as the changes have it, then those added; each with
 * its place. The place of an added record changes when one before it is removed, so that the id
 * counts, if it is known.
 */
export function* recordsFrom<T extends { readonly id: string }>(
  base: Base<T>,
  changes: Changes<T>,
  start: number,
  id: string,
): Generator<readonly [place: number, record: T], void> {
  for (const [place, unchanged] of base.from(start)) {
    const record = changes ? changes.insteadOf(unchanged) : unchanged;
    if (record) yield [place, record];
  }
  const ids = [...(changes?.ids() ?? [])];
  const known = start < base.size ? -1 : ids.indexOf(id);
  const first = known < 0 ? Math.max(0, start - base.size) : known;
  for (const [nth, other] of ids.slice(first).entries()) {
    const added = base.get(other) === undefined ? changes?.get(other) : undefined;
    if (added) yield [base.size + first + nth, added];
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
