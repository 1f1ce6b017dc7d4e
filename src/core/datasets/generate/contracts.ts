import type { Contract, Customer } from '../../billing/resources.js';
import { hexHash } from '../../store/hash.js';
import type { GenerateConfig } from '../fixture/fixture.js';
import { DAY_MS, timestamp } from './days.js';
import type { Faker, FakerFor } from './random-per-record.js';

/** The products in contracts, with the price for a medium-sized customer and one year. */
const CATALOG = [
  {
    displayName: 'Platform fee',
    description: 'Access to the platform, billed once for the term',
    price: 12_000,
    nsClass: 'Subscriptions',
    nsClassId: '31',
  },
  {
    displayName: 'Premium support',
    description: 'Answers within an hour, at any hour',
    price: 4_800,
    nsClass: 'Services',
    nsClassId: '33',
  },
  {
    displayName: 'Onboarding',
    description: 'Set-up and training by our engineers',
    price: 2_500,
    nsClass: 'Services',
    nsClassId: '33',
  },
  {
    displayName: 'Usage commitment',
    description: 'Prepaid usage of all meters',
    price: 18_000,
    nsClass: 'Usage',
    nsClassId: '34',
  },
  {
    displayName: 'Data retention',
    description: 'Usage data kept for seven years',
    price: 1_200,
    nsClass: 'Storage',
    nsClassId: '35',
  },
] as const;

const TERMS_IN_MONTHS = [12, 12, 24, 36];

/**
 * Generates the contracts of generated customers. Each starts when the one before ends, and none
 * after the last day.
 */
export function generateContracts(
  { contractsPerCustomer: count, from, to }: GenerateConfig,
  customers: readonly Customer[],
  seed: number,
  fakerFor: FakerFor,
): Contract[] {
  return customers.flatMap((customer) => {
    let start = addMonths(firstOfMonth(Date.parse(from)), -12);
    const contracts: Contract[] = [];
    for (let nth = 0; nth < count && start <= Date.parse(to); nth += 1) {
      const faker = fakerFor('contracts', customer.id, nth);
      const months = faker.helpers.arrayElement(TERMS_IN_MONTHS);
      const end = addMonths(start, months);
      const signed = start - faker.number.int({ min: 3 * DAY_MS, max: 29 * DAY_MS });
      contracts.push({
        id: hexHash(24, seed, 'contracts', customer.id, nth),
        customerId: customer.id,
        name: `${customer.name} ${new Date(start).getUTCFullYear()}`,
        startDate: timestamp(start),
        endDate: timestamp(end - 1),
        crmOpportunityId: `006${faker.string.alphanumeric(15)}`,
        accountManager: `${faker.person.firstName()} ${faker.person.lastName()}`,
        products: generateProducts(faker, months),
        createdAt: timestamp(signed),
        updatedAt: timestamp(signed + faker.number.int({ min: 0, max: 2 * DAY_MS })),
      });
      start = end;
    }
    return contracts;
  });
}

function generateProducts(faker: Faker, months: number): NonNullable<Contract['products']> {
  const size = faker.helpers.arrayElement([0.5, 1, 1, 2, 4]);
  const billingDay = faker.helpers.arrayElement([1, 1, 15]);
  return faker.helpers.arrayElements(CATALOG, { min: 1, max: 3 }).map((product) => {
    const number = CATALOG.indexOf(product) + 1;
    return {
      displayName: product.displayName,
      description: product.description,
      scheduling: { billingDay, duration: { unit: 'MONTH', value: months } },
      pricing: { type: 'ONE_TIME', price: (product.price * size * months) / 12 },
      catalogProductId: `6ca${String(number).padStart(21, '0')}`,
      productErpId: `ERP-${1000 + number}`,
      nsClass: product.nsClass,
      nsClassId: product.nsClassId,
    };
  });
}

function firstOfMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function addMonths(ms: number, months: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}
