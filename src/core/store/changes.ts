import type { Base } from './base.js';
import { addRecord, type FingerprintSum } from './hash.js';
import {
  addTo,
  type Identified,
  IndexedRecords,
  type Indexes,
  removeFrom,
} from './indexed-records.js';
import { countUpTo } from './order.js';

/** A record that a soft delete keeps: it then has `deletedAt`. */
export interface Deletable extends Identified {
  readonly deletedAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** The timestamps of a deletion, which change neither the place nor the keys of a record. */
export type Deletion = Pick<Deletable, 'deletedAt' | 'updatedAt'>;

/** What became of a record. */
export interface Change<T> {
  /** The added or replacing record, `null` if it was removed, or the deleted one of the base. */
  readonly record: T | null;
  readonly deletion?: Deletion | undefined;
  /** In the order of first changes; stays the same whatever happens to earlier changes. */
  readonly number: number;
}

/** The changes to a base. Once a snapshot shares them, a collection changes a copy of them. */
export class Changes<T extends Deletable> {
  /** The records under the changes: those of the dataset, or none after `clear`. */
  readonly base: Base<T>;
  readonly byId: Map<string, Change<T>>;
  nextNumber: number;
  /** The added and replacing records; undefined until there is one. */
  own: ChangingRecords<T> | undefined;
  /** The records of the base that were replaced or removed. */
  hidden: ChangingRecords<T> | undefined;
  /** How many of them are deletions of records of the base. */
  deletions: number;
  #sum: FingerprintSum | undefined;

  constructor(base: Base<T>, copied?: Changes<T>) {
    this.base = base;
    this.byId = new Map(copied?.byId);
    this.nextNumber = copied?.nextNumber ?? 0;
    this.own = copied?.own && new ChangingRecords(base.indexes, copied.own);
    this.deletions = copied?.deletions ?? 0;
    this.hidden = copied?.hidden && new ChangingRecords({}, copied.hidden);
  }

  /** How many records are changed. */
  get count(): number {
    return this.byId.size;
  }

  /** How many records the changes add, less those that they remove. */
  get growth(): number {
    return (this.own?.size ?? 0) - (this.hidden?.size ?? 0);
  }

  get(id: string): T | undefined {
    const change = this.byId.get(id);
    if (!change) return this.base.get(id);
    if (!change.record || !change.deletion) return change.record ?? undefined;
    return Object.freeze({ ...change.record, ...change.deletion });
  }

  /** Replaces the change of a record, or drops it. */
  set(id: string, change: Change<T> | undefined): void {
    const isDeletion = (one: Change<T> | undefined) => Number(one?.deletion !== undefined);
    this.deletions += isDeletion(change) - isDeletion(this.byId.get(id));
    if (change) this.byId.set(id, change);
    else this.byId.delete(id);
    this.nextNumber = Math.max(this.nextNumber, (change?.number ?? -1) + 1);
    const isInPlace = !change || change.deletion !== undefined;
    if (!isInPlace) {
      this.own ??= new ChangingRecords(this.base.indexes);
      this.hidden ??= new ChangingRecords({});
    }
    this.own?.set(id, isInPlace ? undefined : (change.record ?? undefined));
    this.hidden?.set(id, isInPlace ? undefined : this.base.get(id));
    this.#sum = undefined;
  }

  /** The changes from a number on, by number: an undo may have put earlier ones back. */
  from(first: number): [id: string, change: Change<T>][] {
    return [...this.byId]
      .filter(([, { number }]) => number >= first)
      .sort(([, one], [, other]) => one.number - other.number);
  }

  /** The fingerprint sum of all records with their changes. Costs only the changes. */
  get sum(): FingerprintSum {
    this.#sum ??= [...this.byId.keys()].reduce((sum, id) => {
      const [unchanged, record] = [this.base.get(id), this.get(id)];
      const rest = unchanged ? addRecord(sum, unchanged, -1) : sum;
      return record ? addRecord(rest, record) : rest;
    }, this.base.sum);
    return this.#sum;
  }
}

/** Records that change one by one; what has been indexed and sorted follows each change. */
class ChangingRecords<T extends Identified> extends IndexedRecords<T> {
  protected readonly records: Map<string, T>;

  constructor(indexes: Indexes<T>, copied: Iterable<T> = []) {
    super(indexes);
    this.records = new Map(Array.from(copied, (record) => [record.id, record]));
  }

  /** Puts the record, or removes that with the id. */
  set(id: string, record: T | undefined): void {
    const before = this.records.get(id);
    if (before === record) return;
    if (record) this.records.set(id, record);
    else this.records.delete(id);
    for (const [index, byKey] of this.indexed) {
      if (before) removeFrom(byKey, this.indexes[index]?.(before), before);
      if (record) addTo(byKey, this.indexes[index]?.(record), record);
    }
    for (const { order, records } of this.sorted.values()) {
      if (before) records.splice(countUpTo(records, order, order.positionOf(before)) - 1, 1);
      if (record) records.splice(countUpTo(records, order, order.positionOf(record)), 0, record);
    }
  }
}
