import { hexHash } from '../billing/hash.js';
import type { Customer, Measurement } from '../billing/resources.js';
import { DAY_MS, daysBetween, timestamp } from './days.js';
import type { GenerateSection, Meter } from './fixture.js';
import { fraction } from './seeded.js';

const SHARE_OF_GAPS = 0.04;
const WEEKEND_SHARE = 0.35;
const GROWTH_PER_YEAR = 0.6;

/** Invents what every customer used of every meter on every day: weekdays, growth and gaps. */
export function generateMeasurements(
  { from, to, meters = [] }: GenerateSection,
  customers: readonly Customer[],
  seed: number,
): Measurement[] {
  const days = daysBetween(from, to);
  return customers.flatMap((customer) =>
    meters.flatMap((meter) => {
      const idOf = measurementIds(seed, customer, meter);
      return days
        .filter((day) => fraction(seed, 'gap', idOf(day)) >= SHARE_OF_GAPS)
        .map((day) => inventMeasurement(seed, customer, meter, day, idOf(day), days[0] ?? day));
    }),
  );
}

function inventMeasurement(
  seed: number,
  customer: Customer,
  meter: Meter,
  day: number,
  id: string,
  firstDay: number,
): Measurement {
  const date = new Date(day);
  const size = 0.2 + 3 * fraction(seed, 'size', customer.id) ** 2;
  const isWeekend = date.getUTCDay() % 6 === 0;
  const growth = 1 + (GROWTH_PER_YEAR * (day - firstDay)) / (365 * DAY_MS);
  const noise = 0.85 + 0.3 * fraction(seed, 'noise', id);
  const value = meter.dailyUsage * size * (isWeekend ? WEEKEND_SHARE : 1) * growth * noise;
  const measuredAt = timestamp(day + DAY_MS + Math.floor(900_000 * fraction(seed, 'delay', id)));
  return {
    id,
    customerId: customer.id,
    meterId: meter.id,
    usageDate: {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    },
    value: Number(value.toFixed(meter.decimals ?? 0)),
    createdAt: measuredAt,
    updatedAt: measuredAt,
  };
}

/** Ids of 24 hex digits: the customer (12), the meter (6), the day since 1970 (6). */
function measurementIds(seed: number, customer: Customer, meter: Meter): (day: number) => string {
  const prefix =
    hexHash(12, seed, 'measurements', customer.id) + hexHash(6, seed, 'meters', meter.id);
  return (day) => prefix + (day / DAY_MS).toString(16).padStart(6, '0');
}
