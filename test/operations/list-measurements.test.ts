import { createMockServer } from '../../src/index.js';
import { type Client, clientOf } from '../support/client.js';
import { writeFixture } from '../support/fixture.js';

const server = await createMockServer();

/** Follows `nextCursor` to the end and returns every page. */
async function walk(client: Client, query: string) {
  const pages = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { status, body } = await client.get(
      `/measurements?${query}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    pages.push(body);
    cursor = body.nextCursor;
  }
  return pages;
}

describe('listMeasurements', () => {
  test('answers with 10 measurements when no limit is given', async () => {
    const { status, body } = await clientOf(server).get('/measurements');
    expect(status).toBe(200);
    expect(body.measurements).toHaveLength(10);
    expect(body).toMatchObject({ total: 6476, hasMore: true, nextCursor: expect.any(String) });
  });

  test('walks through every measurement once, the earliest usage first', async () => {
    const client = clientOf(server);
    const pages = await walk(client, 'limit=1000');
    const listed = pages.flatMap(({ measurements }) => measurements);
    const days = listed.map(({ usageDate: { year, month, day } }) =>
      [year, month, day].map((part) => String(part).padStart(4, '0')).join('-'),
    );
    const all = server.account(client.token).measurements.list();
    expect(new Map(listed.map((found) => [found.id, found]))).toEqual(
      new Map(all.map((kept) => [kept.id, kept])),
    );
    expect(listed).toHaveLength(all.length);
    expect(days).toEqual([...days].sort());
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([...Array(6).fill(true), false]);
    expect(pages.every(({ total }) => total === all.length)).toBe(true);
  });

  test('lists a usage date that is absent, or lacks a part, before those that have it', async () => {
    const client = clientOf(server);
    const { measurements } = server.account(client.token);
    // The order of ids is the opposite one, and decides between equal dates.
    measurements.put({ id: 'a', usageDate: { year: 1, month: 1, day: 1 } });
    measurements.put({ id: 'b', usageDate: { year: 1, month: 1 } });
    measurements.put({ id: 'c', usageDate: { year: 1 } });
    expect(measurements.put({ id: 'd' })).not.toHaveProperty('usageDate');
    const { body } = await client.get('/measurements?limit=4');
    expect(body.measurements.map(({ id }: { id: string }) => id)).toEqual(['d', 'c', 'b', 'a']);
  });

  test('lists those of one day by id, however a fixture has them', async () => {
    const usageDate = { year: 2026, month: 1, day: 2 };
    const measurements = ['b', 'd', 'a', 'c'].map((id) => ({ id, usageDate }));
    const dataset = writeFixture(JSON.stringify({ measurements }), 'one-day.json');
    const { body } = await clientOf(await createMockServer({ dataset })).get('/measurements');
    expect(body.measurements.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('walks by createdAt to its last digit, whatever the offsets, each measurement once', async () => {
    const created = {
      a: '2026-01-01T00:00:00.0010000001Z',
      b: '2026-01-01T00:00:00.001Z',
      c: '2026-01-01T03:00:00.00100000001+03:00',
      d: '1969-12-31T23:59:59.99950Z',
      e: '1969-12-31T23:59:59.9994Z',
      f: '1970-01-01T00:00:00Z',
    };
    const measurements = Object.entries(created).map(([id, createdAt]) => ({ id, createdAt }));
    const dataset = writeFixture(JSON.stringify({ measurements }), 'close-instants.json');
    const decisions = { 'measurement-order': 'created-at' } as const;
    const client = clientOf(await createMockServer({ dataset, decisions }));
    const pages = await walk(client, 'limit=1');
    expect(pages.map(({ measurements: [{ id }] }) => id).join('')).toBe('edfbca');
  });

  test('says that nothing follows, and gives no cursor, when the last page is full', async () => {
    const client = clientOf(server);
    const account = server.account(client.token);
    account.importState({ measurements: account.measurements.list().slice(0, 20) });
    const [first, second, ...others] = await walk(client, 'limit=10');
    expect(others).toEqual([]);
    expect(first).toMatchObject({ hasMore: true, total: 20 });
    expect(second).toMatchObject({ hasMore: false, total: 20 });
    expect(second).not.toHaveProperty('nextCursor');
  });

  test('answers an account without measurements with an empty page', async () => {
    const client = clientOf(server);
    server.account(client.token).importState({});
    expect((await client.get('/measurements')).body).toEqual({
      measurements: [],
      total: 0,
      hasMore: false,
    });
  });

  test.each([
    ['1', 1],
    ['10', 10],
    ['10.0', 10],
    ['1e2', 100],
    ['1E+2', 100],
    ['2.5', 2],
    ['1000', 1000],
    ['007', 7],
  ])('takes limit=%s for %d', async (limit, count) => {
    const { status, body } = await clientOf(server).get('/measurements').query({ limit });
    expect(status).toBe(200);
    expect(body.measurements).toHaveLength(count);
  });

  test.each([
    ['limit=0', 'at least 1'],
    ['limit=0.5', 'at least 1'],
    ['limit=1001', 'at most 1000'],
    ['limit=1000.5', 'at most 1000'],
    ['limit=Infinity', 'a finite decimal number'],
    ['limit=NaN', 'a finite decimal number'],
    ['limit=1e400', 'a finite decimal number'],
    ['limit=0x10', 'a finite decimal number'],
    ['limit=%2010', 'a finite decimal number'],
    ['limit=10%20', 'a finite decimal number'],
    ['limit=+10', 'a finite decimal number'],
    ['limit=ten', 'a finite decimal number'],
    ['limit=', 'a value'],
    ['limit', 'a value'],
    ['limit=1&limit=2', 'one value'],
  ])('refuses %s', async (query, expected) => {
    const { status, body } = await clientOf(server).get(`/measurements?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      expect.objectContaining({ in: 'query', pointer: '/limit', expected }),
    ]);
  });

  test('sees a limit behind a thousand parameters that are passed over', async () => {
    const client = clientOf(server);
    server.account(client.token).decisions.change({ 'unknown-query-parameters': 'ignore' });
    const others = Array.from({ length: 1_000 }, (_, nth) => `p${nth}=`).join('&');
    expect((await client.get(`/measurements?${others}&limit=0`)).status).toBe(400);
    const { body } = await client.get(`/measurements?${others}&limit=3`);
    expect(body.measurements).toHaveLength(3);
  });

  test('goes on from a cursor with another limit', async () => {
    const client = clientOf(server);
    const all = (await client.get('/measurements?limit=30')).body.measurements;
    const { nextCursor } = (await client.get('/measurements?limit=3')).body;
    const { body } = await client.get(`/measurements?limit=27&cursor=${nextCursor}`);
    expect(body.measurements).toEqual(all.slice(3));
  });

  test('gives two accounts the same bytes, cursors included', async () => {
    const [one, other] = [clientOf(server), clientOf(server)];
    const page = await one.get('/measurements?limit=5');
    expect((await other.get('/measurements?limit=5')).text).toBe(page.text);
    const next = `/measurements?limit=5&cursor=${page.body.nextCursor}`;
    expect((await other.get(next)).text).toBe((await one.get(next)).text);
  });

  test('goes on when the record that the cursor points at has gone', async () => {
    const client = clientOf(server);
    const { measurements, nextCursor } = (await client.get('/measurements?limit=3')).body;
    const [fourth] = (await client.get(`/measurements?limit=1&cursor=${nextCursor}`)).body
      .measurements;
    server.account(client.token).measurements.remove(measurements[2].id);
    const { body } = await client.get(`/measurements?limit=1&cursor=${nextCursor}`);
    expect(body.measurements).toEqual([fourth]);
    expect(body.total).toBe(6475);
  });

  test('goes on after an id as long as ids may be', async () => {
    const client = clientOf(server);
    const { measurements } = server.account(client.token);
    const id = '語'.repeat(1_000);
    measurements.put({ id, usageDate: { year: 1, month: 1, day: 1 } });
    const first = (await client.get('/measurements?limit=1')).body;
    expect(first.measurements[0].id).toBe(id);
    const next = await client.get(`/measurements?limit=1&cursor=${first.nextCursor}`);
    expect(next.body.measurements[0].id).toBe('65c000000000000000000001');
    expect(() => measurements.put({ id: `${id}x` })).toThrow('a text of 1 to 1000 characters');
  });

  describe('given parameters without a value, when such count as left out', () => {
    const { get } = clientOf(server, 'empty-parameters');
    server.account('empty-parameters').decisions.change({ 'empty-parameter': 'absent' });

    test.each(['limit=', 'limit', 'cursor=', 'limit=&cursor=', 'cursor&limit'])(
      'answers %s as if nothing had been sent',
      async (query) => {
        const { status, text } = await get(`/measurements?${query}`);
        expect(status).toBe(200);
        expect(text).toBe((await get('/measurements')).text);
      },
    );

    test('takes the other parameters for what they are', async () => {
      const { body } = await get('/measurements?limit=2&cursor=');
      expect(body.measurements).toHaveLength(2);
      const next = await get(`/measurements?limit=&cursor=${body.nextCursor}`);
      expect(next.body.measurements).toHaveLength(10);
      expect(next.body.measurements).not.toContainEqual(body.measurements[0]);
    });

    test.each([
      ['cursor=&cursor=', 'one value'],
      ['limit=%20', 'a finite decimal number'],
      ['from=', 'a known parameter'],
    ])('still refuses %s', async (query, expected) => {
      const { status, body } = await get(`/measurements?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ expected })]);
    });
  });

  describe('given a cursor that is not its own', () => {
    async function ownCursor(client: Client): Promise<string> {
      return (await client.get('/measurements?limit=1')).body.nextCursor;
    }

    test.each([
      ['a made-up one', () => 'made-up'],
      ['one cut short', (cursor: string) => cursor.slice(0, -4)],
    ])('refuses %s', async (_words, forge) => {
      const client = clientOf(server);
      const cursor = encodeURIComponent(forge(await ownCursor(client)));
      const { status, body } = await client.get(`/measurements?cursor=${cursor}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        type: 'urn:usage-billing-mock:problem:invalid-cursor',
        decision: 'invalid-cursor',
        detail: expect.stringContaining('start again without a cursor'),
      });
    });

    test.each(['a/b+c==', "a?b,(c):d;e!f$g'h*i@j"])(
      'refuses %s as a cursor also where no character of it is encoded',
      async (cursor) => {
        const client = clientOf(server);
        const { status, body } = await client.get(`/measurements?cursor=${cursor}`);
        expect(status).toBe(400);
        expect(body.decision).toBe('invalid-cursor');
        server.account(client.token).decisions.change({ 'invalid-cursor': 'first-page' });
        expect((await client.get(`/measurements?cursor=${cursor}`)).status).toBe(200);
      },
    );

    test.each([
      ['an empty one', 'cursor=', 'a value'],
      ['a repeated one', 'cursor=a&cursor=b', 'one value'],
    ])('refuses %s', async (_words, query, expected) => {
      const { status, body } = await clientOf(server).get(`/measurements?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        expect.objectContaining({ in: 'query', pointer: '/cursor', expected }),
      ]);
    });

    test('refuses one of another order, and says so', async () => {
      const elsewhere = await createMockServer({ decisions: { 'measurement-order': 'id' } });
      const cursor = await ownCursor(clientOf(elsewhere));
      const { status, body } = await clientOf(server).get(`/measurements?cursor=${cursor}`);
      expect(status).toBe(400);
      expect(body.detail).toContain('issued for the listing of measurements by id');
    });
  });
});
