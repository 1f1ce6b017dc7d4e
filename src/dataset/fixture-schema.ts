import { type ResourceName, SCHEMA_OF } from '../billing/resources.js';
import {
  type AccountDeclaration,
  DEFAULT_WORLD,
  type Fixture,
  type GenerateSection,
  type Meter,
  TOKEN_FORM,
} from './fixture.js';

/** A schema for every member of a type: one too many or too few does not compile. */
type Members<T> = Readonly<Record<keyof T, object>>;

const SEED = {
  type: 'integer',
  minimum: 0,
  maximum: 0xffffffff,
  description: 'The seed of the generated records: the same seed gives the same bytes.',
};

const DATASET = {
  type: 'string',
  minLength: 1,
  description: 'The name of a dataset, or the path of a fixture from the folder of this file.',
};

const METER: Members<Meter> = {
  id: { type: 'string', description: 'Its id, as measurements have it: 24 hex digits by custom.' },
  dailyUsage: {
    type: 'number',
    minimum: 0,
    description: 'What a customer of middling size uses on a weekday.',
  },
  decimals: {
    type: 'integer',
    minimum: 0,
    maximum: 9,
    default: 0,
    description: 'How many decimals a value has.',
  },
};

const GENERATE: Members<GenerateSection> = {
  from: day('The first day that has usage.', DEFAULT_WORLD.from),
  to: day('The last day that has usage.', DEFAULT_WORLD.to),
  customers: count(100_000, 'How many customers to add.'),
  contractsPerCustomer: count(1_000, 'How many contracts each added customer has.'),
  eventsPerCustomer: count(1_000_000, 'How many events every customer with an alias has.'),
  meters: {
    type: 'array',
    description: 'The meters that every customer has measurements of, day by day.',
    items: { ...closed(METER), required: ['id', 'dailyUsage'] },
  },
  gaps: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: DEFAULT_WORLD.gaps,
    description: 'The share of days without a measurement.',
  },
};

const ACCOUNT: Members<AccountDeclaration> = {
  dataset: DATASET,
  seed: SEED,
  refused: { type: 'boolean', description: 'True to answer the token with 401.' },
};

/** The JSON Schema of an `accounts` section. */
export const ACCOUNTS_SCHEMA = {
  type: 'object',
  description:
    'What certain bearer tokens get, in place of an account over this dataset: another dataset or seed, or a 401. Inherited by `extends`; without effect in a dataset that an account is bound to.',
  propertyNames: { pattern: TOKEN_FORM.source },
  additionalProperties: closed(ACCOUNT),
};

const FIXTURE: Members<Fixture> = {
  $schema: { type: 'string', description: 'Where an editor finds this schema.' },
  extends: {
    ...DATASET,
    description:
      'The dataset that this one adds to, by name or by path. A record with the id of one there replaces it.',
  },
  seed: SEED,
  accounts: ACCOUNTS_SCHEMA,
  decisions: {
    type: 'object',
    description:
      'What the mock does where the specification is silent, by the ids of docs/decisions.md. Inherited by `extends`; without effect in a dataset that an account is bound to.',
    additionalProperties: { type: ['string', 'number'] },
  },
  customers: records('customers'),
  contracts: records('contracts'),
  measurements: records('measurements'),
  events: records('events'),
  generate: {
    ...closed(GENERATE),
    description: 'How many records to invent, beside those written by hand.',
  },
};

/** The JSON Schema of a fixture, over the schemas that the document gives the resources. */
export const FIXTURE_SCHEMA = closed(FIXTURE);

function closed(properties: object) {
  return { type: 'object', additionalProperties: false, properties };
}

function records(resource: ResourceName) {
  return {
    type: 'array',
    description: `The ${resource} written by hand. An id and the stamps that are left out are filled in; no id may be given twice.`,
    items: { $ref: `#/components/schemas/${SCHEMA_OF[resource]}` },
  };
}

function count(maximum: number, description: string) {
  return { type: 'integer', minimum: 0, maximum, default: 0, description };
}

function day(description: string, byDefault: string) {
  return {
    type: 'string',
    format: 'date',
    formatMinimum: '1970-01-01',
    formatMaximum: '2999-12-31',
    default: byDefault,
    description,
  };
}
