/** The records of the independent service: complete, and each member in its own order. */

export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly externalId: string;
  readonly source: string;
}

export type Contract = Record<string, unknown> & { readonly id: string; deletedAt?: string };

export interface UsageEvent {
  readonly id: string;
  readonly ref: string;
  readonly timestamp: string;
  deletedAt?: string;
}

const NAMES = ['Étoile & Fils', 'Kiosk Nord', 'Zoë Møller', 'Delta Works'];
const SOURCES = ['Salesforce', 'Stripe', 'HubSpot', 'Api'];

const CREATED = '2025-01-02T03:04:05.000Z';

export const CUSTOMERS = NAMES.map((name, index) => ({
  id: `cus_7Kq2mZ${index}`,
  name,
  aliases: [`alias-${index}-of-it`],
  address: {
    country: 'FR',
    city: 'Lyon',
    addressText: '1 rue A',
    state: 'ARA',
    postalCode: '69001',
  },
  contacts: [
    {
      name: 'Ada',
      email: 'ada@example.com',
      title: 'CFO',
      phone: '+33123456789',
      receiveInvoiceEmail: true,
    },
  ],
  source: SOURCES[index] ?? 'Api',
  externalId: `SF-10${index}`,
  customerErpId: `E${index}`,
  createdAt: `2025-01-0${index + 1}T03:04:05.000Z`,
  updatedAt: `2025-01-0${index + 1}T03:04:05.000Z`,
}));

/** Measurements whose id, usageDate and createdAt are in three different orders. */
export function measurementsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    index,
    id: `m${String((index * 7) % (count + 3)).padStart(5, '0')}-${index % 10}`,
    customerId: `cus_7Kq2mZ${index % NAMES.length}`,
    meterId: 'calls',
    usageDate: dateOf((index * 5) % Math.max(3, Math.floor(count / 3))),
    value: index,
    createdAt: new Date(Date.UTC(2026, 0, 1) + ((index * 13) % count) * 1000).toISOString(),
    updatedAt: new Date(Date.UTC(2026, 0, 1) + ((index * 13) % count) * 1000).toISOString(),
  }));
}

export function usageDateOf({
  usageDate: { year, month, day },
}: ReturnType<typeof measurementsOf>[number]) {
  return year * 10_000 + month * 100 + day;
}

export function createdAtOf({ createdAt }: { readonly createdAt: string }): number {
  return Date.parse(createdAt);
}

function dateOf(day: number) {
  const date = new Date(Date.UTC(2025, 0, 1 + day));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The scratch records that a run may delete. */
export const SCRATCH = {
  allowWrites: true,
  scratchContracts: ['con-1', 'con-2'],
  scratchRefs: ['ref-a', 'ref-b', 'ref-c'],
};

export function contractsAtFirst(): Map<string, Contract> {
  const contracts = SCRATCH.scratchContracts.map((id): [string, Contract] => [
    id,
    {
      id,
      customerId: 'cus_7Kq2mZ0',
      name: `Contract ${id}`,
      startDate: CREATED,
      endDate: '2027-01-02T03:04:05.000Z',
      crmOpportunityId: 'opp-1',
      accountManager: 'Robin',
      products: [
        {
          displayName: 'Calls',
          description: 'Calls to the API',
          scheduling: { billingDay: 1, duration: { unit: 'MONTH', value: 1 } },
          pricing: { type: 'ONE_TIME', price: 10 },
          catalogProductId: 'cat-1',
          productErpId: 'erp-1',
          nsClass: 'class',
          nsClassId: 'class-1',
        },
      ],
      createdAt: CREATED,
      updatedAt: CREATED,
    },
  ]);
  return new Map(contracts);
}

export function eventsAtFirst(): UsageEvent[] {
  // Their timestamps are neither in the order of the refs nor against it.
  return ['ref-b', 'ref-c', 'ref-a', 'ref-b'].map((ref, index) => ({
    id: `e${(index * 3 + 2) % 5}`,
    name: 'call',
    timestamp: `2025-03-0${1 + ((index * 2 + 1) % 5)}T00:00:00.000Z`,
    customerAlias: 'alias-0-of-it',
    ref,
    data: { region: 'eu' },
    createdAt: CREATED,
    updatedAt: CREATED,
  }));
}
