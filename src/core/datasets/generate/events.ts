import type { Customer, UsageEvent } from '../../billing/resources.js';
import { hexHash } from '../../store/hash.js';
import type { GenerateConfig } from '../fixture/fixture.js';
import { DAY_MS, timestamp } from './days.js';
import { fraction } from './random-per-record.js';

const NAMES = ['api-call', 'file-upload', 'report-export', 'seat-activated'] as const;
const REGIONS = ['us-east', 'us-west', 'eu-west', 'ap-south'] as const;
const MAX_UNITS = 500;
const STORED_AFTER_MS = { least: 200, most: 5_000 } as const;

/**
 * Generates the events of every customer with an alias; a ref is the customer's first alias and a
 * number. Ids ascend.
 */
export function generateEvents(
  { eventsPerCustomer: count, from, to }: GenerateConfig,
  customers: readonly Customer[],
  seed: number,
): UsageEvent[] {
  const lastMs = Date.parse(to) + DAY_MS - 1 - STORED_AFTER_MS.most;
  return customers
    .map(({ id, aliases }) => ({ prefix: hexHash(18, seed, 'events', id), aliases: aliases ?? [] }))
    .filter(({ aliases }) => aliases.length > 0)
    .sort((one, other) => (one.prefix < other.prefix ? -1 : 1))
    .flatMap(({ prefix, aliases }) =>
      Array.from({ length: count }, (_, nth) => {
        /** A whole number from `least` to `most`, both included. */
        const number = (field: string, least: number, most: number) =>
          least + Math.floor(fraction(seed, field, prefix, nth) * (most - least + 1));
        const pick = (field: string, choices: readonly string[]) =>
          choices[number(field, 0, choices.length - 1)] as string;
        const happenedMs = number('timestamp', Date.parse(from), lastMs);
        const { least, most } = STORED_AFTER_MS;
        const createdAt = timestamp(happenedMs + number('stored', least, most));
        return Object.freeze({
          id: prefix + nth.toString(16).padStart(6, '0'),
          name: pick('name', NAMES),
          timestamp: timestamp(happenedMs),
          customerAlias: pick('alias', aliases),
          ref: `${aliases[0]}-${String(nth + 1).padStart(4, '0')}`,
          data: Object.freeze({
            region: pick('region', REGIONS),
            units: String(number('units', 1, MAX_UNITS)),
          }),
          createdAt,
          updatedAt: createdAt,
        });
      }),
    );
}
