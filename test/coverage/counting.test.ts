import { type Coverage, createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';
import { openapi } from '../support/document.js';

const CONTRACT = '/contracts/65b000000000000000000001';

/** The touched rows of an operation, or of decisions, with their counts. */
function touched({ rows }: Coverage, of: string): Record<string, number> {
  const own = rows.filter((one) => one.of === of && one.count > 0);
  return Object.fromEntries(own.map(({ row, count }) => [row, count]));
}

function rowOf({ rows }: Coverage, of: string, row: string) {
  return rows.find((one) => one.of === of && one.row === row);
}

describe('the coverage of an account', () => {
  const server = createMockServer();

  async function covered(
    act: (client: ReturnType<typeof clientOf>) => Promise<unknown>,
    of: string,
  ) {
    const client = clientOf(await server);
    await act(client);
    return touched((await server).account(client.token).coverage(), of);
  }

  test('has a row for each operation and each status of the document', async () => {
    const { rows } = (await server).account('nobody').coverage();
    expect(rows.filter(({ count }) => count > 0)).toEqual([]);
    for (const item of Object.values<Record<string, { operationId: string; responses: object }>>(
      openapi.paths,
    )) {
      for (const { operationId, responses } of Object.values(item)) {
        const own = rows.filter(({ of }) => of === operationId).map(({ row }) => row);
        const statuses = Object.keys(responses).map((status) => `status ${status}`);
        expect(own).toEqual(expect.arrayContaining(['called', ...statuses]));
      }
    }
  });

  test('counts calls, their statuses and whether a parameter was given', async () => {
    const act = async (client: ReturnType<typeof clientOf>) => {
      await client.get('/customers/nobody');
      await client.get('/customers/65a000000000000000000001');
      await client.get('/customers/65a000000000000000000001');
    };
    expect(await covered(act, 'getCustomer')).toEqual({
      called: 3,
      'status 200': 2,
      'status 404': 1,
      'customerId given': 3,
    });
  });

  test.each([
    ['', ['limit left out']],
    ['?limit=7', ['limit given']],
    ['?limit=1', ['limit given', 'limit at its minimum, 1']],
    ['?limit=1e3', ['limit given', 'limit at its maximum, 1000']],
    ['?limit=0', ['limit given', 'limit below 1']],
    ['?limit=1000.5', ['limit given', 'limit above 1000']],
    ['?limit=', ['limit given']],
  ])('knows where in its bounds a parameter is: %s', async (query, expected) => {
    const rows = await covered((client) => client.get(`/measurements${query}`), 'listMeasurements');
    expect(Object.keys(rows).filter((row) => row.startsWith('limit'))).toEqual(expected);
  });

  test('knows cursors that are used and refused, and listings that are read to their end', async () => {
    const act = async (client: ReturnType<typeof clientOf>) => {
      let query = '';
      for (;;) {
        const { body } = await client.get(`/measurements?limit=1000${query}`);
        if (!body.hasMore) break;
        query = `&cursor=${body.nextCursor}`;
      }
      await client.get('/measurements?cursor=made-up');
    };
    expect(await covered(act, 'listMeasurements')).toMatchObject({
      'a cursor used': 6,
      'read to its end': 1,
      'a cursor refused': 1,
      'cursor left out': 1,
    });
  });

  test('knows how many refs a body has, and what became of them', async () => {
    const many = Array.from({ length: 1_000 }, (_, nth) => `ref-${nth}`);
    const act = async (client: ReturnType<typeof clientOf>) => {
      await client.deleteEvents(['acme-2026-03-31-001']);
      await client.deleteEvents(['acme-2026-03-31-001', 'acme-2026-03-31-001']);
      await client.deleteEvents(many);
      await client.deleteEvents([...many, 'one more']);
      await client.deleteEvents([]);
    };
    expect(await covered(act, 'deleteEventsByRefs')).toEqual({
      called: 5,
      'status 200': 3,
      'status 400': 2,
      'number of refs at its minimum, 1': 1,
      'number of refs at its maximum, 1000': 1,
      'number of refs below 1': 1,
      'number of refs above 1000': 1,
      'refs repeated': 1,
      'a ref that matches no event': 1,
      'a ref of a deleted event': 1,
    });
  });

  test('knows a second delete, and the decision that it rests on', async () => {
    const twice = async (client: ReturnType<typeof clientOf>) => {
      await client.delete(CONTRACT);
      await client.delete(CONTRACT);
    };
    expect(await covered(twice, 'deleteContract')).toMatchObject({
      called: 2,
      'a second delete': 1,
    });
    expect(await covered(twice, 'decisions')).toMatchObject({
      'repeat-delete=not-found': 1,
      'updated-at-on-delete=unchanged': 1,
      'success-status=200': 1,
    });
    const once = await covered((client) => client.delete(CONTRACT), 'decisions');
    expect(Object.keys(once)).not.toContain('repeat-delete=not-found');
  });

  test.each([
    ['/measurements?limit=7', []],
    ['/measurements?limit=', ['empty-parameter=reject']],
    ['/measurements?limit=2.5', ['fractional-limit=round-down']],
    ['/measurements?limit=1001', ['limit-out-of-bounds=reject']],
    ['/customers/nobody?expand=all', ['unknown-query-parameters=reject']],
  ])(
    'counts a decision only where another value would give another response: %s',
    async (path, odd) => {
      const rows = Object.keys(await covered((client) => client.get(path), 'decisions'));
      const ids = [
        ...['empty-parameter', 'fractional-limit', 'limit-out-of-bounds', 'rate-limit'],
        ...['unknown-query-parameters', 'unknown-body-members', 'last-page'],
      ];
      expect(rows.filter((row) => ids.includes(row.split('=')[0] ?? ''))).toEqual(odd);
    },
  );

  test('says what the client did after each kind of fault', async () => {
    const { url, close } = await started();
    const account = (await server).account('after-faults');
    const call = (path: string, method = 'GET') =>
      fetch(url + path, { method, headers: { Authorization: 'Bearer after-faults' } }).then(
        ({ status }) => status,
        () => 'failed',
      );
    account.faults.add({ operationId: 'deleteContract', kind: 'reset', phase: 'after' });
    account.faults.add({ operationId: 'getCustomer', kind: 'status', status: 503 });
    const outcomes = [await call(CONTRACT, 'DELETE'), await call(CONTRACT, 'DELETE')];
    outcomes.push(await call('/customers/a'), await call('/customers/b'));
    expect(outcomes).toEqual(['failed', 404, 503, 404]);
    await close();
    const coverage = account.coverage();
    expect(rowOf(coverage, 'deleteContract', 'fault reset')).toMatchObject({
      ...{ count: 1, triedAgain: 1, noFurther: 0 },
    });
    expect(rowOf(coverage, 'getCustomer', 'fault status')).toMatchObject({
      ...{ count: 1, triedAgain: 0, noFurther: 1 },
    });
    // A lost response has no status that a client could see.
    expect(touched(coverage, 'deleteContract')).toMatchObject({ called: 2, 'status 404': 1 });
    expect(touched(coverage, 'getCustomer')).toMatchObject({ 'status 503': 1 });
  });

  test('does not count another body as the same request', async () => {
    const client = clientOf(await server);
    const account = (await server).account(client.token);
    account.faults.add({ kind: 'status', status: 500, phase: 'after', times: 2 });
    await client.deleteEvents(['a']);
    await client.deleteEvents(['b']);
    await client.deleteEvents(['a']);
    expect(rowOf(account.coverage(), 'deleteEventsByRefs', 'fault status')).toMatchObject({
      ...{ count: 2, triedAgain: 1, noFurther: 1 },
    });
  });

  test('marks what the decisions in force let nothing touch', async () => {
    const account = (await server).account('other-decisions');
    const isReachable = (of: string, row: string) =>
      rowOf(account.coverage(), of, row)?.isReachable;
    expect(isReachable('deleteContract', 'status 410')).toBe(false);
    expect(isReachable('decisions', 'repeat-delete=gone')).toBe(false);
    account.decisions.change({ 'repeat-delete': 'gone', 'cursor-lifetime': '7s' });
    expect(isReachable('deleteContract', 'status 410')).toBe(true);
    expect(isReachable('decisions', 'repeat-delete=gone')).toBe(true);
    expect(isReachable('decisions', 'cursor-lifetime=15m')).toBe(true);
    expect(isReachable('decisions', 'repeat-delete=not-found')).toBe(false);
  });

  test('begins anew with a reset, while that of the server goes on', async () => {
    const own = await createMockServer();
    const client = clientOf(own);
    await client.delete(CONTRACT);
    own.account(client.token).reset();
    expect(touched(own.account(client.token).coverage(), 'deleteContract')).toEqual({});
    own.closeAccount(client.token);
    await clientOf(own).delete(CONTRACT);
    await own.fetch('/customers/nobody');
    expect(touched(own.coverage(), 'deleteContract')).toMatchObject({ called: 2, 'status 200': 2 });
    expect(touched(own.coverage(), 'getCustomer')).toMatchObject({ called: 1, 'status 401': 1 });
    expect(touched(own.coverage(), 'decisions')).toMatchObject({
      'unauthorized-status=401': 1,
      'unknown-token=open-account': 2,
    });
  });

  test('counts no decision for a token that it does not concern', async () => {
    const own = await createMockServer({ accounts: { declared: {} } });
    const headers = { Authorization: 'Bearer declared' };
    expect((await own.fetch('/measurements', { headers })).status).toBe(200);
    expect(touched(own.coverage(), 'decisions')).not.toHaveProperty('unknown-token=open-account');
  });

  test('is the same over HTTP, where calls of the control plane touch nothing', async () => {
    const own = await createMockServer();
    const control = controlOf(own);
    await control.service.delete(CONTRACT);
    await control.get('/measurements?limit=0');
    const library = own.account(control.token).coverage();
    expect((await control.get('/coverage')).body).toEqual(library);
    expect((await control.get('/coverage?of=server')).body).toEqual(own.coverage());
    expect(touched(own.coverage(), 'listMeasurements')).toEqual({});
  });

  async function started() {
    const url = await (await server).start();
    return { url, close: async () => (await server).stop() };
  }
});
