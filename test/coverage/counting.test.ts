import { type Coverage, createMockServer, type MockServerOptions } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';
import { openapi } from '../support/document.js';

const CONTRACT = '/contracts/65b000000000000000000001';

/** The touched rows of an operation, or of decisions, with their counts. */
function touched({ counts }: Coverage, of: string): Record<string, number> {
  const own = Object.entries(counts).filter(([row, n]) => row.startsWith(`${of}: `) && n > 0);
  return Object.fromEntries(own.map(([row, n]) => [row.slice(of.length + 2), n]));
}

describe('the coverage', () => {
  async function covered(
    act: (client: ReturnType<typeof clientOf>) => Promise<unknown>,
    of: string,
  ) {
    const server = await createMockServer();
    await act(clientOf(server));
    return touched(server.coverage(), of);
  }

  test('has a row for each operation and each status of the document', async () => {
    const { counts } = (await createMockServer()).coverage();
    expect(Object.values(counts).filter((count) => count > 0)).toEqual([]);
    for (const item of Object.values<Record<string, { operationId: string; responses: object }>>(
      openapi.paths,
    )) {
      for (const { operationId, responses } of Object.values(item)) {
        const statuses = Object.keys(responses).map((status) => `status ${status}`);
        const rows = ['called', ...statuses].map((row) => `${operationId}: ${row}`);
        expect(Object.keys(counts)).toEqual(expect.arrayContaining(rows));
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

  test('shows by decisions which cursors were refused, and which listings were read to their end', async () => {
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
      'cursor given': 7,
      'cursor left out': 1,
    });
    expect(await covered(act, 'decisions')).toMatchObject({
      'final-cursor=absent': 1,
      'invalid-cursor=reject': 1,
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
    });
    expect(await covered(act, 'decisions')).toMatchObject({
      'unmatched-refs=ignore': 1,
      'repeat-event-delete=omit': 1,
    });
  });

  test('knows a second delete by the decision that it rests on', async () => {
    const twice = async (client: ReturnType<typeof clientOf>) => {
      await client.delete(CONTRACT);
      await client.delete(CONTRACT);
    };
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
    const server = await createMockServer();
    const url = await server.start();
    const account = server.account('after-faults');
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
    await server.stop();
    // A lost response has no status that a client could see.
    const deleted = touched(server.coverage(), 'deleteContract');
    expect(deleted).toMatchObject({ called: 2, 'status 404': 1 });
    expect(deleted).toMatchObject({ 'fault reset': 1, 'fault reset, tried again': 1 });
    const found = touched(server.coverage(), 'getCustomer');
    expect(found).toMatchObject({ 'status 503': 1, 'fault status': 1 });
    expect(found).not.toHaveProperty('fault status, tried again');
  });

  test('counts neither another body nor a request after a reset as the same', async () => {
    const server = await createMockServer();
    const client = clientOf(server);
    const account = server.account(client.token);
    const fault = { kind: 'status', status: 500, phase: 'after' } as const;
    account.faults.add({ ...fault, times: 2 });
    await client.deleteEvents(['a']);
    await client.deleteEvents(['b']);
    account.reset();
    await client.deleteEvents(['a']);
    account.faults.add(fault);
    await client.deleteEvents(['c']);
    await client.deleteEvents(['d']);
    await client.deleteEvents(['c']);
    expect(touched(server.coverage(), 'deleteEventsByRefs')).toMatchObject({
      ...{ 'fault status': 3, 'fault status, tried again': 1 },
    });
  });

  test('lists what the decisions in force let requests touch', async () => {
    const rowsUnder = async (decisions: MockServerOptions['decisions'] = {}) =>
      Object.keys((await createMockServer({ decisions })).coverage().counts);
    const gone = ['deleteContract: status 410', 'decisions: repeat-delete=gone'];
    for (const row of gone) expect(await rowsUnder()).not.toContain(row);
    const rows = await rowsUnder({ 'repeat-delete': 'gone', 'cursor-lifetime': '7s' });
    expect(rows).toEqual(expect.arrayContaining([...gone, 'decisions: cursor-lifetime=15m']));
    expect(rows).not.toContain('decisions: repeat-delete=not-found');
  });

  test('is of all accounts since the start, reset or closed since', async () => {
    const own = await createMockServer();
    const client = clientOf(own);
    await client.delete(CONTRACT);
    own.account(client.token).reset();
    own.closeAccount(client.token);
    await clientOf(own).delete(CONTRACT);
    await own.fetch('/customers/nobody');
    await own.fetch('/nowhere');
    expect(touched(own.coverage(), 'deleteContract')).toMatchObject({ called: 2, 'status 200': 2 });
    expect(touched(own.coverage(), 'getCustomer')).toMatchObject({ called: 1, 'status 401': 1 });
    expect(touched(own.coverage(), 'other calls')).toEqual({ called: 1 });
    expect(touched(own.coverage(), 'decisions')).toMatchObject({
      'unauthorized-status=401': 1,
      'unknown-token=open-account': 2,
    });
  });

  test('counts the rate limit once a usual one would have been reached', async () => {
    const act = async (client: ReturnType<typeof clientOf>) => {
      for (let nth = 0; nth < 102; nth += 1) await client.get('/customers/nobody');
    };
    expect(await covered(act, 'decisions')).toMatchObject({ 'rate-limit=unlimited': 2 });
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
    expect((await own.fetch('/__control/coverage')).status).toBe(200);
    expect((await control.get('/coverage')).body).toEqual(own.coverage());
    expect(touched(own.coverage(), 'listMeasurements')).toEqual({});
  });
});
