import { createMockServer, type Decisions } from '../../src/index.js';
import { clientOf } from '../support/client.js';

interface Product {
  readonly scheduling?: { readonly duration?: { readonly unit?: string } };
  readonly pricing?: { readonly type?: string };
}

const base = await createMockServer();
const contractIds = base
  .account('ids')
  .contracts.list()
  .map(({ id }) => id);

/** The first contracts, each in the response to its deletion under these decisions. */
async function contractsUnder(decisions: Partial<Decisions>, count = contractIds.length) {
  const client = clientOf(await createMockServer({ decisions }));
  const responses = [];
  for (const id of contractIds.slice(0, count))
    responses.push((await client.delete(`/contracts/${id}`)).body.contract);
  return responses;
}

/** The paths of all members. */
function waysOf(value: unknown, way = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${way}/${name}`,
    ...waysOf(member, `${way}/${name}`),
  ]);
}

describe('responses under enum-values: varied', () => {
  test('take every value that is listed, and each record always the same', async () => {
    const once = await contractsUnder({ 'enum-values': 'varied' });
    const products: Product[] = once.flatMap((contract) => contract.products);
    expect(new Set(products.map(({ scheduling }) => scheduling?.duration?.unit))).toEqual(
      new Set(['MONTH', 'DAY', 'WEEK', 'YEAR']),
    );
    expect(new Set(products.map(({ pricing }) => pricing?.type))).toEqual(
      new Set(['ONE_TIME', 'SUBSCRIPTION', 'TIERED', 'PER_UNIT', 'CONTRACT_TERMS']),
    );
    const again: Product[] = (await contractsUnder({ 'enum-values': 'varied' }, 5)).flatMap(
      (contract) => contract.products,
    );
    expect(again).toEqual(products.slice(0, again.length));
  });
});

describe('responses under optional-fields: mixed', () => {
  test('lack the same fields of a record every time, within objects too', async () => {
    const [one, other] = [
      await contractsUnder({ 'optional-fields': 'mixed' }, 18),
      await contractsUnder({ 'optional-fields': 'mixed' }, 18),
    ];
    expect(other.map((contract) => waysOf(contract))).toEqual(
      one.map((contract) => waysOf(contract)),
    );
    const whole = (await contractsUnder({}, 18)).flatMap((contract) => waysOf(contract));
    const left = one.flatMap((contract) => waysOf(contract));
    for (const name of new Set(whole.map((way) => way.split('/').at(-1) ?? ''))) {
      if (['id', 'deletedAt'].includes(name) || /^\d+$/.test(name)) continue;
      const count = (ways: string[]) => ways.filter((way) => way.endsWith(`/${name}`)).length;
      expect([name, count(left) < count(whole)]).toEqual([name, true]);
      expect([name, count(left) > 0]).toEqual([name, true]);
    }
  });

  test.each(['absent', 'mixed'] as const)(
    'and absent keep what is known: ids, totals and the way on (%s)',
    async (value) => {
      const client = clientOf(await createMockServer({ decisions: { 'optional-fields': value } }));
      const { body } = await client.get('/measurements?limit=50');
      expect(body).toMatchObject({ total: 6476, hasMore: true, nextCursor: expect.any(String) });
      expect(body.measurements).toHaveLength(50);
      for (const { id } of body.measurements) expect(id).toMatch(/^[0-9a-f]{24}$/);
      const next = await client.get(`/measurements?limit=1&cursor=${body.nextCursor}`);
      expect(next.status).toBe(200);
      const { events } = (await client.deleteEvents(['globex-march'])).body;
      expect(events).toEqual([
        expect.objectContaining({ id: expect.any(String), deletedAt: expect.any(String) }),
        expect.objectContaining({ id: expect.any(String), deletedAt: expect.any(String) }),
      ]);
    },
  );
});

describe('responses under optional-fields that names members', () => {
  const POINTERS = [
    '/measurements/*/updatedAt',
    '/measurements/*/value=null',
    '/measurements/*/usageDate=null',
    '/contract/products/*/pricing/type',
    '/contract/products/*/scheduling=null',
    '/customer/externalId',
  ];
  const NAMED = POINTERS.join(',') as `/${string}`;

  /** Everything that a client sees of 100 measurements, and of all contracts and customers. */
  async function recordsUnder(decisions: Partial<Decisions>) {
    const server = await createMockServer({ decisions });
    const client = clientOf(server);
    const bodies = [(await client.get('/measurements?limit=100')).body];
    for (const { id } of server.account(client.token).customers.list()) {
      bodies.push((await client.get(`/customers/${id}`)).body);
    }
    for (const id of contractIds) bodies.push((await client.delete(`/contracts/${id}`)).body);
    return bodies;
  }

  const placeOf = (way: string) => way.replaceAll(/\/\d+(?=\/|$)/g, '/*');

  test('lack just those members, or have null there, in about half of the records', async () => {
    const named = await recordsUnder({ 'optional-fields': NAMED });
    const plain = await recordsUnder({});
    const counts = new Map<string, [changed: number, of: number]>();
    const others: string[] = [];
    /** Counts, at any depth, where the two differ. */
    const compare = (one: unknown, other: unknown, way: string): void => {
      for (const [name, value] of Object.entries(one as object)) {
        const place = placeOf(`${way}/${name}`);
        const now = (other as Record<string, unknown>)[name];
        const change = now === undefined ? place : `${place}=null`;
        const isChanged = now === undefined || (now === null && value !== null);
        for (const pointer of [place, `${place}=null`]) {
          const [changed, of] = counts.get(pointer) ?? [0, 0];
          counts.set(pointer, [changed + Number(isChanged && change === pointer), of + 1]);
        }
        const isTime = name === 'deletedAt';
        if (typeof value === 'object' && !isChanged) compare(value, now, `${way}/${name}`);
        else if (!isChanged && !isTime && now !== value) others.push(place);
      }
    };
    for (const [index, body] of plain.entries()) compare(body, named[index], '');
    expect(others).toEqual([]);
    const changed = [...counts].filter(([, [times]]) => times > 0).map(([pointer]) => pointer);
    expect(changed.sort()).toEqual([...POINTERS].sort());
    for (const pointer of POINTERS) {
      const [times = 0, of = 0] = counts.get(pointer) ?? [];
      expect([pointer, times / of > 0.2, times / of < 0.8]).toEqual([pointer, true, true]);
    }
    const again = clientOf(await createMockServer({ decisions: { 'optional-fields': NAMED } }));
    expect((await again.get('/measurements?limit=100')).body).toEqual(named[0]);
  });

  test('agree with the document in force, which says what may be null', async () => {
    const server = await createMockServer({
      decisions: { 'optional-fields': '/measurements/*/usageDate=null,/customer/externalId=null' },
    });
    const { Measurement, Customer, Contract } = (
      server.openapi('any') as unknown as {
        components: { schemas: Record<string, { properties: Record<string, object> }> };
      }
    ).components.schemas;
    const nullable = [Measurement, Customer, Contract].flatMap((schema) =>
      Object.entries(schema?.properties ?? {}).flatMap(([name, member]) =>
        'nullable' in member ? name : [],
      ),
    );
    expect(nullable).toEqual(['usageDate', 'externalId']);
  });
});

describe('responses under undocumented-fields: extra', () => {
  test('have them in every record of a list, and the records themselves stay as they are', async () => {
    const server = await createMockServer({ decisions: { 'undocumented-fields': 'extra' } });
    const client = clientOf(server);
    const { measurements } = (await client.get('/measurements')).body;
    for (const measurement of measurements) {
      const { undocumentedText, undocumentedObject, ...rest } = measurement;
      expect([undocumentedText, undocumentedObject]).toEqual([
        'not in the document',
        { nested: [1, true, null] },
      ]);
      expect(server.account(client.token).measurements.get(measurement.id)).toEqual(rest);
    }
  });
});
