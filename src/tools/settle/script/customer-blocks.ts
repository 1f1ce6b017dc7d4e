import { isObject } from '../../../core/values/json-value.js';
import { MADE_UP_NAME, randomLookupLike, zerosLike } from '../seen/made-up-values.js';
import { variantsOf, withoutZeros } from '../seen/name-variants.js';
import { idOf, isOddInPath, isSuccess, successBody } from '../seen/samples.js';
import { customersSeen, type SeenCustomer } from '../seen/seen-customers.js';
import type { Block, Run } from './block.js';

const MAX_CUSTOMERS = 8;
const MAX_LOOKED_UP = 4;
const NAMESAKE_TIMES = 4;
const TWICE = 2;

export const CUSTOMER_BLOCKS: readonly Block[] = [
  {
    requests: `GET /customers/{customerId} with the ids of --customer, then with at most ${MAX_CUSTOMERS} that measurements mention, which may take GET /measurements?limit=100, and with the externalId of each`,
    shows: [
      ...(['getCustomer', 'getCustomerByName', 'unknownCustomers'] as const),
      ...(['records', 'customersAndContracts'] as const),
    ],
    send: meetCustomers,
  },
  {
    requests:
      'GET /customers/{customerId} with the name and an alias of one of them, and with variants of its ids',
    shows: ['getCustomer'],
    madeUp: 'ids in another case and without leading zeros',
    send: lookUpById,
  },
  {
    requests: `GET /customers/name/{name} with the names of at most ${MAX_LOOKED_UP} customers, aliases, ids, and variants of a name, such as another case or other spaces and accents`,
    shows: ['getCustomerByName'],
    madeUp: 'names in another case, and other variants of a name',
    send: lookUpByName,
  },
  {
    requests: `GET /customers/name/{name}, ${NAMESAKE_TIMES} times, with a name that two customers have, if one is seen`,
    shows: ['getCustomerByName'],
    send: async (run) => {
      const names = customersSeen(run.samples).flatMap(({ name }) => name ?? []);
      const shared = names.find((name, at) => names.indexOf(name) < at);
      if (shared === undefined || isOddInPath(shared)) return;
      // A service may return any of them.
      for (let times = 0; times < NAMESAKE_TIMES; times += 1) {
        await run.get({ operationId: 'getCustomerByName', path: { name: shared } });
      }
    },
  },
  {
    requests:
      'GET /customers/{customerId} and GET /customers/name/{name} with ids and names that do not exist',
    shows: ['unknownCustomers', 'getCustomer', 'getCustomerByName'],
    reserves: () => 4,
    madeUp: 'ids and names that no record should have: of zeros, and random ones',
    send: async (run) => {
      const [customer] = customersSeen(run.samples);
      const [measured] = measuredCustomerIds(run);
      const { id = measured, name } = customer ?? {};
      await byId(run, zerosLike(id));
      if (id) await byId(run, randomLookupLike(id, run.seed));
      await byName(run, MADE_UP_NAME);
      if (name) await byName(run, randomLookupLike(name, run.seed));
    },
  },
];

/** Gets the customers that the user named, then some that measurements mention. */
async function meetCustomers(run: Run): Promise<void> {
  for (const id of run.customers) await meet(run, id);
  const isEnough = () => customersSeen(run.samples).length >= MAX_LOOKED_UP;
  if (!isEnough() && measuredCustomerIds(run).length === 0) {
    await run.get({ operationId: 'listMeasurements', query: [['limit', '100']] });
  }
  for (const id of measuredCustomerIds(run).slice(0, MAX_CUSTOMERS)) {
    if (!isEnough()) await meet(run, id);
  }
}

/** Gets a customer, and by its externalId at once: refusals in a row would count as one. */
async function meet(run: Run, id: string): Promise<void> {
  await byId(run, id);
  for (const { externalId } of customersSeen(run.samples)) await byId(run, externalId);
}

/** Those whose names have the most variants first. */
function customersToLookUp({ samples }: Run): readonly SeenCustomer[] {
  const variants = ({ name = '' }: SeenCustomer) => variantsOf(name).length;
  return customersSeen(samples)
    .slice(0, MAX_LOOKED_UP)
    .sort((one, other) => variants(other) - variants(one));
}

async function lookUpById(run: Run): Promise<void> {
  const [first] = customersToLookUp(run);
  if (!first) return;
  // What some value of a decision finds is asked for again.
  await byId(run, first.externalId, TWICE);
  await byId(run, `${first.id} `);
  for (const key of [first.id, first.externalId ?? '']) {
    for (const variant of [swapCase(key), withoutZeros(key)]) await byId(run, variant);
  }
  for (const key of [first.name, first.aliases?.[0]]) await byId(run, key);
}

async function lookUpByName(run: Run): Promise<void> {
  const customers = customersToLookUp(run);
  const [first] = customers;
  for (const id of run.customers) await byName(run, id);
  for (const [nth, { name, aliases = [] }] of customers.entries()) {
    await byName(run, name);
    await byName(run, name?.toLowerCase());
    if (nth === 0) await byName(run, name?.toUpperCase());
    await byName(run, aliases[0]);
  }
  // What some value of a decision finds is asked for again: refusals in a row would count as one.
  const { name, aliases = [] } = first ?? {};
  if (name !== undefined && customers.length === 1 && run.left() > 0) {
    await run.get({ operationId: 'getCustomerByName', path: { name } });
  }
  for (const key of [name?.toLowerCase(), aliases[0]]) await byName(run, key, TWICE);
  for (const key of [first?.id, first?.externalId]) await byName(run, key);
  await byName(run, aliases[0] && swapCase(aliases[0]));
  for (const variant of variantsOf(name ?? '')) await byName(run, variant);
}

type LookUp = (run: Run, value: string | undefined, most?: number) => Promise<void>;

const byId: LookUp = (run, value, most) => look(run, 'getCustomer', value, most);
const byName: LookUp = (run, value, most) => look(run, 'getCustomerByName', value, most);

/** Looks up a value, unless it was found, or asked for so often before. */
async function look(
  { samples, left, get }: Run,
  operationId: 'getCustomer' | 'getCustomerByName',
  value = '',
  most = 1,
): Promise<void> {
  const asked = samples.filter(
    ({ request }) =>
      request.operationId === operationId && Object.values(request.path).includes(value),
  );
  const isEnough = asked.length >= most || asked.some(isSuccess) || left() <= 0;
  if (isEnough || value.trim() === '' || /^\.*$/.test(value)) return;
  const path = { [operationId === 'getCustomer' ? 'customerId' : 'name']: value };
  await get({ operationId, path });
}

function measuredCustomerIds({ samples }: Run): readonly string[] {
  const ids = samples.flatMap((sample) => {
    const measurements = [successBody(sample)?.measurements ?? []].flat();
    return measurements.filter(isObject).flatMap(({ customerId }) => idOf(customerId) ?? []);
  });
  return [...new Set(ids)].filter((id) => !isOddInPath(id));
}

function swapCase(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
