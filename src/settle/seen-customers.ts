import { isObject } from '../messages/is-object.js';
import { isOfAccount, textOf } from './account-calls.js';
import { type Exchange, successBody } from './exchange.js';

/** A customer as its answers show it; what none of them shows is undefined. */
export interface SeenCustomer {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly name: string | undefined;
  readonly aliases: readonly string[] | undefined;
  readonly createdAt: unknown;
}

/** The customers that were seen, each once. */
export function customersSeen(exchanges: readonly Exchange[]): readonly SeenCustomer[] {
  const records = new Map<string, Readonly<Record<string, unknown>>>();
  for (const exchange of exchanges) {
    const record = customerRecordOf(exchange);
    const id = textOf(record?.id);
    if (id !== undefined) records.set(id, { ...records.get(id), ...record });
  }
  return [...records].map(([id, { externalId, name, aliases, createdAt }]) => ({
    id,
    externalId: textOf(externalId),
    name: typeof name === 'string' ? name : undefined,
    aliases: Array.isArray(aliases)
      ? aliases.filter((alias) => typeof alias === 'string')
      : undefined,
    createdAt,
  }));
}

/** The customer that a call of the account returned, as all answers together show it. */
export function foundCustomer(
  exchange: Exchange,
  customers: readonly SeenCustomer[],
): SeenCustomer | undefined {
  const id = textOf(customerRecordOf(exchange)?.id);
  return customers.find((customer) => customer.id === id);
}

/** The ids of customers that measurements name, each once. */
export function measuredCustomerIds(exchanges: readonly Exchange[]): readonly string[] {
  const ids = exchanges.flatMap((exchange) => {
    const { measurements } = successBody(exchange) ?? {};
    const isListing = exchange.call.operationId === 'listMeasurements' && isOfAccount(exchange);
    if (!isListing || !Array.isArray(measurements)) return [];
    return measurements.filter(isObject).map(({ customerId }) => textOf(customerId) ?? []);
  });
  return [...new Set(ids.flat())];
}

/** The text with ASCII letters in one case: services differ in how they see the others. */
export function foldAsciiCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function customerRecordOf(exchange: Exchange) {
  const customer = isOfAccount(exchange) ? successBody(exchange)?.customer : undefined;
  return isObject(customer) ? customer : undefined;
}
