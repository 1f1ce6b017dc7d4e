import type { Customer, Measurement } from '../../billing/resources.js';
import { hexHash } from '../../store/hash.js';
import type { Rows } from '../../store/rows.js';
import type { GenerateConfig, Meter } from '../fixture/fixture.js';
import { DAY_MS, daysBetween, timestamp } from './days.js';
import { fraction, fractionAfter } from './seeded-random.js';

const WEEKEND_SHARE = 0.35;
const GROWTH_PER_YEAR = 0.6;
const LONGEST_DELAY_S = 900;

/** One customer's use of one meter. */
interface Series {
  readonly customerId: string;
  readonly meter: Meter;
  /** The first 18 of an id's 24 hex digits; the day since 1970 follows. */
  readonly prefix: string;
  /** How much of the meter's daily usage the customer has on a weekday of the first year. */
  readonly size: number;
}

/**
 * Generates the usage of every customer, meter and day, with weekdays, growth and gaps. Stored as
 * columns, two numbers a measurement: the rest is computed from them, the seed and the series.
 */
export function generateMeasurements(
  { from, to, meters, gaps }: GenerateConfig,
  customers: readonly Customer[],
  seed: number,
): Rows<Measurement> {
  const days = daysBetween(from, to);
  const series = seriesOf(customers, meters, seed);
  const seriesColumn = new Uint32Array(series.length * days.length);
  const dayColumn = new Uint32Array(series.length * days.length);
  const starts = [0];
  let size = 0;
  for (const [index, { prefix }] of series.entries()) {
    const gapOn = fractionAfter(seed, 'gap', prefix);
    for (const [nth, day] of days.entries()) {
      if (gaps > 0 && gapOn(day / DAY_MS) < gaps) continue;
      seriesColumn[size] = index;
      dayColumn[size] = nth;
      size += 1;
    }
    starts.push(size);
  }
  const indexOf = new Map(series.map(({ prefix }, index) => [prefix, index]));
  const view = new MeasurementView(series, days, seed);
  const peekAt = (row: number) => view.at(seriesColumn[row] as number, dayColumn[row] as number);

  return {
    size,
    // Series are in the order of their prefixes, and the days of each ascend.
    areInIdOrder: true,
    ranks: { 'created-at': (row) => peekAt(row).createdMs },
    peekAt,
    recordAt: (row) => peekAt(row).toRecord(),
    rowOf(id) {
      const index = indexOf.get(id.slice(0, 18));
      if (index === undefined) return undefined;
      // The days of a series ascend from row to row.
      let low = starts[index] as number;
      let high = starts[index + 1] as number;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (peekAt(middle).id < id) low = middle + 1;
        else high = middle;
      }
      return low < (starts[index + 1] as number) && peekAt(low).id === id ? low : undefined;
    },
  };
}

/** Every series, in the order of its ids. */
function seriesOf(
  customers: readonly Customer[],
  meters: readonly Meter[],
  seed: number,
): readonly Series[] {
  return customers
    .flatMap(({ id: customerId }) =>
      meters.map((meter) => ({
        customerId,
        meter,
        prefix: hexHash(18, seed, 'measurements', customerId, meter.id),
        size: 0.2 + 3 * fraction(seed, 'size', customerId) ** 2,
      })),
    )
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
}

/** The measurement of one series on one day, each field computed when it is read. */
class MeasurementView implements Measurement {
  readonly #series: readonly Series[];
  readonly #days: readonly number[];
  readonly #dates: readonly Readonly<{ year: number; month: number; day: number }>[];
  readonly #seed: number;
  #index = 0;
  #nth = 0;

  constructor(series: readonly Series[], days: readonly number[], seed: number) {
    this.#series = series;
    this.#days = days;
    this.#dates = days.map(dateOf);
    this.#seed = seed;
  }

  /** Moves to another measurement. */
  at(index: number, nth: number): this {
    this.#index = index;
    this.#nth = nth;
    return this;
  }

  get id(): string {
    return this.#of.prefix + (this.#day / DAY_MS).toString(16).padStart(6, '0');
  }

  get customerId(): string {
    return this.#of.customerId;
  }

  get meterId(): string {
    return this.#of.meter.id;
  }

  get usageDate(): { year: number; month: number; day: number } {
    return this.#dates[this.#nth] as { year: number; month: number; day: number };
  }

  get value(): number {
    const { meter, size } = this.#of;
    const weekday = new Date(this.#day).getUTCDay();
    const share = weekday % 6 === 0 ? WEEKEND_SHARE : 1;
    const growth = 1 + (GROWTH_PER_YEAR * this.#nth) / 365;
    const noise = 0.85 + 0.3 * this.#fraction('noise');
    return Number((meter.dailyUsage * size * share * growth * noise).toFixed(meter.decimals ?? 0));
  }

  get createdAt(): string {
    return timestamp(this.createdMs);
  }

  /** `createdAt` in ms since 1970. */
  get createdMs(): number {
    const delayS = Math.floor(LONGEST_DELAY_S * this.#fraction('delay'));
    return this.#day + DAY_MS + 1_000 * delayS;
  }

  get updatedAt(): string {
    return this.createdAt;
  }

  toRecord(): Measurement {
    const { id, customerId, meterId, usageDate, value, createdAt } = this;
    return Object.freeze({
      id,
      customerId,
      meterId,
      usageDate,
      value,
      createdAt,
      updatedAt: createdAt,
    });
  }

  get #of(): Series {
    return this.#series[this.#index] as Series;
  }

  get #day(): number {
    return this.#days[this.#nth] as number;
  }

  #fraction(what: string): number {
    return fraction(this.#seed, what, this.#of.prefix, this.#day / DAY_MS);
  }
}

function dateOf(ms: number): Readonly<{ year: number; month: number; day: number }> {
  const date = new Date(ms);
  return Object.freeze({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  });
}
