import { isOddInPath } from '../account-calls.js';
import type { Exchange } from '../exchange.js';
import { foldAsciiCase } from '../observers/name-matches.js';
import { customersSeen, measuredCustomerIds, type SeenCustomer } from '../seen-customers.js';
import type { Ask, Known } from './probe.js';

const MOST_CUSTOMERS = 8;

/**
 * Gets customers that the user or measurements name, at most eight, until those seen suffice to tell
 * how customers are matched. Those that were asked for before are not asked for again.
 */
export async function meetCustomers(ask: Ask, known: Known): Promise<readonly SeenCustomer[]> {
  const exchanges: Exchange[] = [...known.exchanges];
  if (measuredCustomerIds(exchanges).length === 0 && known.customers.length === 0) {
    exchanges.push(await ask({ operationId: 'listMeasurements', query: [['limit', '100']] }));
  }
  const ids = [...new Set([...known.customers, ...measuredCustomerIds(exchanges)])]
    .filter((id) => !isOddInPath(id))
    .slice(0, Math.max(MOST_CUSTOMERS, known.customers.length));
  for (const id of ids) {
    const isNamed = known.customers.includes(id);
    if (!isNamed && isEnough(customersSeen(exchanges))) break;
    if (isAsked(exchanges, 'customerId', id)) continue;
    exchanges.push(await ask({ operationId: 'getCustomer', path: { customerId: id } }));
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

function isEnough(customers: readonly SeenCustomer[]): boolean {
  return (
    customers.some(usefulExternalId) &&
    customers.some(usefulName) &&
    usefulAlias(customers) !== undefined
  );
}
