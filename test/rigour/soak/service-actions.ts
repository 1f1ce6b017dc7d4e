import { jsonOf, type Tenant } from './tenant.js';

/** Something that a tenant does, and checks. */
export type Action = (tenant: Tenant) => Promise<void>;

async function readCustomer(tenant: Tenant): Promise<void> {
  const { model } = tenant;
  const { id = '', name } = tenant.pick(customersOf(tenant)) ?? {};
  const outcome = await tenant.serve('GET', `/customers/${encodeURIComponent(id)}`);
  if (model.removedCustomers.has(id)) return tenant.expect(outcome, { status: 404 });
  tenant.expect(outcome, { status: 200 });
  const { customer } = jsonOf(outcome);
  tenant.same('the customer', [customer?.id, customer?.name], [id, name], outcome);
  const whole = model.customers.has(id) ? undefined : model.world.wholeCustomers.get(id);
  if (whole) tenant.same('the whole customer', customer, whole, outcome);
}

async function readByName(tenant: Tenant): Promise<void> {
  const { id, name = '' } = tenant.pick(customersOf(tenant)) ?? {};
  if (id === undefined || tenant.model.removedCustomers.has(id)) return;
  const outcome = await tenant.serve('GET', `/customers/name/${encodeURIComponent(name)}`);
  tenant.expect(outcome, { status: 200 });
  tenant.same('the name', jsonOf(outcome).customer?.name, name, outcome);
}

/** The customers that the account has or had, with their expected names. */
function customersOf({ model: { world, customers } }: Tenant) {
  const put = Array.from(customers, ([id, name]) => ({ id, name }));
  return [...put, ...world.customers.filter(({ id }) => !customers.has(id))];
}

/** Deletes a contract that exists, or that was deleted before under the same token. */
async function deleteContract(tenant: Tenant): Promise<void> {
  const { model } = tenant;
  const again = tenant.random() < 0.3 ? tenant.pick([...model.deletedContracts]) : undefined;
  const id = again ?? tenant.pick(model.world.contracts);
  if (id === undefined) return;
  const wasDeleted = model.deletedContracts.has(id);
  const outcome = await tenant.serve('DELETE', `/contracts/${id}`);
  if (wasDeleted) {
    return tenant.expect(outcome, { status: model.repeatDelete === 'gone' ? 410 : 404 });
  }
  tenant.expect(outcome, { status: 200 });
  const { contract } = jsonOf(outcome);
  tenant.same(
    'the contract',
    [contract?.id, contract?.deletedAt !== undefined],
    [id, true],
    outcome,
  );
  model.deletedContracts.add(id);
}

async function deleteEvents(tenant: Tenant): Promise<void> {
  const { model } = tenant;
  const refs = Array.from({ length: 4 }, () => tenant.pick(model.world.refs) ?? 'no-ref');
  refs.push(tenant.pick([...model.deletedRefs]) ?? 'unknown-ref');
  const outcome = await tenant.serve('POST', '/events/delete-by-refs', { refs });
  tenant.expect(outcome, { status: 200 });
  const events = jsonOf(outcome).events ?? [];
  const expected = new Set(
    refs.filter((ref) => model.world.refs.includes(ref) && !model.deletedRefs.has(ref)),
  );
  tenant.same(
    'the refs deleted',
    [...new Set(events.map(({ ref }) => ref))],
    [...expected],
    outcome,
  );
  for (const ref of expected) model.deletedRefs.add(ref);
}

async function listPage(tenant: Tenant): Promise<void> {
  const limit = 1 + Math.floor(tenant.random() * 50);
  await readPage(tenant, limit, undefined, 0);
}

/** Walks page by page, to the end of a short listing, otherwise for three pages. */
async function walk(tenant: Tenant): Promise<void> {
  const { total } = tenant.model;
  const isShort = total <= 200;
  const limit = isShort ? 7 : 100;
  const pages = isShort ? Math.max(1, Math.ceil(total / limit)) : 3;
  const ids = new Set<string>();
  let cursor: string | undefined;
  for (let nth = 0; nth < pages; nth += 1) {
    const page = await readPage(tenant, limit, cursor, nth * limit);
    for (const { id } of page.measurements) ids.add(id);
    cursor = page.nextCursor;
  }
  tenant.same('ids in the walk', ids.size, Math.min(total, pages * limit));
  for (const id of isShort ? tenant.model.measurements : []) tenant.same(id, ids.has(id), true);
}

async function readPage(tenant: Tenant, limit: number, cursor: string | undefined, before: number) {
  const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const { total } = tenant.model;
  const outcome = await tenant.serve('GET', `/measurements?limit=${limit}${query}`);
  tenant.expect(outcome, { status: 200, total, hasMore: before + limit < total });
  const page: { measurements: { id: string }[]; nextCursor?: string } = JSON.parse(outcome.text);
  tenant.same(
    'records in the page',
    page.measurements.length,
    Math.min(limit, total - before),
    outcome,
  );
  const { measurements, world } = tenant.model;
  // With added measurements, the order differs.
  const known = measurements.size > 0 ? [] : world.firstMeasurements.slice(before, before + limit);
  tenant.same('the measurements', page.measurements.slice(0, known.length), known, outcome);
  return page;
}

/** Sends refused requests, some of which reach no account, and so are in no account's journal. */
async function beRefused(tenant: Tenant): Promise<void> {
  const refusals = [
    ['GET', '/measurements?limit=0', 400, true],
    ['GET', '/customers/nobody', 404, true],
    ['POST', '/events/delete-by-refs', 400, true],
    ['GET', '/nothing', 404, false],
    ['PATCH', '/measurements', 405, false],
  ] as const;
  const [method, path, status, reachesAccount] = tenant.pick(refusals) ?? refusals[0];
  const outcome = await tenant.serve(method, path);
  if (!reachesAccount) tenant.model.received -= 1;
  tenant.expect(outcome, { status });
  tenant.same('the status in the problem', jsonOf(outcome).status, status, outcome);
}

/** What a client of the service does, with weights. */
export const SERVICE_ACTIONS: readonly (readonly [weight: number, act: Action])[] = [
  [20, readCustomer],
  [15, readByName],
  [12, deleteContract],
  [12, deleteEvents],
  [15, listPage],
  [4, walk],
  [5, beRefused],
];
