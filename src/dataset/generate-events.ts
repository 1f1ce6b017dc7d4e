import { hexHash } from '../billing/hash.js';
import type { Customer, UsageEvent } from '../billing/resources.js';
import { DAY_MS, timestamp } from './days.js';
import type { GenerateSection } from './fixture.js';
import type { FakerFor } from './seeded.js';

const NAMES = ['api-call', 'file-upload', 'report-export', 'seat-activated'] as const;
const REGIONS = ['us-east', 'us-west', 'eu-west', 'ap-south'] as const;

/** Invents the events of every customer that has an alias, under refs numbered after its first alias. */
export function generateEvents(
  { eventsPerCustomer: count = 0, from, to }: GenerateSection,
  customers: readonly Customer[],
  seed: number,
  fakerFor: FakerFor,
): UsageEvent[] {
  const [first, last] = [Date.parse(from), Date.parse(to) + DAY_MS - 1];
  return customers.flatMap(({ id: customerId, aliases = [] }) => {
    if (aliases.length === 0) return [];
    return Array.from({ length: count }, (_, nth) => {
      const faker = fakerFor('events', customerId, nth);
      const id = hexHash(24, seed, 'events', customerId, nth);
      const happened = faker.number.int({ min: first, max: last });
      const stored = timestamp(happened + faker.number.int({ min: 200, max: 5_000 }));
      return {
        id,
        name: faker.helpers.arrayElement(NAMES),
        timestamp: timestamp(happened),
        customerAlias: faker.helpers.arrayElement(aliases),
        ref: `${aliases[0]}-${String(nth + 1).padStart(4, '0')}`,
        data: {
          region: faker.helpers.arrayElement(REGIONS),
          units: String(faker.number.int({ min: 1, max: 500 })),
        },
        createdAt: stored,
        updatedAt: stored,
      };
    });
  });
}
