import { PARAMETERS } from '#spec';
import { foldCase } from '../../../core/values/fold-case.js';
import { FOUND_BY, type Lookup, type LookupKind, lookupsOf } from '../seen/lookups.js';
import { mayBeLost } from '../seen/lost-responses.js';
import { MADE_UP_NAME, randomLookupLike, zerosLike } from '../seen/made-up-values.js';
import { variantsOf } from '../seen/name-variants.js';
import { isOwnListing } from '../seen/pages.js';
import { isOddInPath, isSuccess, NAMESAKE_TIMES } from '../seen/samples.js';
import { customersSeen, measuredCustomerIds, type SeenCustomer } from '../seen/seen-customers.js';
import { NEED_OTHER_REFUSALS } from './listing-probes.js';
import { type Ask, type Known, type Probe, TOLD_BY_RECORDS } from './probe.js';

const MOST_CUSTOMERS = 8;
const FEWEST_CUSTOMERS = 4;
const MOST_LOOKED_UP = 4;

/** How many requests to leave for later probes, and how many more if they delete. */
const FEWEST_LEFT = { getCustomer: 38, getCustomerByName: 31, deletions: 14 };

export const CUSTOMER_PROBES: readonly Probe[] = [
  {
    requests:
      'GET /customers/{customerId} with the ids of --customer, then with at most eight that measurements mention, which may take GET /measurements?limit=100',
    tells: [...TOLD_BY_RECORDS, 'customer-id-matches', 'enum-values'],
    // The probes for these decisions get the customers first, unless they are known.
    supports: [...NEED_OTHER_REFUSALS, 'error-body'],
    send: meetCustomers,
  },
  {
    requests:
      'GET /customers/{customerId} with the ids and externalIds of at most four customers, the name and an alias of one, and in another case',
    tells: ['customer-id-matches'],
    madeUp: 'ids in another case',
    send: (ask, known) => lookUp(ask, known, 'getCustomer'),
  },
  {
    requests:
      'GET /customers/name/{name} with the names and aliases of at most four customers, the id and externalId of one, in another case, and with up to ten other variants of a name, such as other spaces or accents',
    tells: ['name-matches'],
    madeUp: 'names in another case, and other variants of a name',
    send: async (ask, known) => {
      const customers = await lookUp(ask, known, 'getCustomerByName');
      const [name = ''] = usefulNames(customers);
      for (const [, variant] of variantsOf(name)) {
        await getOnce(ask, known, 'getCustomerByName', variant);
      }
    },
  },
  {
    requests:
      'GET /customers/name/{name}, four times, with a name that two customers have, if one is seen',
    tells: ['duplicate-name'],
    send: async (ask, known) => {
      const names = (await meetCustomers(ask, known)).flatMap(({ name }) => name ?? []);
      const shared = names.find((name, index) => names.indexOf(name) < index);
      if (shared === undefined || isOddInPath(shared)) return;
      // A service may return any of them.
      for (let times = 0; times < NAMESAKE_TIMES; times += 1) {
        await ask({ operationId: 'getCustomerByName', path: { name: shared } });
      }
    },
  },
  {
    requests:
      'GET /customers/{customerId} and GET /customers/name/{name} with ids and names that do not exist',
    tells: ['unknown-identifier-status', 'error-body'],
    supports: NEED_OTHER_REFUSALS,
    madeUp: 'ids and names that no record should have: of zeros, and random ones',
    send: async (ask, known) => {
      const [customer] = await meetCustomers(ask, known);
      const [measured] = measuredCustomerIds(known.samples);
      const { id = measured, name } = customer ?? {};
      for (const made of [zerosLike(id), id && randomLookupLike(id, known.seed)]) {
        await getOnce(ask, known, 'getCustomer', made);
      }
      for (const made of [MADE_UP_NAME, name && randomLookupLike(name, known.seed)]) {
        await getOnce(ask, known, 'getCustomerByName', made);
      }
    },
  },
];

/**
 * Gets the customers that the user named, then at most eight that measurements mention, until there
 * are enough to find out how customers are matched.
 */
