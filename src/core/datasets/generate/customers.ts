import type { Customer } from '../../billing/resources.js';
import { CUSTOMER_SOURCES } from '../../decisions/ledger.js';
import { hash, hexHash } from '../../store/hash.js';
import type { GenerateConfig } from '../fixture/fixture.js';
import { DAY_MS, timestamp } from './days.js';
import type { Faker, FakerFor } from './random-per-record.js';

const FIRST_WORDS = words(`
  Alder Amber Anchor Apex Arbor Aspen Atlas Aurora Beacon Birch Bluebird Bright Cedar Cinder Cobalt
  Compass Copper Coral Crescent Delta Driftwood Ember Evergreen Fathom Fern Field Foxglove Garnet Granite
  Harbor Hazel Heron Horizon Indigo Iron Juniper Keystone Lantern Larch Laurel Lumen Maple Meadow Meridian
  Mosaic North Oak Onyx Orchard Osprey Pebble Pine Quartz Raven River Sable Silver Slate Solstice Spruce
  Summit Tidal Willow Zephyr`);
const LAST_WORDS = words(`
  Analytics Biosciences Capital Care Cloud Commerce Courier Data Dental Design Diagnostics Dynamics Education
  Energy Engineering Estates Events Fabrics Finance Fisheries Fitness Foods Forestry Freight Games Genetics
  Health Hotels Insurance Interiors Laboratories Learning Legal Logistics Machines Marine Materials Media
  Mobility Motors Networks Optics Outfitters Payments Pharmacy Pictures Power Press Printing Publishing Rail
  Research Retail Robotics Security Semiconductors Software Solar Staffing Studios Telecom Travel Water
  Workshops`);
const SUFFIXES = ['', ' Group', ' Partners', ' Holdings', ' International', ' Ventures'] as const;

/** Cities with their states, area codes and the first digits of their postal codes. */
const CITIES = [
  ['Austin', 'TX', '512', '787'],
  ['Boston', 'MA', '617', '021'],
  ['Boulder', 'CO', '303', '803'],
  ['Chicago', 'IL', '312', '606'],
  ['Columbus', 'OH', '614', '432'],
  ['Denver', 'CO', '303', '802'],
  ['Madison', 'WI', '608', '537'],
  ['Minneapolis', 'MN', '612', '554'],
  ['Nashville', 'TN', '615', '372'],
  ['Oakland', 'CA', '510', '946'],
  ['Philadelphia', 'PA', '215', '191'],
  ['Phoenix', 'AZ', '602', '850'],
  ['Raleigh', 'NC', '919', '276'],
  ['Richmond', 'VA', '804', '232'],
  ['San Diego', 'CA', '619', '921'],
  ['Seattle', 'WA', '206', '981'],
] as const;

const STREETS = words('Bridge Canal Church Elm Lake Market Mill Park School Station Union Walnut');

/** The titles of a customer's first contact, who receives invoices, and of the others. */
const TITLES = [
  ['Head of Finance', 'Controller', 'Accounts Payable Manager', 'Finance Director'],
  ['Platform Engineer', 'Product Manager', 'Operations Manager', 'Engineering Lead'],
] as const;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** A name, unique among 24,576 customers: steps of 1,563 reach every pair of words. */
function nameOf(index: number, seed: number): string {
  const pairs = FIRST_WORDS.length * LAST_WORDS.length;
  const pair = (1_563 * index + hash(seed, 'names')) % pairs;
  const suffix = SUFFIXES[Math.floor(index / pairs) % SUFFIXES.length];
  const [first, last] = [pair % FIRST_WORDS.length, Math.floor(pair / FIRST_WORDS.length)];
  return `${FIRST_WORDS[first]} ${LAST_WORDS[last]}${suffix}`;
}

/** Generates customers; the nth is the same whatever the count. */
export function generateCustomers(
  { customers: count, from }: GenerateConfig,
  seed: number,
  fakerFor: FakerFor,
): Customer[] {
  return Array.from({ length: count }, (_, index) => {
    const faker = fakerFor('customers', index);
    const id = hexHash(24, seed, 'customers', index);
    const name = nameOf(index, seed);
    const domain = domainOf(name);
    const [city, state, areaCode, postalCode] = faker.helpers.arrayElement(CITIES);
    // Before the earliest contract of generateContracts was signed.
    const created = Date.parse(from) - faker.number.int({ min: 430 * DAY_MS, max: 800 * DAY_MS });
    return {
      id,
      name,
      aliases: [`${domain}-${id.slice(0, 4)}`, `cus_${id.slice(4, 14)}`],
      address: {
        country: 'US',
        city,
        addressText: `${faker.number.int({ min: 1, max: 999 })} ${faker.helpers.arrayElement(STREETS)} Street`,
        state,
        postalCode: `${postalCode}${faker.string.numeric(2)}`,
      },
      contacts: Array.from({ length: faker.number.int({ min: 1, max: 3 }) }, (_, nth) =>
        generateContact(faker, { domain, areaCode, receiveInvoiceEmail: nth === 0 }),
      ),
      source: faker.helpers.arrayElement(CUSTOMER_SOURCES),
      externalId: faker.string.alphanumeric(18),
      customerErpId: `ERP-C-${faker.string.numeric(6)}`,
      createdAt: timestamp(created),
      updatedAt: timestamp(created + faker.number.int({ min: 0, max: 29 * DAY_MS })),
    };
  });
}

function generateContact(
  faker: Faker,
  company: { domain: string; areaCode: string; receiveInvoiceEmail: boolean },
) {
  const { domain, areaCode, receiveInvoiceEmail } = company;
  const [firstName, lastName] = [faker.person.firstName(), faker.person.lastName()];
  return {
    name: `${firstName} ${lastName}`,
    email: `${domainOf(firstName)}.${domainOf(lastName)}@${domain}.example`,
    title: faker.helpers.arrayElement(TITLES[receiveInvoiceEmail ? 0 : 1]),
    // 555-0100 to 555-0199 are reserved for fiction.
    phone: `+1${areaCode}55501${faker.string.numeric(2)}`,
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
