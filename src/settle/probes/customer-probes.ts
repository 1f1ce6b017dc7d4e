import { mayBeLost } from '../seen/lost-responses.js';
import { MADE_UP_NAME, madeUpIdLike } from '../seen/made-up-values.js';
import { variantsOf } from '../seen/name-variants.js';
import { isOddInPath, isSuccess } from '../seen/samples.js';
import {
  customersSeen,
  foldAsciiCase,
  measuredCustomerIds,
  type SeenCustomer,
} from '../seen/seen-customers.js';
import type { Ask, Known, Probe } from './probe.js';

const MOST_CUSTOMERS = 8;
const FEWEST_CUSTOMERS = 4;

/** Customers by ids, externalIds, names and aliases. */
export const CUSTOMER_PROBES: readonly Probe[] = [
  {
    requests: 'GET /customers/{customerId} with the ids of customers, at most eight',
    tells: ['customer-id-matches', 'optional-fields', 'enum-values', 'undocumented-fields'],
    send: meetCustomers,
  },
  {
    requests: 'GET /customers/{customerId} with the externalId and the id of a customer',
    tells: ['customer-id-matches'],
    send: async (ask, known) => {
      for (const customer of worthBoth(await meetCustomers(ask, known), known)) {
        await getOnce(ask, known, { customerId: customer.id });
        await getOnce(ask, known, { customerId: usefulExternalId(customer) });
      }
    },
  },
  {
    requests:
      'GET /customers/name/{name} with a name, the name in another case, an alias, and the name with spaces, in part, with other accents and other forms of its letters',
    tells: ['name-matches'],
    send: async (ask, known) => {
      const customers = await meetCustomers(ask, known);
      const [name] = usefulNames(customers);
      await getOnce(ask, known, { name });
      await getOnce(ask, known, { name: name && swapCase(name) });
      await getOnce(ask, known, { name: usefulAlias(customers) });
      for (const [, variant] of variantsOf(name ?? ''))
        await getOnce(ask, known, { name: variant });
    },
  },
  {
    requests: 'GET /customers/name/{name} with a name that two customers have, if one is seen',
    tells: ['duplicate-name'],
    send: async (ask, known) => {
      const names = (await meetCustomers(ask, known)).flatMap(({ name }) => name ?? []);
      const shared = names.find((name, index) => names.indexOf(name) < index);
      await getOnce(ask, known, { name: shared });
    },
  },
  {
    requests: 'GET /customers/{customerId} and GET /customers/name/{name} that do not exist',
    tells: ['unknown-identifier-status', 'error-body'],
    send: async (ask, known) => {
      const [customer] = await meetCustomers(ask, known);
      const [measured] = measuredCustomerIds(known.samples);
      await getOnce(ask, known, { customerId: madeUpIdLike(customer?.id ?? measured) });
      await getOnce(ask, known, { name: MADE_UP_NAME });
    },
  },
];

/**
 * Gets the customers that the user has named and then those that measurements name, at most eight,
 * until those seen suffice to tell how customers are matched. None is asked for twice.
 */
async function meetCustomers(ask: Ask, known: Known): Promise<readonly SeenCustomer[]> {
  const samples = [...known.samples];
  const get = async (customerId: string) => {
    if (isOddInPath(customerId)) return;
    samples.push(...(await getOnce(ask, { samples }, { customerId })));
  };
  for (const id of known.customers) await get(id);
  if (isEnough(customersSeen(samples))) return customersSeen(samples);
  const hasListing = samples.some(
    (sample) => sample.request.operationId === 'listMeasurements' && isSuccess(sample),
  );
  if (!hasListing) {
    samples.push(await ask({ operationId: 'listMeasurements', query: [['limit', '100']] }));
  }
  for (const id of measuredCustomerIds(samples).slice(0, MOST_CUSTOMERS)) {
    if (isEnough(customersSeen(samples))) break;
    await get(id);
  }
  return customersSeen(samples);
}

function isEnough(customers: readonly SeenCustomer[]): boolean {
  return (
    // Whether they all have the same members shows only in several.
    customers.length >= FEWEST_CUSTOMERS &&
    customers.some(usefulExternalId) &&
    usefulNames(customers).some((name) => name.normalize('NFD') !== name) &&
    usefulAlias(customers) !== undefined
  );
}

/** Those that the user has named, and the first other with an externalId of its own. */
function worthBoth(customers: readonly SeenCustomer[], known: Known): readonly SeenCustomer[] {
  const isNamed = ({ id, externalId }: SeenCustomer) =>
    known.customers.includes(id) || known.customers.includes(externalId ?? id);
  const worth = customers.filter(usefulExternalId);
  const named = worth.filter(isNamed);
  return named.length > 0 ? named : worth.slice(0, 1);
}

/** The externalId of a customer, if it differs from its id. */
function usefulExternalId({ id, externalId }: SeenCustomer): string | undefined {
  if (externalId === undefined || isOddInPath(externalId)) return undefined;
  return foldAsciiCase(externalId) === foldAsciiCase(id) ? undefined : externalId;
}

/** Names with letters, to change their case. Those of customers with known aliases come first. */
function usefulNames(customers: readonly SeenCustomer[]): readonly string[] {
  const open = customers.filter(({ aliases }) => aliases === undefined);
  const sorted = [...customers.filter((customer) => !open.includes(customer)), ...open];
  const names = sorted.flatMap(({ name }) => name ?? []);
  // One that can be written in more ways tells more.
  return names
    .sort((one, other) => variantsOf(other).length - variantsOf(one).length)
    .filter((name) => /[A-Za-z]/.test(name) && !isOddInPath(name));
}

/** An alias that differs from every name, in any case. */
function usefulAlias(customers: readonly SeenCustomer[]): string | undefined {
  const names = new Set(customers.map(({ name }) => foldAsciiCase(name ?? '')));
  return customers
    .flatMap(({ aliases }) => aliases ?? [])
    .find((alias) => !names.has(foldAsciiCase(alias)) && !isOddInPath(alias));
}

function swapCase(name: string): string {
  return name.replaceAll(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Asks for a customer by a value of the path, unless that is not known or was asked for before. */
async function getOnce(
  ask: Ask,
  { samples }: Pick<Known, 'samples'>,
  path: Readonly<Record<string, string | undefined>>,
) {
  const [[parameter = '', value] = []] = Object.entries(path);
  const asked = samples.filter(({ request: { path: sent, token, query } }) => {
    return sent[parameter] === value && token === 'given' && query.length === 0;
  });
  const isAsked = asked.some((sample) => !mayBeLost(sample)) || asked.length > 2;
  if (value === undefined || isAsked) return [];
  const operationId = parameter === 'name' ? 'getCustomerByName' : 'getCustomer';
  return [await ask({ operationId, path: { [parameter]: value } })];
}
