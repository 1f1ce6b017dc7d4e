import { type FingerprintSum, sumOf } from './hash.js';
import { type Identified, IndexedRecords, type Indexes } from './indexed-records.js';

/** The records of a dataset, which its accounts share. They are made when one is first read. */
export class Base<T extends Identified> extends IndexedRecords<T> {
  #make: (() => ReadonlyMap<string, T>) | undefined;
  #records: ReadonlyMap<string, T> = new Map();
  #list: readonly T[] | undefined;
  #sum: FingerprintSum | undefined;

  /** `make` returns the frozen records by id. Their sum may be known before they are made. */
  constructor(indexes: Indexes<T>, make: () => ReadonlyMap<string, T>, sum?: FingerprintSum) {
    super(indexes);
    this.#make = make;
    this.#sum = sum;
  }

  protected get records(): ReadonlyMap<string, T> {
    if (this.#make) this.#records = this.#make();
    this.#make = undefined;
    return this.#records;
  }

  /** Every record, in the order in which they were made. */
  get list(): readonly T[] {
    this.#list ??= [...this];
    return this.#list;
  }

  /** The fingerprint sum of all records. */
  get sum(): FingerprintSum {
    this.#sum ??= sumOf(this);
    return this.#sum;
  }
}
