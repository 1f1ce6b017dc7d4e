import type {
  Contract,
  Customer,
  Measurement,
  Resources,
  UsageEvent,
} from '../billing/resources.js';

/** What a fixture file says: records written by hand, and how many more to generate. */
export interface Fixture {
  /** The seed of what is generated; the same seed gives the same bytes. 1 if left out. */
  readonly seed?: number;
  readonly customers?: readonly FixtureRecord<Customer>[];
  readonly contracts?: readonly FixtureRecord<Contract>[];
  readonly measurements?: readonly FixtureRecord<Measurement>[];
  readonly events?: readonly FixtureRecord<UsageEvent>[];
  readonly generate?: GenerateSection;
}

/** A record as a fixture has it; an id and stamps that are left out are filled in. */
type FixtureRecord<T extends Resources[keyof Resources]> = Partial<T>;

/** How a world is filled up beside the records written by hand. */
export interface GenerateSection {
  /** The first and the last day that has usage, as `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** How many customers to add; 0 if left out. */
  readonly customers?: number;
  /** How many contracts each added customer has; 0 if left out. */
  readonly contractsPerCustomer?: number;
  /** How many events every customer with an alias has; 0 if left out. */
  readonly eventsPerCustomer?: number;
  /** The meters that every customer has measurements of, day by day; none if left out. */
  readonly meters?: readonly Meter[];
}

/** Something whose usage is measured. */
export interface Meter {
  readonly id: string;
  /** What a customer of middling size uses on a weekday. */
  readonly dailyUsage: number;
  /** How many decimals a value has; 0 if left out. */
  readonly decimals?: number;
}

const DAY = {
  type: 'string',
  format: 'date',
  formatMinimum: '1970-01-01',
  formatMaximum: '2999-12-31',
} as const;

/** The JSON Schema of a fixture, over the schemas that the document gives the resources. */
export const FIXTURE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    seed: { type: 'integer', minimum: 0, maximum: 0xffffffff },
    customers: { type: 'array', items: { $ref: '#/components/schemas/Customer' } },
    contracts: { type: 'array', items: { $ref: '#/components/schemas/Contract' } },
    measurements: { type: 'array', items: { $ref: '#/components/schemas/Measurement' } },
    events: { type: 'array', items: { $ref: '#/components/schemas/UsageEvent' } },
    generate: {
      type: 'object',
      additionalProperties: false,
      required: ['from', 'to'],
      properties: {
        from: DAY,
        to: DAY,
        customers: { type: 'integer', minimum: 0, maximum: 1_000_000 },
        contractsPerCustomer: { type: 'integer', minimum: 0, maximum: 1_000 },
        eventsPerCustomer: { type: 'integer', minimum: 0, maximum: 1_000_000 },
        meters: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['id', 'dailyUsage'],
            properties: {
              id: { type: 'string' },
              dailyUsage: { type: 'number', minimum: 0 },
              decimals: { type: 'integer', minimum: 0, maximum: 9 },
            },
          },
        },
      },
    },
  },
} as const;
