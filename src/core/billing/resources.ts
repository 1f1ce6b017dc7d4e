import type { components } from '../../generated/openapi.js';
import type { Indexes } from '../store/indexed-records.js';
import type { Order } from '../store/order.js';
import { foldCase } from '../values/fold-case.js';
import { msOf, sortableInstant } from '../values/time.js';

type Schemas = components['schemas'];

/** A record as the mock stores it: read-only, with an id and both timestamps (section 2). */
type Stored<Schema, Key extends keyof Schema> = Readonly<Schema & Required<Pick<Schema, Key>>>;

/**
 * A contract as the mock stores it (section 2.1). `deletedAt` marks it as a tombstone.
 *
 * @example
 * const contract: Contract | undefined = account.contracts.get('65b000000000000000000001');
 */
export type Contract = Stored<Schemas['Contract'], 'id' | 'createdAt' | 'updatedAt'>;

/**
 * A customer as the mock stores it (section 2.3).
 *
 * @example
 * const customer: Customer | undefined = account.customers.get('65a000000000000000000001');
 */
export type Customer = Stored<Schemas['Customer'], 'id' | 'createdAt' | 'updatedAt'>;

/**
 * A measurement as the mock stores it (section 2.4).
 *
 * @example
 * const [first]: Measurement[] = account.measurements.list();
 */
export type Measurement = Stored<Schemas['Measurement'], 'id' | 'createdAt' | 'updatedAt'>;

/**
 * A usage event as the mock stores it (section 2.5). `deletedAt` marks it as a tombstone.
 *
 * @example
 * const events: UsageEvent[] = account.events.list();
 */
export type UsageEvent = Stored<Schemas['UsageEvent'], 'id' | 'createdAt' | 'updatedAt'>;

/** The four resources of the service, under the names of their collections (section 2). */
export interface Resources {
  readonly customers: Customer;
  readonly contracts: Contract;
  readonly measurements: Measurement;
  readonly events: UsageEvent;
}

/**
 * The name of a collection: `customers`, `contracts`, `measurements` or `events`.
 *
 * @example
 * const name: ResourceName = 'customers';
 * console.log(account[name].list().length);
 */
export type ResourceName = keyof Resources;

/** Every collection. The fingerprint of an account depends on the order. */
export const RESOURCE_NAMES = ['customers', 'contracts', 'measurements', 'events'] as const;

export const SCHEMA_OF = {
  customers: 'Customer',
  contracts: 'Contract',
  measurements: 'Measurement',
  events: 'UsageEvent',
} as const satisfies Record<ResourceName, keyof Schemas>;

export const INDEXES: { readonly [Name in ResourceName]: Indexes<Resources[Name]> } = {
  customers: {
    name: ({ name }) => present(name),
    'folded name': ({ name }) => present(name).map(foldCase),
    'name or alias': ({ name, aliases }) => [...present(name), ...(aliases ?? [])],
    externalId: ({ externalId }) => present(externalId),
  },
  contracts: {},
  measurements: {},
  events: { ref: ({ ref }) => present(ref) },
};

const EPOCH = '1970-01-01T00:00:00.000Z';

/** An order by instants to their last digit, then by id; records without one are of 1970. */
export function inTimeOrder<T extends { readonly id: string }>(
  name: string,
  instantOf: (record: T) => string | undefined,
): Order<T> {
  return {
    name,
    positionOf(record) {
      const instant = instantOf(record) ?? EPOCH;
      return [msOf(instant), `${sortableInstant(instant)} ${record.id}`];
    },
  };
}

/** The order in which one of several matching records is chosen. */
export const OLDEST_FIRST = inTimeOrder<{ readonly id: string; readonly createdAt: string }>(
  'created-at',
  ({ createdAt }) => createdAt,
);

/** Fixtures with `undocumented: keep` may have null. */
function present(value: string | null | undefined): string[] {
  return value ? [value] : value === '' ? [''] : [];
}
