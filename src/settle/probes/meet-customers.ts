import { isOddInPath } from '../account-calls.js';
import { type Exchange, isSuccess } from '../exchange.js';
import {
  customersSeen,
  foldAsciiCase,
  measuredCustomerIds,
  type SeenCustomer,
} from '../seen-customers.js';
import type { Ask, Known } from './probe.js';

const MOST_CUSTOMERS = 8;

/**
 * Gets the customers that the user has named and then those that measurements name, at most eight,
 * until those seen suffice to tell how customers are matched. None is asked for twice.
 */
export async function meetCustomers(ask: Ask, known: Known): Promise<readonly SeenCustomer[]> {
  const exchanges: Exchange[] = [...known.exchanges];
  const get = async (id: string) => {
    if (isOddInPath(id) || isAsked(exchanges, 'customerId', id)) return;
    exchanges.push(await ask({ operationId: 'getCustomer', path: { customerId: id } }));
  };
  for (const id of known.customers) await get(id);
  if (isEnough(customersSeen(exchanges))) return customersSeen(exchanges);
  if (!exchanges.some(isListing)) {
    exchanges.push(await ask({ operationId: 'listMeasurements', query: [['limit', '100']] }));
  }
  for (const id of measuredCustomerIds(exchanges).slice(0, MOST_CUSTOMERS)) {
    if (isEnough(customersSeen(exchanges))) break;
    await get(id);
  }
  return customersSeen(exchanges);
}

/** True if the account's own customer was asked for by this value of the path. */
export function isAsked(
  exchanges: readonly Exchange[],
  parameter: 'customerId' | 'name',
  value: string,
): boolean {
  return exchanges.some(({ call: { path, token, query } }) => {
    return path[parameter] === value && token === 'given' && query.length === 0;
  });
}

/** The externalId of a customer, if it differs from its id. */
export function usefulExternalId({ id, externalId }: SeenCustomer): string | undefined {
  if (externalId === undefined || isOddInPath(externalId)) return undefined;
  return foldAsciiCase(externalId) === foldAsciiCase(id) ? undefined : externalId;
}

/** The name of a customer, if it has letters whose case can be changed. */
export function usefulName({ name }: SeenCustomer): string | undefined {
  return name !== undefined && /[A-Za-z]/.test(name) && !isOddInPath(name) ? name : undefined;
}

/** An alias that differs from every name, in any case. */
export function usefulAlias(customers: readonly SeenCustomer[]): string | undefined {
  const names = new Set(customers.map(({ name }) => foldAsciiCase(name ?? '')));
  return customers
    .flatMap(({ aliases }) => aliases ?? [])
    .find((alias) => !names.has(foldAsciiCase(alias)) && !isOddInPath(alias));
}

function isListing(exchange: Exchange): boolean {
  return exchange.call.operationId === 'listMeasurements' && isSuccess(exchange);
}

function isEnough(customers: readonly SeenCustomer[]): boolean {
  return (
    customers.some(usefulExternalId) &&
    customers.some(usefulName) &&
    usefulAlias(customers) !== undefined
  );
}
