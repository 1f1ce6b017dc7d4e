import { type ChangedRecord, Changes, type Deletable } from './changes.js';
import type { FingerprintSum } from './hash.js';
import {
  type Base,
  comparePositions,
  countRecordsUpTo,
  createBase,
  keepRows,
  type Order,
  type Page,
  type Position,
  takePage,
} from './shared-records.js';
import { joinUndos, Undo } from './undo.js';
import type { Steps } from './work-in-steps.js';

/**
 * A copy-on-write fork of a base. Forking, taking a snapshot and restoring one cost nothing, but
 * the next change copies all changes. A soft delete is an `update` with `deletedAt`; `remove`
 * leaves no tombstone.
 */
export class Collection<T extends Deletable> implements Base<T> {
  #base: Base<T>;
  /** Created at the first change, because most forks change one collection or none. */
  #changes: Changes<T> | undefined;
  /** Whether a snapshot shares the changes, so that the next change must copy them. */
  #isShared = false;
  #isRecording = false;
  /** What undoes the changes since recording began; undefined before the first. */
  #undo: Undo<T> | undefined;

  constructor(base: Base<T>) {
    this.#base = base;
  }

  /** How many records there are, soft-deleted ones included. */
  get size(): number {
    return (this.#changes ?? this.#base).size;
  }

  get changeCount(): number {
    return this.#changes?.count ?? 0;
  }

  /** How many of them are records of the base that were deleted and left a tombstone. */
  get deletions(): number {
    return this.#changes?.deletions ?? 0;
  }

  hasChanged(id: string): boolean {
    return this.#changes?.has(id) ?? false;
  }

  get indexes(): Base<T>['indexes'] {
    return this.#base.indexes;
  }

  /** The record with this id, soft-deleted or not. */
  get(id: string): T | undefined {
    const changed = this.#changes?.get(id);
    return changed === undefined ? this.#unchanged.get(id) : (changed ?? undefined);
  }

  /** Every record: those of the base in its order, then the added ones as they were added. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (const [, record] of this.from(0)) yield record;
  }

  /**
   * The records from a place on, each with its place, in the order of the iterator. A record keeps
   * its place when others are removed. The cost does not depend on how many records of the base
   * precede.
   */
  *from(start: number): Generator<readonly [place: number, record: T], void> {
    const [base, changes] = [this.#unchanged, this.#changes];
    for (const [place, unchanged] of base.from(start)) {
      const record = changes ? changes.insteadOf(unchanged) : unchanged;
      if (record) yield [place, record];
    }
    for (const [number, id] of changes?.idsFrom(start - base.size) ?? []) {
      const added = base.get(id) === undefined ? changes?.get(id) : undefined;
      if (added) yield [base.size + number, added];
    }
  }

  find(index: string, key: string): readonly T[] {
    const unchanged = this.#unchanged.find(index, key);
    const changes = this.#changes;
    if (!changes) return unchanged;
    const others = changes.findChanged(index, key);
    if (others.length === 0 && !unchanged.some(({ id }) => changes.has(id))) return unchanged;
    const keysOf = this.indexes[index] ?? (() => []);
    const stillFound = unchanged.flatMap((record) => {
      const now = changes.insteadOf(record);
      const hasKey = now !== null && (now === record || keysOf(now).includes(key));
      return hasKey ? [now] : [];
    });
    return [...stillFound, ...others];
  }

  page(order: Order<T>, position: Position | undefined, limit: number): Page<T> {
    if (!this.#changes) return this.#base.page(order, position, limit);
    return takePage(this.after(order, position), limit);
  }

  *after(order: Order<T>, position: Position | undefined): Generator<T, void> {
    const changes = this.#changes;
    const unchanged = this.#unchanged.after(order, position);
    const changed = changes?.in(order).added ?? [];
    let at = countRecordsUpTo(changed, order, position);
    for (let next = unchanged.next(); !next.done; next = unchanged.next()) {
      if (changes?.has(next.value.id)) continue;
      for (let other = changed[at]; other && isBefore(order, other, next.value); ) {
        yield other;
        at += 1;
        other = changed[at];
      }
      yield next.value;
    }
    yield* changed.slice(at);
  }

  countUpTo(order: Order<T>, position: Position): number {
    const unchanged = this.#unchanged.countUpTo(order, position);
    if (!this.#changes) return unchanged;
    const { added, hidden } = this.#changes.in(order);
    const replaced = countRecordsUpTo(hidden, order, position);
    return unchanged - replaced + countRecordsUpTo(added, order, position);
  }

  /** Costs only the changes, once the base has its sum. */
  summing(): Steps<FingerprintSum> {
    return (this.#changes ?? this.#base).summing();
  }

  /**
   * How changed records differ from the base, from a number on, as `Changes` numbers them. After
   * `clear`, only what was put since counts as changed.
   */
  *changedFrom(first: number): Generator<readonly [number: number, changed: ChangedRecord], void> {
    for (const [number, id] of this.#changes?.idsFrom(first) ?? []) {
      const wasThere = this.#base.get(id) !== undefined;
      const change = this.get(id) === undefined ? 'removed' : wasThere ? 'updated' : 'added';
      yield [number, { id, change }];
    }
  }

  /** Adds the record, or replaces the one with its id. */
  put(record: T): void {
    this.#change(record.id, (changes) => changes.set(record.id, record));
  }

  /** Updates members of a record that was read from here; returns the new record. */
  update(record: T, members: Partial<T>): T {
    return this.#change(record.id, (changes) => changes.update(record, members));
  }

  /** Removes the record without a tombstone; returns whether there was one. */
  remove(id: string): boolean {
    if (this.get(id) === undefined) return false;
    this.#change(id, (changes) => changes.set(id, null));
    return true;
  }

  /** Whether all records of the base were removed by `clear`. */
  get isCleared(): boolean {
    return this.#unchanged !== this.#base;
  }

  /** Removes all records, at the cost of a single change. */
  clear(): void {
    this.restore(new Changes(createBase(keepRows<T>([]), this.#base.indexes)));
  }

  /** The changes as they are now, which the next change copies. */
  snapshot(): Changes<T> | undefined {
    this.#isShared = true;
    return this.#changes;
  }

  /** Restores a snapshot of this collection, or of another over the same base. */
  restore(saved: Changes<T> | undefined): void {
    this.#recorded?.noteReplaced(this.snapshot(), this.size);
    this.#changes = saved;
    this.#isShared = true;
  }

  /** Begins to record what undoes its changes. */
  startRecording(): void {
    this.#isRecording = true;
  }

  /** Ends recording; returns what undoes the changes since it began, or undefined without any. */
  stopRecording(): Undo<T> | undefined {
    const undo = this.#undo?.end(this.#nextNumber);
    this.#isRecording = false;
    this.#undo = undefined;
    return undo && (undo.replaced || undo.count > 0) ? undo : undefined;
  }

  /** Undoes operations since which nothing else has changed it, the latest first. */
  undo(undos: readonly Undo<T>[]): void {
    const { replaced, earlier, first } = joinUndos(undos);
    if (replaced) this.restore(replaced.changes);
    this.#act((changes) => changes.putBack(earlier, first));
  }

  /** Becomes an unchanged fork of another base. */
  rebase(base: Base<T>): void {
    this.restore(undefined);
    this.#base = base;
  }

  get #unchanged(): Base<T> {
    return this.#changes?.base ?? this.#base;
  }

  get #nextNumber(): number {
    return this.#changes?.nextNumber ?? 0;
  }

  get #recorded(): Undo<T> | undefined {
    if (this.#isRecording) this.#undo ??= new Undo(this.#nextNumber);
    return this.#undo;
  }

  #change<Result>(id: string, act: (changes: Changes<T>) => Result): Result {
    this.#recorded?.note(id, this.#changes?.changeOf(id));
    return this.#act(act);
  }

  #act<Result>(act: (changes: Changes<T>) => Result): Result {
    if (!this.#changes) this.#changes = new Changes(this.#base);
    else if (this.#isShared) this.#changes = this.#changes.copy();
    this.#isShared = false;
    return act(this.#changes);
  }
}

function isBefore<T>({ positionOf }: Order<T>, one: T, other: T): boolean {
  return comparePositions(positionOf(one), positionOf(other)) < 0;
}
