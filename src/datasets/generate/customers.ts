import type { Customer } from '../../billing/resources.js';
import { CUSTOMER_SOURCES } from '../../decisions/ledger.js';
import { hexHash } from '../../store/hash.js';
import type { GenerateConfig } from '../fixture/fixture.js';
import { DAY_MS, timestamp } from './days.js';
import type { Faker, FakerFor } from './seeded-random.js';

/** Generates customers; the nth is the same whatever the count. */
export function generateCustomers(
  { customers: count, from }: GenerateConfig,
  seed: number,
  fakerFor: FakerFor,
): Customer[] {
  return Array.from({ length: count }, (_, index) => {
    const faker = fakerFor('customers', index);
    const id = hexHash(24, seed, 'customers', index);
    const name = faker.company.name();
    const domain = domainOf(name);
    // Before the earliest contract of generateContracts was signed.
    const created = Date.parse(from) - faker.number.int({ min: 430 * DAY_MS, max: 800 * DAY_MS });
    return {
      id,
      name,
      aliases: [`${domain}-${id.slice(0, 4)}`, `cus_${id.slice(4, 14)}`],
      address: {
        country: 'US',
        city: faker.location.city(),
        addressText: faker.location.streetAddress(),
        state: faker.location.state({ abbreviated: true }),
        postalCode: faker.location.zipCode('#####'),
      },
      contacts: Array.from({ length: faker.number.int({ min: 1, max: 3 }) }, (_, nth) =>
        generateContact(faker, domain, nth === 0),
      ),
      source: faker.helpers.arrayElement(CUSTOMER_SOURCES),
      externalId: faker.string.alphanumeric(18),
      customerErpId: `ERP-C-${faker.string.numeric(6)}`,
      createdAt: timestamp(created),
      updatedAt: timestamp(created + faker.number.int({ min: 0, max: 29 * DAY_MS })),
    };
  });
}

function generateContact(faker: Faker, domain: string, receiveInvoiceEmail: boolean) {
  const [firstName, lastName] = [faker.person.firstName(), faker.person.lastName()];
  return {
    name: `${firstName} ${lastName}`,
    email: `${domainOf(firstName)}.${domainOf(lastName)}@${domain}.example`,
    title: faker.person.jobTitle(),
    phone: `+1${faker.string.numeric({ length: 10, allowLeadingZeros: false })}`,
    receiveInvoiceEmail,
  };
}

/** The name as a label of a domain name: lower-case letters, digits and single hyphens. */
function domainOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
