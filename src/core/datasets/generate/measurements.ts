import type { Customer, Measurement } from '../../billing/resources.js';
import { beginHash, hexHash } from '../../store/hash.js';
import type { Rows } from '../../store/shared-records.js';
import type { GenerateConfig, Meter } from '../fixture/fixture.js';
import { DAY_MS, timestamp, type UsageDay, usageDays } from './days.js';
import { endFraction, fraction } from './random-per-record.js';

/** The measurements of a day are stored in its last 15 minutes. */
const MAX_DELAY_S = 900;

/** How the usage of a meter varies from day to day. */
interface Shape {
  /** Usage at weekends, as a share of that on a weekday. */
  readonly weekend: number;
  /** How far a day may be above or below the others, as a share. */
  readonly noise: number;
  /** True if usage follows the seasons. */
  readonly isSeasonal?: boolean;
  /** True if usage grows once a month, rather than day by day. */
  readonly isMonthly?: boolean;
}

const SHAPES: Readonly<Record<NonNullable<Meter['shape']>, Shape>> = {
  calls: { weekend: 0.35, noise: 0.15, isSeasonal: true },
  minutes: { weekend: 0.12, noise: 0.3, isSeasonal: true },
  // Stored data never shrinks: without noise, only its growth varies.
  stored: { weekend: 1, noise: 0 },
  seats: { weekend: 1, noise: 0, isMonthly: true },
};

/** One customer's use of one meter. */
interface Series {
  readonly customerId: string;
  readonly meter: Meter;
  /** The first 18 of an id's 24 hex digits; the other six count the days since 1970-01-01. */
  readonly prefix: string;
  readonly shape: Shape;
  /** The customer's usage on a weekday, before any growth. */
  readonly dailyUsage: number;
  /** Growth in a year, as a share of `dailyUsage`. */
  readonly growth: number;
  /** Further changes, such as outages. */
  readonly changes: readonly { fromMs: number; toMs: number; factor: number }[];
  /** The hash for the noise, to be completed with the day. */
  readonly begunNoise: number;
  /** The hash for the delays, to be completed with the day. */
  readonly begunDelay: number;
}

/**
 * Generates the usage of every customer, meter and day, with weekdays, growth and gaps. Stores two
 * numbers for each measurement, from the first time that one is read, and computes the rest from
 * them, the seed and the series. Ids ascend: series are sorted by prefix, and the days of each ascend.
 */
export function generateMeasurements(
  config: GenerateConfig,
  customers: readonly Customer[],
  seed: number,
): Rows<Measurement> {
  const usage = onFirstUse(() => usageOf(config, customers, seed));
  const columns = onFirstUse(() => drawColumns(usage(), config.gaps, seed));
  const view = new MeasurementView();
  const peekAt = (row: number) => {
    const { series, days } = usage();
    const { seriesOfRow, dayOfRow } = columns();
    return view.at(
      series[seriesOfRow[row] as number] as Series,
      days[dayOfRow[row] as number] as UsageDay,
    );
  };

  return {
    get size() {
      return columns().starts.at(-1) as number;
    },
    ranks: {
      'created-at': (row) => peekAt(row).createdMs,
      'usage-date': (row) => columns().dayOfRow[row] as number,
    },
    peekAt,
    recordAt: (row) => peekAt(row).toRecord(),
    rowOf(id) {
      const index = usage().indexOf.get(id.slice(0, 18));
      const nth = usage().nthOf.get(id.slice(18));
      if (index === undefined || nth === undefined) return undefined;
      const { starts, dayOfRow } = columns();
      const start = starts[index] as number;
      const at = dayOfRow.subarray(start, starts[index + 1]).indexOf(nth);
      return at < 0 ? undefined : start + at;
    },
  };
}

function onFirstUse<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** Every series and every day, and where those of an id are. */
interface Usage {
  readonly series: readonly Series[];
  readonly days: readonly UsageDay[];
  /** By the first 18 digits of an id. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** By the last six digits of an id. */
  readonly nthOf: ReadonlyMap<string, number>;
}

function usageOf(config: GenerateConfig, customers: readonly Customer[], seed: number): Usage {
  const days = usageDays(config.from, config.to);
  const series = seriesOf(config, customers, seed);
  return {
    series,
    days,
    indexOf: new Map(series.map(({ prefix }, index) => [prefix, index])),
    nthOf: new Map(days.map(({ idSuffix }, nth) => [idSuffix, nth])),
  };
}

