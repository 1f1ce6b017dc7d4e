import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer({ dataset: 'edge-cases' });
const COLLECTIONS = ['customers', 'contracts', 'measurements', 'events'] as const;

/** Walks a collection page by page. */
async function walk(token: string, name: string, limit: number): Promise<{ id: string }[]> {
  const control = controlOf(server, token);
  const records = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await control.get(`/${name}?limit=${limit}${cursor}`);
    expect(status).toBe(200);
    records.push(...body.records);
    if (body.nextCursor === undefined) return records;
    expect(body.records).toHaveLength(limit);
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
}

describe.each(COLLECTIONS)('the listing of %s', (name) => {
  test('has every record in the order of the library, the added ones too', async () => {
    const account = server.account(`list-${name}`);
    const [first] = account[name].list();
    if (first) {
      account[name].patch(first.id, { updatedAt: '2030-01-01T00:00:00.000Z' });
      account[name].remove(account[name].list()[1]?.id ?? '');
    }
    for (let nth = 0; nth < 7; nth += 1) account[name].put({ id: `new-${nth}` } as never);
    account[name].remove('new-3');
    for (const limit of [1, 3, 7, 1_000]) {
      expect(await walk(`list-${name}`, name, limit)).toEqual(account[name].list());
    }
  });

  test('has the records alone that have a text, whatever its case, with text', async () => {
    const control = controlOf(server);
    const account = server.account(control.token);
    for (const id of ['Needle-1', 'other', 'NEEDLE-2', 'x-needle'])
      account[name].put({ id } as never);
    const find = async (query: string) => (await control.get(`/${name}?${query}`)).body;
    const all = await find('text=nEEdle');
    expect(all.records.map(({ id }: { id: string }) => id)).toEqual([
      'Needle-1',
      'NEEDLE-2',
      'x-needle',
    ]);
    expect(all).toMatchObject({ searched: account[name].list().length });
    expect(all).not.toHaveProperty('nextCursor');
    const first = await find('text=needle&limit=2');
    expect(first.records).toEqual(all.records.slice(0, 2));
    const second = await find(`text=needle&limit=2&cursor=${first.nextCursor}`);
    expect(second.records).toEqual(all.records.slice(2));
    expect(first.searched + second.searched).toBe(all.searched);
    expect(await find('text=nowhere-at-all')).toMatchObject({ records: [] });
  });

  test('goes on after a page whose last record was removed', async () => {
    const control = controlOf(server);
    const account = server.account(control.token);
    for (const id of ['n1', 'n2', 'n3']) account[name].put({ id } as never);
    const all = account[name].list().map(({ id }) => id);
    const { body } = await control.get(`/${name}?limit=${all.length - 1}`);
    account[name].remove('n2');
    const rest = await control.get(`/${name}?cursor=${body.nextCursor}`);
    expect(rest.body).toEqual({ records: [account[name].get('n3')] });
  });

  test('skips none when records are removed between pages, and then a snapshot taken', async () => {
    const control = controlOf(server);
    const account = server.account(control.token);
    const size = account[name].list().length;
    for (const id of ['n1', 'n2', 'n3', 'n4', 'n5']) account[name].put({ id } as never);
    const { body } = await control.get(`/${name}?limit=${size + 2}`);
    for (const id of ['n1', 'n3']) account[name].remove(id);
    account.snapshot();
    account[name].remove('n2');
    const rest = await control.get(`/${name}?cursor=${body.nextCursor}`);
    expect(rest.body.records.map(({ id }: { id: string }) => id)).toEqual(['n4', 'n5']);
  });

  test.each([
    ['limit=0', '/limit'],
    ['limit=1001', '/limit'],
    ['limit=2.5', '/limit'],
    ['cursor=x', '/cursor'],
    ['page=2', '/page'],
    ['text=', '/text'],
  ])('refuses %s', async (query, pointer) => {
    const { status, body } = await controlOf(server).get(`/${name}?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
  });
});

test('a cursor of one collection is refused by another', async () => {
  const control = controlOf(server);
  for (const id of ['a', 'b']) server.account(control.token).events.put({ id });
  const { body } = await control.get('/events?limit=1');
  const refused = await control.get(`/customers?cursor=${body.nextCursor}`);
  expect(refused.status).toBe(400);
  expect(refused.body.detail).toContain('issued for the listing of all events');
});

test('a page deep in a hundred thousand measurements takes as long as the first', async () => {
  const large = await createMockServer({ dataset: 'large' });
  const control = controlOf(large);
  const { size } = large.dataset.measurements;
  expect(size).toBeGreaterThanOrEqual(100_000);
  const first = await control.get('/measurements?limit=1');
  expect(first.body.records).toHaveLength(1);
  const startedAt = performance.now();
  let page = first;
  for (let nth = 0; nth < 20; nth += 1) {
    page = await control.get(`/measurements?limit=1000&cursor=${page.body.nextCursor}`);
    expect(page.body.records).toHaveLength(1_000);
  }
  expect((performance.now() - startedAt) / 20).toBeLessThan(500);
});

test('a whole fixture of more than 10,000 records is refused, and the command named that writes it', async () => {
  const large = await createMockServer({ dataset: 'large' });
  const control = controlOf(large);
  const { status, body } = await control.get('/fixture?whole=true');
  expect([status, body.type]).toEqual([413, expect.stringContaining('content-too-large')]);
  expect(body.detail).toBe(
    "The whole fixture would have 112000 records; expected at most 10000. Run 'usage-billing-mock fixture --from <url> --whole', which reads them page by page, or call the library where the mock runs.",
  );
  expect((await control.get('/fixture?newIds=true')).status).toBe(413);
  expect((await control.get('/fixture')).status).toBe(200);
});

describe('what needs no bearer token, and opens no account', () => {
  test('the journal of the server is read, counted, explained and cleared', async () => {
    const mock = await createMockServer({ dataset: 'empty' });
    const call = (method: 'get' | 'post' | 'delete', path: string) =>
      request(mock.app)[method](`/__control${path}`);
    await request(mock.app).get('/nowhere');
    expect((await call('get', '/requests?of=server')).body.requests).toHaveLength(1);
    expect((await call('post', '/requests/count?of=server')).body).toEqual({
      count: 1,
      evicted: 0,
    });
    expect((await call('get', '/requests/1/explain?of=server')).body.id).toBe(1);
    expect((await call('delete', '/requests?of=server')).body).toEqual({ count: 1 });
    expect(mock.journal.list()).toEqual([]);
    expect((await call('get', '/requests')).status).toBe(401);
    expect(mock.tokens()).toEqual([]);
  });

  test('the stubs of the server are added, listed, read and removed', async () => {
    const mock = await createMockServer({ dataset: 'empty' });
    const stub = { method: 'GET', path: '/me' };
    const call = (method: 'get' | 'post' | 'delete', path: string) =>
      request(mock.app)[method](`/__control${path}`);
    expect((await call('post', '/stubs?for=server').send(stub)).status).toBe(201);
    expect((await call('get', '/stubs?for=server')).body.stubs).toHaveLength(1);
    expect((await call('get', '/stubs/1?for=server')).body.path).toBe('/me');
    expect((await call('delete', '/stubs/1?for=server')).status).toBe(200);
    expect((await call('delete', '/stubs?for=server')).body).toEqual({ count: 0 });
    expect((await call('post', '/stubs').send(stub)).status).toBe(401);
    expect((await call('get', '/clock?for=server')).status).toBe(400);
    expect(mock.tokens()).toEqual([]);
  });

  test('resetting every account says how many there are', async () => {
    const mock = await createMockServer({ dataset: 'empty' });
    mock.account('a').customers.put({ id: 'c', name: 'C' });
    const { status, body } = await request(mock.app).post('/__control/accounts/reset');
    expect([status, body]).toEqual([200, { accounts: 1 }]);
    expect(mock.account('a').customers.list()).toEqual([]);
  });

  test('closing an account that is not open says so, and opens none', async () => {
    const mock = await createMockServer({ dataset: 'empty', maxAccounts: 1 });
    mock.account('a');
    const close = (token: string) => controlOf(mock, token).delete('/account');
    expect((await close('b')).body).toEqual({ closed: false });
    expect((await close('a')).body).toEqual({ closed: true });
    expect((await close('a')).body).toEqual({ closed: false });
    expect((await request(mock.app).delete('/__control/account')).status).toBe(401);
    expect(mock.tokens()).toEqual([]);
  });
});
