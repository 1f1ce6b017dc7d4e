import type { Customer, Measurement } from '../../billing/resources.js';
import type { Rows } from '../../store/base.js';
import { beginHash, hexHash } from '../../store/hash.js';
import type { GenerateConfig, Meter } from '../fixture/fixture.js';
import { timestamp, type UsageDay, usageDays } from './days.js';
import { endFraction, fraction } from './seeded-random.js';

const LONGEST_DELAY_S = 900;

/** One customer's use of one meter. */
interface Series {
  readonly customerId: string;
  readonly meter: Meter;
  /** The first 18 of an id's 24 hex digits; the day since 1970 follows. */
  readonly prefix: string;
  /** The customer's usage on a weekday of the first year. */
  readonly dailyUsage: number;
  /** The hash of its noise, begun: the day is the last part. */
  readonly begunNoise: number;
  /** That of its delays. */
  readonly begunDelay: number;
}

/**
 * Generates the usage of every customer, meter and day, with weekdays, growth and gaps. Stored as
 * columns, two numbers a measurement: the rest is computed from them, the seed and the series. Their
 * ids rise: series are in the order of their prefixes, and the days of each ascend.
 */
export function generateMeasurements(
  { from, to, meters, gaps }: GenerateConfig,
  customers: readonly Customer[],
  seed: number,
): Rows<Measurement> {
  const days = usageDays(from, to);
  const series = seriesOf(customers, meters, seed);
  const seriesColumn = new Uint32Array(series.length * days.length);
  const dayColumn = new Uint32Array(series.length * days.length);
  const starts = [0];
  let size = 0;
  for (const [index, { prefix }] of series.entries()) {
    const gap = beginHash(seed, 'gap', prefix);
    for (const [nth, { daysSince1970 }] of days.entries()) {
      if (gaps > 0 && endFraction(gap, daysSince1970) < gaps) continue;
      seriesColumn[size] = index;
      dayColumn[size] = nth;
      size += 1;
    }
    starts.push(size);
  }
  const indexOf = new Map(series.map(({ prefix }, index) => [prefix, index]));
  const nthOf = new Map(days.map(({ idSuffix }, nth) => [idSuffix, nth]));
  const view = new MeasurementView();
  const peekAt = (row: number) =>
    view.at(
      series[seriesColumn[row] as number] as Series,
      days[dayColumn[row] as number] as UsageDay,
    );

  return {
    size,
    ranks: {
      'created-at': (row) => peekAt(row).createdMs,
      'usage-date': (row) => dayColumn[row] as number,
    },
    peekAt,
    recordAt: (row) => peekAt(row).toRecord(),
    rowOf(id) {
      const index = indexOf.get(id.slice(0, 18));
      const nth = nthOf.get(id.slice(18));
      if (index === undefined || nth === undefined) return undefined;
      const start = starts[index] as number;
      const at = dayColumn.subarray(start, starts[index + 1]).indexOf(nth);
      return at < 0 ? undefined : start + at;
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
    .flatMap(({ id: customerId }) => {
      const size = 0.2 + 3 * fraction(seed, 'size', customerId) ** 2;
      return meters.map((meter) => {
        const prefix = hexHash(18, seed, 'measurements', customerId, meter.id);
        return {
          customerId,
          meter,
          prefix,
          dailyUsage: meter.dailyUsage * size,
          begunNoise: beginHash(seed, 'noise', prefix),
          begunDelay: beginHash(seed, 'delay', prefix),
        };
      });
    })
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
}

/** Up to here the product of a number and a power of ten is off by less than `NEAR`. */
const LARGE = 1e9;
const NEAR = 1e-6;

/** `Number(value.toFixed(digits))`, but in a tenth of the time where it is not near a tie. */
function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  const scaled = value * scale;
  const whole = Math.round(scaled);
  const isNearTie = Math.abs(Math.abs(scaled - whole) - 0.5) < NEAR;
  return isNearTie || scaled > LARGE ? Number(value.toFixed(digits)) : whole / scale;
}

/** The measurement of one series on one day, each field computed when it is read. */
class MeasurementView implements Measurement {
  // No field is read before the view has moved to a measurement.
  #series = {} as Series;
  #day = {} as UsageDay;
  /** How timestamps end, by the delay in seconds. */
  readonly #ends: string[] = [];

  /** Moves to another measurement. */
  at(series: Series, day: UsageDay): this {
    this.#series = series;
    this.#day = day;
    return this;
  }

  get id(): string {
    return this.#series.prefix + this.#day.idSuffix;
  }

  get customerId(): string {
    return this.#series.customerId;
  }

  get meterId(): string {
    return this.#series.meter.id;
  }

  get usageDate(): UsageDay['date'] {
    return this.#day.date;
  }

  get value(): number {
    const { meter, dailyUsage, begunNoise } = this.#series;
    const { weekdayShare, growth, daysSince1970 } = this.#day;
    const noise = 0.85 + 0.3 * endFraction(begunNoise, daysSince1970);
    return rounded(dailyUsage * weekdayShare * growth * noise, meter.decimals ?? 0);
  }

  get createdAt(): string {
    const delayS = this.#delayS;
    this.#ends[delayS] ??= timestamp(1_000 * delayS).slice(-'00:00.000Z'.length);
    return this.#day.endHour + this.#ends[delayS];
  }

  /** `createdAt` in ms since 1970. */
  get createdMs(): number {
    return this.#day.endMs + 1_000 * this.#delayS;
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

  get #delayS(): number {
    const { begunDelay } = this.#series;
    return Math.floor(LONGEST_DELAY_S * endFraction(begunDelay, this.#day.daysSince1970));
  }
}
