import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const COUNT = 1_200;
const server = await createMockServer({ dataset: 'empty' });
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
        'the nextCursor of the page before, unchanged',
      ]);
    }
  });
});
