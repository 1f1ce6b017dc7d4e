import type { DecisionValue, Measurement } from '../../src/index.js';

export type OrderName = DecisionValue<'measurement-order'>;

/** Below 0 if the first is listed before the second, above 0 if after it, 0 for the same place. */
type Comparison = (one: Measurement, other: Measurement) => number;

const COMPARISONS: Readonly<Record<OrderName, Comparison>> = {
  'usage-date': (one, other) => compareDays(one, other) || compareIds(one, other),
  'newest-first': (one, other) => compareDays(other, one) || compareIds(one, other),
  'created-at': (one, other) => compareTimes(one, other) || compareIds(one, other),
  id: compareIds,
};

export const ORDERS = Object.keys(COMPARISONS) as OrderName[];

/** A model of an account's listing: a map that is sorted whenever it is read. */
export class ListingModel {
  readonly compare: Comparison;
  readonly #opening: readonly Measurement[];
  #records = new Map<string, Measurement>();

  constructor(order: OrderName, opening: readonly Measurement[]) {
    this.compare = COMPARISONS[order];
    this.#opening = opening;
    this.reset();
  }

  get size(): number {
    return this.#records.size;
  }

  /** Every record that is listed after this one, which need not exist; all records without one. */
  after(last: Measurement | undefined): Measurement[] {
    return [...this.#records.values()]
      .filter((record) => last === undefined || this.compare(record, last) > 0)
      .sort(this.compare);
  }

  /** Whether the record still exists, at the same place. */
  stillHas(record: Measurement): boolean {
    const current = this.#records.get(record.id);
    return current !== undefined && this.compare(current, record) === 0;
  }

  put(record: Measurement): void {
    this.#records.set(record.id, record);
  }

  remove(id: string): boolean {
    return this.#records.delete(id);
  }

  reset(): void {
    this.#records = new Map(this.#opening.map((record) => [record.id, record]));
  }
}

/** A walk from the first page to the last, and the records that it must return. */
export class Walk {
  /** The last record that was returned. */
  last: Measurement | undefined;
  /** The cursor of the next page. */
  cursor: string | undefined;
  isOver = false;
  readonly #model: ListingModel;
  readonly #returned: Measurement[] = [];
  /** The records that have existed, at the same place, since the walk began. */
  #survivors: readonly Measurement[];

  constructor(model: ListingModel) {
    this.#model = model;
    this.#survivors = model.after(undefined);
  }

  /** Takes a page that was returned. */
  take(measurements: readonly Measurement[], nextCursor: string | undefined): void {
    this.#returned.push(...measurements);
    this.last = measurements.at(-1) ?? this.last;
    this.cursor = nextCursor;
    this.isOver = nextCursor === undefined;
  }

  /** Notes a change while pages are still to come. */
  noteChange(): void {
    if (this.isOver) return;
    this.#survivors = this.#survivors.filter((record) => this.#model.stillHas(record));
  }

  /** Expects each survivor to have been returned once, and no place of the listing twice. */
  expectNothingLost(): void {
    const times = new Map<string, number>();
    for (const { id } of this.#returned) times.set(id, (times.get(id) ?? 0) + 1);
    const notOnce = this.#survivors.filter(({ id }) => times.get(id) !== 1);
    const again = this.#returned.filter((record, at) => {
      const before = this.#returned[at - 1];
      return before !== undefined && this.#model.compare(before, record) >= 0;
    });
    expect({ notOnce, again }).toEqual({ notOnce: [], again: [] });
  }
}

function compareDays({ usageDate: one }: Measurement, { usageDate: other }: Measurement): number {
  const years = (one?.year ?? 0) - (other?.year ?? 0);
  const months = (one?.month ?? 0) - (other?.month ?? 0);
  const days = (one?.day ?? 0) - (other?.day ?? 0);
  return years || months || days;
}

function compareTimes(one: Measurement, other: Measurement): number {
  return Date.parse(one.createdAt) - Date.parse(other.createdAt);
}

function compareIds({ id: one }: Measurement, { id: other }: Measurement): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
