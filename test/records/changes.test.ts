import { type Customer, createMockServer, type Measurement } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const COUNT = 1_200;
const server = await createMockServer({ dataset: 'empty' });
const generated = await createMockServer();
const account = server.account('app-token');
const { get } = controlOf(server, 'app-token');
for (let nth = 0; nth < COUNT; nth += 1) account.customers.put({ id: `c${nth}`, name: 'Initech' });
account.contracts.put({ id: 'k1', customerId: 'c1', name: 'Basic' } as never);

/** Every change, page by page. */
async function walk(query: string) {
  const changes: { collection: string; id: string }[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await get(`/changes?${query}${cursor}`);
    changes.push(...body.changes);
    if (body.nextCursor === undefined) return { changes, total: body.total };
    cursor = `&cursor=${body.nextCursor}`;
  }
}

describe('GET /__control/changes', () => {
  test('says how many changes there are, and where those beyond a page begin', async () => {
    const { body } = await get('/changes');
    expect([body.changes.length, body.total]).toEqual([1_000, COUNT + 1]);
    const { changes } = await walk('limit=500');
    expect(changes.at(-1)).toEqual({ collection: 'contracts', id: 'k1', change: 'added' });
    expect(new Set(changes.map(({ id }) => id)).size).toBe(COUNT + 1);
  });

  test.each(['', 'collection=customers&'])(
    'skips none when added records are removed between pages: ?%slimit=3',
    async (query) => {
      const control = controlOf(server);
      const { customers, contracts } = server.account(control.token);
      for (let nth = 0; nth < 6; nth += 1) customers.put({ id: `c${nth}` });
      contracts.put({ id: 'k' } as never);
      const { nextCursor } = (await control.get(`/changes?${query}limit=3`)).body;
      for (const id of ['c0', 'c2', 'c3']) customers.remove(id);
      const { body } = await control.get(`/changes?${query}limit=3&cursor=${nextCursor}`);
      const left = ['c4', 'c5', ...(query ? [] : ['k'])];
      expect(body.changes.map(({ id }: { id: string }) => id)).toEqual(left);
      expect(body).not.toHaveProperty('nextCursor');
      expect(body.total).toBe(left.length + 1);
    },
  );

  test('lists those of one collection', async () => {
    expect((await get('/changes?collection=contracts')).body).toEqual({
      changes: [{ collection: 'contracts', id: 'k1', change: 'added' }],
      total: 1,
    });
    expect(await walk('collection=customers&limit=700')).toMatchObject({ total: COUNT });
    expect((await get('/changes?collection=invoices')).status).toBe(400);
  });

  test('refuses a cursor of another listing', async () => {
    const { nextCursor } = (await get('/changes?limit=1')).body;
    for (const query of [`collection=customers&cursor=${nextCursor}`, 'cursor=zz']) {
      const { status, body } = await get(`/changes?${query}`);
      expect([status, body.errors[0].expected]).toEqual([
        400,
        'the nextCursor of the previous page, unchanged',
      ]);
    }
  });
});

describe('a record that equals that of the dataset again', () => {
  const CONTRACT = '65b000000000000000000001';
  type Control = ReturnType<typeof controlOf>;
  test.each<[words: string, again: (control: Control, path: string, record: object) => unknown]>([
    [
      'removed, and put again',
      async (control, path, record) => {
        await control.delete(path);
        expect((await control.get('/changes')).body.total).toBe(1);
        await control.put(path, record);
      },
    ],
    [
      'replaced, and put again with its members in another order',
      async (control, path, record) => {
        await control.put(path, { ...record, endDate: '2030-01-01T00:00:00.000Z' });
        expect((await control.get('/changes')).body.total).toBe(1);
        await control.put(path, Object.fromEntries(Object.entries(record).reverse()));
      },
    ],
    [
      'soft-deleted and undeleted',
      async (control, path) => {
        await control.patch(path, { deletedAt: '2026-04-01T00:00:00.000Z' });
        expect((await control.get('/changes')).body.total).toBe(1);
        await control.patch(path, { deletedAt: null });
      },
    ],
    [
      'put again before a snapshot that is restored',
      async (control, path, record) => {
        await control.delete(path);
        await control.put(path, record);
        await control.post('/snapshots', { id: 's1' });
        await control.delete(path);
        await control.post('/snapshots/s1/restore');
      },
    ],
    ['put as it is', (control, path, record) => control.put(path, record)],
  ])('is no change: %s', async (_, again) => {
    const control = controlOf(generated);
    const path = `/contracts/${CONTRACT}`;
    const before = (await control.get('/account')).body;
    const listed = (await control.get('/contracts')).body;
    const { body: record } = await control.get(path);
    await again(control, path, record);
    expect((await control.get('/changes')).body).toEqual({ changes: [], total: 0 });
    expect((await control.get('/account')).body).toEqual(before);
    expect((await control.get('/contracts')).body).toEqual(listed);
    expect((await control.get('/fixture')).body).not.toHaveProperty('contracts');
    expect(generated.account(control.token).contracts.list()).toHaveLength(before.contracts);
  });

  test('is found and paged where it was, beside a change that stays', async () => {
    const control = controlOf(generated);
    const { measurements, customers } = generated.account(control.token);
    const measurement = measurements.list()[0] as Measurement;
    const customer = customers.list()[0] as Customer;
    const read = async () => [
      (await control.service.get('/measurements?limit=3')).body,
      (await control.service.get(`/customers/name/${encodeURIComponent(customer.name ?? '')}`))
        .body,
    ];
    measurements.put({ ...measurement, id: 'm1' });
    customers.put({ ...customer, name: 'Other' });
    const before = await read();
    customers.put(customer);
    const [page, found] = await read();
    expect([page, found]).toMatchObject([before[0], { customer }]);
    measurements.remove(measurement.id);
    expect(await read()).not.toEqual([page, found]);
    measurements.put(measurement);
    expect(await read()).toEqual([page, found]);
    expect(measurements.list()[0]).toEqual(measurement);
  });
});

describe('an import over 25 customers, with', () => {
  test.each([
    // More records go than stay, so the account is filled again, and none counts as removed.
    [
      { alike: 3, renamed: 0, added: 9 },
      { total: 12, updated: 3, added: 9 },
    ],
    [
      { alike: 8, renamed: 10, added: 0 },
      { total: 17, updated: 10, removed: 7 },
    ],
    [
      { alike: 20, renamed: 1, added: 2 },
      { total: 7, updated: 1, added: 2, removed: 4 },
    ],
  ])('%j is listed as few changes', async ({ alike, renamed, added }, expected) => {
    const control = controlOf(generated);
    const customers = generated.account(control.token).customers.list();
    expect(customers).toHaveLength(25);
    const state = [
      ...customers.slice(0, alike),
      ...customers
        .slice(alike, alike + renamed)
        .map((customer: object) => ({ ...customer, name: 'Renamed' })),
      ...Array.from({ length: added }, (_, nth) => ({ id: `added-${nth}`, name: 'Added' })),
    ];
    expect((await control.put('/state', { customers: state })).ok).toBe(true);
    const { total, changes } = (await control.get('/changes?collection=customers')).body;
    const counts: Record<string, number> = { total };
    for (const { change } of changes) counts[change] = (counts[change] ?? 0) + 1;
    expect(counts).toEqual(expected);
  });
});