/** The series and the day of each row. */
interface Columns {
  readonly seriesOfRow: Uint32Array;
  readonly dayOfRow: Uint32Array;
  /** The row at which each series starts; the last is how many rows there are. */
  readonly starts: readonly number[];
}

function drawColumns({ series, days }: Usage, gaps: number, seed: number): Columns {
  const seriesOfRow = new Uint32Array(series.length * days.length);
  const dayOfRow = new Uint32Array(series.length * days.length);
  const starts = [0];
  let size = 0;
  for (const [index, { prefix, changes }] of series.entries()) {
    const gap = beginHash(seed, 'gap', prefix);
    for (const [nth, day] of days.entries()) {
      if (gaps > 0 && endFraction(gap, day.daysSince1970) < gaps) continue;
      if (changes.length > 0 && factorOn(day, changes) === 0) continue;
      seriesOfRow[size] = index;
      dayOfRow[size] = nth;
      size += 1;
    }
    starts.push(size);
  }
  return { seriesOfRow, dayOfRow, starts };
}

function seriesOf(
  { meters, changes }: GenerateConfig,
  customers: readonly Customer[],
  seed: number,
): readonly Series[] {
  return customers
    .flatMap(({ id: customerId }) => {
      const size = 0.2 + 3 * fraction(seed, 'size', customerId) ** 2;
      const growth = 0.2 + 0.8 * fraction(seed, 'growth', customerId);
      return meters.map((meter) => {
        const prefix = hexHash(18, seed, 'measurements', customerId, meter.id);
        return {
          customerId,
          meter,
          prefix,
          shape: SHAPES[meter.shape ?? 'calls'],
          dailyUsage: meter.dailyUsage * size,
          growth,
          changes: changes
            .filter(
              (change) =>
                (change.customerId ?? customerId) === customerId &&
                (change.meterId ?? meter.id) === meter.id,
            )
            .map(({ from = '1970-01-01', to = '9999-12-31', factor }) => {
              return { fromMs: Date.parse(from), toMs: Date.parse(to), factor };
            }),
          begunNoise: beginHash(seed, 'noise', prefix),
          begunDelay: beginHash(seed, 'delay', prefix),
        };
      });
    })
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
}

function factorOn({ midnightMs }: UsageDay, changes: Series['changes']): number {
  let product = 1;
  for (const { fromMs, toMs, factor } of changes) {
    if (fromMs <= midnightMs && midnightMs <= toMs) product *= factor;
  }
  return product;
}

/** Up to here, a product with a power of ten is off by less than `NEAR`. */
const LARGE = 1e9;
const NEAR = 1e-6;

/** `Number(value.toFixed(digits))`; takes a tenth of the time unless large or near a tie. */
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
  /** The ends of timestamps, by the delay in seconds. */
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
    const { meter, shape, dailyUsage, growth, changes, begunNoise } = this.#series;
    const { daysSince1970, isWeekend, season, nth, nthOfMonth } = this.#day;
    const chance = endFraction(begunNoise, daysSince1970);
    const days = shape.isMonthly ? nthOfMonth : shape.noise === 0 ? nth + chance : nth;
    const grown = dailyUsage * (1 + (growth * days) / 365);
    const share = (isWeekend ? shape.weekend : 1) * (shape.isSeasonal ? season : 1);
    const noise = 1 + shape.noise * (2 * chance - 1);
    const factor = changes.length > 0 ? factorOn(this.#day, changes) : 1;
    return rounded(grown * share * noise * factor, meter.decimals ?? 0);
  }

  get createdAt(): string {
    const delayS = this.#delayS;
    this.#ends[delayS] ??= timestamp(DAY_MS - 1_000 * (1 + delayS)).slice(-'00:00.000Z'.length);
    return this.#day.lastHour + this.#ends[delayS];
  }

  /** `createdAt` in ms since 1970. */
  get createdMs(): number {
    return this.#day.midnightMs + DAY_MS - 1_000 * (1 + this.#delayS);
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
    return Math.floor(MAX_DELAY_S * endFraction(begunDelay, this.#day.daysSince1970));
  }
}
