import { type FingerprintSum, sumOf } from './hash.js';
import { type Identified, IndexedRecords, type Indexes } from './indexed-records.js';

/** What the build has found out about the records of a shipped dataset, which need not be made for it. */
export interface Known {
  readonly size: number;
  readonly sum: FingerprintSum;
}

/** The records of a dataset, which its accounts share. They are made when one is first read. */
export class Base<T extends Identified> extends IndexedRecords<T> {
  #make: (() => ReadonlyMap<string, T>) | undefined;
  #records: ReadonlyMap<string, T> = new Map();
  #list: readonly T[] | undefined;
  readonly #known: Known | undefined;
  #sum: FingerprintSum | undefined;

  /** `make` returns the frozen records by id; their size and sum may be known before that. */
  constructor(indexes: Indexes<T>, make: () => ReadonlyMap<string, T>, known?: Known) {
    super(indexes);
    this.#make = make;
    this.#known = known;
  }

  protected get records(): ReadonlyMap<string, T> {
    if (this.#make) this.#records = this.#make();
    this.#make = undefined;
    return this.#records;
  }

  override get size(): number {
    return this.#known?.size ?? super.size;
  }

  /** Every record, in the order in which they were made. */
  get list(): readonly T[] {
    this.#list ??= [...this];
    return this.#list;
  }

  /** The fingerprint sum of all records. */
  get sum(): FingerprintSum {
    this.#sum ??= this.#known?.sum ?? sumOf(this);
    return this.#sum;
  }
}
