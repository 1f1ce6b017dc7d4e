import { smallWorld } from './dataset-facts.js';
import type { Action } from './service-actions.js';
import { jsonOf, type Tenant } from './tenant.js';

async function putCustomer(tenant: Tenant): Promise<void> {
  const id = `put-${Math.floor(tenant.random() * 20)}`;
  const name = `Name ${Math.floor(tenant.random() * 1e9)} of ${tenant.token}`;
  tenant.model.customers.set(id, name);
  tenant.model.removedCustomers.delete(id);
  await tenant.control('PUT', `/customers/${id}`, { name, aliases: ['x'.repeat(200)] });
}

async function removeCustomer(tenant: Tenant): Promise<void> {
  const { model } = tenant;
  const id = tenant.pick([...model.customers.keys()]);
  if (id === undefined || model.removedCustomers.has(id)) return;
  await tenant.control('DELETE', `/customers/${id}`);
  model.removedCustomers.add(id);
}

async function putMeasurement(tenant: Tenant): Promise<void> {
  const id = `measured-${Math.floor(tenant.random() * 30)}`;
  const usageDate = { year: 2026, month: 2, day: 1 + Math.floor(tenant.random() * 28) };
  await tenant.control('PUT', `/measurements/${id}`, { usageDate, value: 1 });
  tenant.model.measurements.add(id);
}

async function restoreSnapshot(tenant: Tenant): Promise<void> {
  const { id } = jsonOf(await tenant.control('POST', '/snapshots'));
  const goBack = tenant.model.save();
  await putCustomer(tenant);
  await putMeasurement(tenant);
  await tenant.control('POST', `/snapshots/${id}/restore`);
  goBack();
  await tenant.control('DELETE', `/snapshots/${id}`);
}

async function reset(tenant: Tenant): Promise<void> {
  await tenant.control('POST', '/reset');
  tenant.model.reset();
}

/** Closes the account; the next call opens a new one, without earlier changes. */
async function close(tenant: Tenant): Promise<void> {
  await tenant.control('DELETE', '/account');
  tenant.model.reset();
}

async function abandon(tenant: Tenant): Promise<void> {
  tenant.renew();
}

async function importState(tenant: Tenant): Promise<void> {
  const { world, state } = smallWorld(Math.floor(tenant.random() * 1e6), 60);
  await tenant.control('PUT', '/state', state);
  tenant.model.replace(world);
  const exported = jsonOf(await tenant.control('GET', '/state'));
  const sizes = ['customers', 'contracts', 'measurements', 'events'].map(
    (name) => Object(Reflect.get(exported, name)).length,
  );
  tenant.same('records in the state', sizes, [3, 5, 60, 6]);
}

async function readJournal(tenant: Tenant): Promise<void> {
  const { model } = tenant;
  const counted = await tenant.control('POST', '/requests/count', {});
  const { count, evicted } = jsonOf(counted);
  tenant.same(
    'requests in the journal',
    Number(count) + Number(evicted),
    model.received - model.cleared,
    counted,
  );
  if (Number(count) === 0) return;
  const isPushedOut = async () => {
    const now = jsonOf(await tenant.control('POST', '/requests/count', {}));
    return Number(now.evicted) > Number(evicted);
  };
  const id = model.received;
  try {
    tenant.expect(await tenant.control('GET', `/requests/${id}`), { id });
    const path = tenant.pick(['', '/har', `/${id}/explain`, `/${id}/har`]);
    await tenant.control('GET', `/requests${path}`);
  } catch (error) {
    // Journals share a budget, so requests of other accounts may have pushed this one out.
    if (!(await isPushedOut())) throw error;
  }
}

async function clearJournal(tenant: Tenant): Promise<void> {
  const { count } = jsonOf(await tenant.control('DELETE', '/requests'));
  tenant.model.cleared += Number(count);
}

async function readChanges(tenant: Tenant): Promise<void> {
  const { changes } = jsonOf(await tenant.control('GET', '/changes'));
  const ids = (changes ?? []).map(({ id }) => id);
  for (const id of tenant.model.deletedContracts)
    tenant.same(`the change of ${id}`, ids.includes(id), true);
}

async function setClock(tenant: Tenant): Promise<void> {
  const frozenAt = '2030-01-02T03:04:05.000Z';
  await tenant.control('PUT', '/clock', { frozenAt });
  const { model } = tenant;
  const id = model.world.contracts.find((one) => !model.deletedContracts.has(one));
  if (id !== undefined) {
    const outcome = await tenant.serve('DELETE', `/contracts/${id}`);
    tenant.same('deletedAt', jsonOf(outcome).contract?.deletedAt, frozenAt, outcome);
    model.deletedContracts.add(id);
  }
  await tenant.control('PUT', '/clock', { real: true });
}

async function switchDecision(tenant: Tenant): Promise<void> {
  const value = tenant.pick(['not-found', 'gone'] as const) ?? 'gone';
  await tenant.control('PATCH', '/decisions', { 'repeat-delete': value });
  tenant.model.repeatDelete = value;
  await tenant.control('GET', tenant.pick(['/ledger', '/fidelity', '/openapi.json']) ?? '/ledger');
}

async function addStub(tenant: Tenant): Promise<void> {
  const stub = { method: 'GET', path: '/invoices/{id}', body: { id: '{{path.id}}' } };
  const { id } = jsonOf(await tenant.control('POST', '/stubs', stub));
  tenant.expect(await tenant.serve('GET', '/invoices/7'), { status: 200, id: '7' });
  await tenant.control('DELETE', `/stubs/${id}`);
  tenant.expect(await tenant.serve('GET', '/invoices/7'), { status: 404 });
  tenant.model.received -= 1;
}

/** Names the account by its id, like a tool that does not know the token. */
async function useAccountId(tenant: Tenant): Promise<void> {
  const { accounts } = jsonOf(await tenant.control('GET', '/accounts?limit=1000'));
  const label = `${tenant.token.slice(0, 4)}…${tenant.token.slice(-4)}#`;
  const own = (accounts ?? []).filter(({ name }) => name.startsWith(label));
  // The account is closed, or was never opened, until the service is called again.
  if (own.length === 0 && tenant.model.received === 0) return;
  tenant.same('accounts of the token', own.length, 1);
  const byToken = jsonOf(await tenant.control('GET', '/account'));
  const byId = await tenant.surroundings.send({
    method: 'GET',
    path: '/__control/account',
    headers: { 'X-Account-Id': own[0]?.id ?? '' },
  });
  tenant.expect(byId, { status: 200, fingerprint: byToken.fingerprint });
}

/** What a test does through the control plane, with weights. */
export const CONTROL_ACTIONS: readonly (readonly [weight: number, act: Action])[] = [
  [5, putCustomer],
  [3, removeCustomer],
  [4, putMeasurement],
  [3, restoreSnapshot],
  [2, reset],
  [2, close],
  [2, abandon],
  [1, importState],
  [4, readJournal],
  [1, clearJournal],
  [2, readChanges],
  [2, setClock],
  [2, switchDecision],
  [2, addStub],
  [1, useAccountId],
];
