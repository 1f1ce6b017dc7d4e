import { isObject } from '../../../core/values/json-value.js';
import { MADE_UP_NAME, randomLookupLike, zerosLike } from '../seen/made-up-values.js';
import { variantsOf, withoutZeros } from '../seen/name-variants.js';
import { idOf, isOddInPath, isSuccess, successBody } from '../seen/samples.js';
import { customersSeen, type SeenCustomer } from '../seen/seen-customers.js';
import type { Run } from './run.js';

const MAX_CUSTOMERS = 8;
const ENOUGH_CUSTOMERS = 4;
const NAMESAKE_TIMES = 4;

export const CUSTOMERS = [
  `GET /customers/{customerId} with the ids of --customer, then with at most ${MAX_CUSTOMERS} that measurements mention, which may take GET /measurements?limit=100, with the externalId of each, and with variants of both, a name and an alias`,
  `GET /customers/name/{name} with the names of at most ${ENOUGH_CUSTOMERS} customers, aliases, ids, and variants of a name, such as another case or other spaces and accents; ${NAMESAKE_TIMES} times with a name that two customers have`,
  'both with ids and names that do not exist',
];

/** Looks customers up by all that some value of a decision finds, most of it twice, but not in a row. */
export async function sendCustomers(run: Run): Promise<void> {
  await meetCustomers(run);
  const variants = ({ name = '' }) => variantsOf(name).length;
  // Those whose names have the most variants first.
  const customers = customersSeen(run.samples)
    .slice(0, ENOUGH_CUSTOMERS)
    .map(({ name = '', externalId = '', ...one }) => ({ ...one, name, externalId }))
    .sort((one, other) => variants(other) - variants(one));
  const [first] = customers;
  await lookUpUnknown(run, customersSeen(run.samples)[0]);
  if (first) {
    const { id, externalId, name, aliases: [alias = ''] = [] } = first;
    const keys = [id, externalId].flatMap((key) => [swapCase(key), withoutZeros(key)]);
    await look(run, 'getCustomer', [externalId, `${id} `, ...keys, name, alias], 2);
    const names = customers.flatMap(({ name: one, aliases = [] }, nth) => [
      ...[one, one.toLowerCase(), nth === 0 ? one.toUpperCase() : '', aliases[0] ?? ''],
    ]);
    await look(run, 'getCustomerByName', [...run.customers, ...names]);
    if (customers.length === 1 && run.left() > 0) {
      await run.ask({ operationId: 'getCustomerByName', path: { name } });
    }
    await look(run, 'getCustomerByName', [name.toLowerCase(), alias], 2);
    const others = [id, externalId, swapCase(alias), ...variantsOf(name)];
    await look(run, 'getCustomerByName', others);
  }
  const allNames = customersSeen(run.samples).flatMap(({ name = '' }) => name);
  const shared = allNames.find((name, at) => !isOddInPath(name) && allNames.indexOf(name) < at);
  for (let times = 0; shared && run.left() > 0 && times < NAMESAKE_TIMES; times += 1) {
    // A service may return any of them.
    await run.ask({ operationId: 'getCustomerByName', path: { name: shared } });
  }
}

async function lookUpUnknown(run: Run, { id, name }: Partial<SeenCustomer> = {}) {
  const known = id ?? measuredCustomerIds(run)[0];
  const madeUp = (text = '') => (text && randomLookupLike(text, run.seed)) || '';
  await look(run, 'getCustomer', [zerosLike(known), madeUp(known)]);
  await look(run, 'getCustomerByName', [MADE_UP_NAME, madeUp(name)]);
}

/** Gets the customers that the user named, then some that measurements mention. */
async function meetCustomers(run: Run): Promise<void> {
  const isEnough = () => customersSeen(run.samples).length >= ENOUGH_CUSTOMERS;
  const meet = async (id: string) => {
    await look(run, 'getCustomer', [id]);
    const externalIds = customersSeen(run.samples).map(({ externalId = '' }) => externalId);
    await look(run, 'getCustomer', externalIds);
  };
  for (const id of run.customers) await meet(id);
  if (!isEnough() && measuredCustomerIds(run).length === 0) {
    await run.ask({ operationId: 'listMeasurements', query: [['limit', '100']] });
  }
  for (const id of measuredCustomerIds(run).slice(0, MAX_CUSTOMERS)) {
    if (!isEnough()) await meet(id);
  }
}

/** Looks up values, unless one was found, or asked for so often before. */
async function look(
  { samples, left, ask }: Run,
  operationId: 'getCustomer' | 'getCustomerByName',
  values: readonly string[],
  most = 1,
): Promise<void> {
  for (const value of values) {
    const asked = samples.filter(
      ({ request }) =>
        request.operationId === operationId && Object.values(request.path).includes(value),
    );
    const isEnough = asked.length >= most || asked.some(isSuccess) || left() <= 0;
    if (isEnough || value.trim() === '' || /^\.*$/.test(value)) continue;
    const path = { [operationId === 'getCustomer' ? 'customerId' : 'name']: value };
    await ask({ operationId, path });
  }
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