async function meetCustomers(ask: Ask, known: Known): Promise<readonly SeenCustomer[]> {
  const { samples, customers } = known;
  const isDone = () => isEnough(customersSeen(samples));
  const get = async (id: string) => {
    if (!isOddInPath(id)) await getOnce(ask, known, 'getCustomer', id);
  };
  for (const id of customers) await get(id);
  const hasListing = samples.some((sample) => isOwnListing(sample) && isSuccess(sample));
  if (!hasListing && !isDone()) {
    await ask({ operationId: 'listMeasurements', query: [['limit', '100']] });
  }
  for (const id of measuredCustomerIds(samples).slice(0, MOST_CUSTOMERS)) {
    if (!isDone()) await get(id);
  }
  return customersSeen(samples);
}

function isEnough(customers: readonly SeenCustomer[]): boolean {
  return (
    // It takes several to see whether all have the same members.
    customers.length >= FEWEST_CUSTOMERS &&
    customers.some(({ id, externalId = id }) => !isOddInPath(externalId) && externalId !== id) &&
    usefulNames(customers).some((name) => name.normalize('NFD') !== name) &&
    usefulAlias(customers) !== undefined
  );
}

/** Looks up at most four customers, those the user named first, and only the first by every key. */
async function lookUp(ask: Ask, known: Known, by: Lookup): Promise<readonly SeenCustomer[]> {
  const isNamed = ({ id, externalId }: SeenCustomer) =>
    known.customers.includes(id) || known.customers.includes(externalId ?? id);
  const customers = await meetCustomers(ask, known);
  const sorted = [...customers].sort((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
  const [parameter] = PARAMETERS[by];
  const isFound = (value: string) =>
    known.samples.some((sample) => sample.request.path[parameter] === value && isSuccess(sample));
  const sent = new Set<string>();
  const isDeleting = known.scratchContracts.length + known.scratchRefs.length > 0;
  const fewest = FEWEST_LEFT[by] + (isDeleting ? FEWEST_LEFT.deletions : 0);
  for (const [index, customer] of sorted.slice(0, MOST_LOOKED_UP).entries()) {
    if (index > 0 && known.left() < fewest) break;
    // The second time adds the other case of values that were found as they are.
    for (const _ of ['as they are', 'in another case']) {
      for (const { value } of lookupsOf(customer, by, isFound, index === 0)) {
        if (!sent.has(value)) await getOnce(ask, known, by, value);
        sent.add(value);
      }
    }
  }
  // Ask again for what was not found: it may be found a moment later.
  const lookups = sorted.slice(0, 1).flatMap((customer) => lookupsOf(customer, by, isFound));
  const telling = Object.values<readonly LookupKind[]>(FOUND_BY[by]).flat();
  for (const { kind, value } of lookups) {
    const isMissing = telling.includes(kind) && !isFound(value);
    if (isMissing) await ask({ operationId: by, path: { [parameter]: value } });
  }
  return customers;
}

/**
 * Names whose case can be changed: those with the most variants first; of equally many, those of
 * customers whose aliases are known.
 */
function usefulNames(customers: readonly SeenCustomer[]): readonly string[] {
  const isOpen = ({ aliases }: SeenCustomer) => Number(aliases === undefined);
  return [...customers]
    .sort((one, other) => isOpen(one) - isOpen(other))
    .flatMap(({ name }) => name ?? [])
    .sort((one, other) => variantsOf(other).length - variantsOf(one).length)
    .filter((name) => foldCase(name) !== name.toUpperCase() && !isOddInPath(name));
}

/** An alias that differs from every name even if case is ignored. */
function usefulAlias(customers: readonly SeenCustomer[]): string | undefined {
  const names = new Set(customers.map(({ name }) => foldCase(name ?? '')));
  return customers
    .flatMap(({ aliases }) => aliases ?? [])
    .find((alias) => !names.has(foldCase(alias)) && !isOddInPath(alias));
}

/**
 * Looks up a customer, unless the value is unknown, already got a response that was not lost, or
 * was sent three times.
 */
async function getOnce(ask: Ask, { samples }: Known, by: Lookup, value: string | undefined) {
  const [parameter] = PARAMETERS[by];
  const asked = samples.filter(({ request }) => request.path[parameter] === value);
  const isAsked = asked.some((sample) => !mayBeLost(sample)) || asked.length > 2;
  if (value === undefined || isAsked) return;
  await ask({ operationId: by, path: { [parameter]: value } });
}
