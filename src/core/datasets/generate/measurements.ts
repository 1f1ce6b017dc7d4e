import type { Customer, Measurement } from '../../billing/resources.js';
import { beginHash, hexHash } from '../../store/hash.js';
import type { GenerateConfig, Meter } from '../fixture/fixture.js';
import { DAY_MS, daysBetween, timestamp } from './days.js';
import { endFraction, fraction } from './random-per-record.js';

/** The measurements of a day are stored in its last 15 minutes. */
const MAX_DELAY_S = 900;
const DATE_LENGTH = '2026-01-01'.length;

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

/** Business by month: slow in summer, busy before the year ends. */
const SEASONS = [1, 0.99, 1, 1.01, 1, 0.97, 0.93, 0.92, 0.99, 1.03, 1.08, 1.07] as const;

/** One customer's use of one meter. */
interface Series {
  readonly customerId: string;
  readonly meter: Meter;
  /** The first 18 of an id's 24 hex digits; the other six count the days since 1970-01-01. */
  readonly prefix: string;
}

/**
 * Generates the usage of every customer, meter and day, with weekdays, growth and gaps. Ids ascend:
 * series are sorted by prefix, and the days of each ascend.
 */
export function generateMeasurements(
  config: GenerateConfig,
  customers: readonly Customer[],
  seed: number,
): Measurement[] {
  const days = daysBetween(config.from, config.to).map(usageDay);
  // Made once: writing a timestamp takes longer than the rest of a measurement.
  const times = Array.from({ length: MAX_DELAY_S }, (_, delayS) => {
    const second = 3_599 - delayS;
    return `T23:${twoDigits(Math.floor(second / 60))}:${twoDigits(second % 60)}.000Z`;
  });
  const series = customers
    .flatMap(({ id: customerId }) =>
      config.meters.map((meter): Series => {
        const prefix = hexHash(18, seed, 'measurements', customerId, meter.id);
        return { customerId, meter, prefix };
      }),
    )
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1));
  const measurements: Measurement[] = [];
  for (const one of series) addMeasurements(measurements, one, config, { days, times }, seed);
  return measurements;
}

function twoDigits(n: number): string {
  return n < 10 ? `0${n}` : String(n);
}

type UsageDay = ReturnType<typeof usageDay>;

/** What all measurements of one day share. */
function usageDay(midnightMs: number, nth: number) {
  const at = new Date(midnightMs);
  const [month, day] = [at.getUTCMonth(), at.getUTCDate()];
  return {
    midnightMs,
    date: timestamp(midnightMs).slice(0, DATE_LENGTH),
    usageDate: Object.freeze({ year: at.getUTCFullYear(), month: month + 1, day }),
    since1970: String(midnightMs / DAY_MS),
    idSuffix: (midnightMs / DAY_MS).toString(16).padStart(6, '0'),
    isWeekend: at.getUTCDay() % 6 === 0,
    season: SEASONS[month] ?? 1,
    /** Days since the first day; `nthOfMonth` is that of the first of the month, but at least 0. */
    nth,
    nthOfMonth: Math.max(nth + 1 - day, 0),
  };
}

function addMeasurements(
  measurements: Measurement[],
  { customerId, meter, prefix }: Series,
  { changes, gaps }: GenerateConfig,
  { days, times }: { readonly days: readonly UsageDay[]; readonly times: readonly string[] },
  seed: number,
): void {
  const shape = SHAPES[meter.shape ?? 'calls'];
  const size = 0.2 + 3 * fraction(seed, 'size', customerId) ** 2;
  const growth = 0.2 + 0.8 * fraction(seed, 'growth', customerId);
  const [gap, noise, delay] = ['gap', 'noise', 'delay'].map((what) =>
    beginHash(seed, what, prefix),
  ) as [number, number, number];
  const own = changes.filter(
    (change) =>
      (change.customerId ?? customerId) === customerId && (change.meterId ?? meter.id) === meter.id,
  );

  for (const day of days) {
    const { midnightMs, usageDate, since1970, nth, nthOfMonth } = day;
    const factor = own.length === 0 ? 1 : factorOn(midnightMs, own);
    if (factor === 0 || (gaps > 0 && endFraction(gap, since1970) < gaps)) continue;
    const chance = endFraction(noise, since1970);
    const grownDays = shape.isMonthly ? nthOfMonth : shape.noise === 0 ? nth + chance : nth;
    const grown = meter.dailyUsage * size * (1 + (growth * grownDays) / 365);
    const share = (day.isWeekend ? shape.weekend : 1) * (shape.isSeasonal ? day.season : 1);
    const value = grown * share * (1 + shape.noise * (2 * chance - 1)) * factor;
    const createdAt = day.date + times[Math.floor(MAX_DELAY_S * endFraction(delay, since1970))];
    measurements.push(
      Object.freeze({
        id: prefix + day.idSuffix,
        customerId,
        meterId: meter.id,
        usageDate,
        value: rounded(value, meter.decimals ?? 0),
        createdAt,
        updatedAt: createdAt,
      }),
    );
  }
}

/** Up to here, a product with a power of ten is off by less than `NEAR`. */
const LARGE = 1e9;
const NEAR = 1e-6;

/** `Number(value.toFixed(digits))`, in a tenth of the time unless large or near a tie. */
function rounded(value: number, digits: number): number {
  const scale = 10 ** digits;
  const scaled = value * scale;
  const whole = Math.round(scaled);
  const isNearTie = Math.abs(Math.abs(scaled - whole) - 0.5) < NEAR;
  return isNearTie || scaled > LARGE ? Number(value.toFixed(digits)) : whole / scale;
}

function factorOn(midnightMs: number, changes: GenerateConfig['changes']): number {
  let product = 1;
  for (const { from = '1970-01-01', to = '9999-12-31', factor } of changes) {
    if (Date.parse(from) <= midnightMs && midnightMs <= Date.parse(to)) product *= factor;
  }
  return product;
}
