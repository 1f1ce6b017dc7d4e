import { isObject } from '../../../core/values/json-value.js';
import { isMadeUp } from './made-up-values.js';
import { isOwnListing } from './pages.js';
import {
  idOf,
  isOfAccount,
  isUnseen,
  mayMeanNotFound,
  type Sample,
  type Seen,
  samplesOf,
  successBody,
} from './samples.js';

/** A customer as all responses together show it; what none of them shows is undefined. */
export interface SeenCustomer {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly name: string | undefined;
  readonly aliases: readonly string[] | undefined;
  readonly createdAt: unknown;
}

export interface CustomerSearch {
  readonly sample: Sample;
  /** The value in the path. */
  readonly asked: string;
  readonly found: SeenCustomer | undefined;
}

export function customersSeen(samples: readonly Sample[]): readonly SeenCustomer[] {
  const records = new Map<string, Readonly<Record<string, unknown>>>();
  for (const sample of samples) {
    const record = customerRecordOf(sample);
    const id = idOf(record?.id);
    if (id !== undefined) records.set(id, { ...records.get(id), ...record });
  }
  return [...records].map(([id, { externalId, name, aliases, createdAt }]) => ({
    id,
    externalId: idOf(externalId),
    name: typeof name === 'string' ? name : undefined,
    aliases: Array.isArray(aliases)
      ? aliases.filter((alias) => typeof alias === 'string')
      : undefined,
    createdAt,
  }));
}

function customerRecordOf(sample: Sample) {
  const customer = isOfAccount(sample) ? successBody(sample)?.customer : undefined;
  return isObject(customer) ? customer : undefined;
}

export function searchesIn(seen: Seen, operationId: 'getCustomer' | 'getCustomerByName') {
  const customers = customersSeen(seen.samples);
  const parameter = operationId === 'getCustomer' ? 'customerId' : 'name';
  const searches = samplesOf(seen, operationId).map((sample): CustomerSearch => {
    const id = idOf(customerRecordOf(sample)?.id);
    const found = customers.find((customer) => customer.id === id);
    return { sample, asked: sample.request.path[parameter] ?? '', found };
  });
  return { customers, searches };
}

export function madeUpSearches(seen: Pick<Seen, 'samples'>): readonly Sample[] {
  // A customer may have an id of zeros.
  const searches = customerSamples(seen).filter((sample) => {
    const id = idOf(customerRecordOf(sample)?.id);
    return !isUnseen(sample) && (id === undefined || id !== sample.request.path.customerId);
  });
  return searches.filter(({ request: { path } }) => isMadeUp(path.name ?? path.customerId ?? ''));
}

export function customerSamples(seen: Pick<Seen, 'samples'>): readonly Sample[] {
  return [...samplesOf(seen, 'getCustomer'), ...samplesOf(seen, 'getCustomerByName')];
}

/** Those statuses of lookups with made-up values that may mean that nothing was found. */
export function statusesOfUnknown(seen: Pick<Seen, 'samples'>): readonly number[] {
  return madeUpSearches(seen)
    .filter(mayMeanNotFound)
    .map(({ response }) => response.status);
}

export function measuredCustomerIds(samples: readonly Sample[]): readonly string[] {
  const ids = samples.filter(isOwnListing).flatMap((sample) => {
    const { measurements } = successBody(sample) ?? {};
    if (!Array.isArray(measurements)) return [];
    return measurements.filter(isObject).flatMap(({ customerId }) => idOf(customerId) ?? []);
  });
  return [...new Set(ids)];
}
