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

/** Every contract as a delete under these decisions answers it. */
async function contractsUnder(decisions: Partial<Decisions>) {
  const client = clientOf(await createMockServer({ decisions }));
  const answers = [];
  for (const id of contractIds)
    answers.push((await client.delete(`/contracts/${id}`)).body.contract);
  return answers;
}

/** The names of all members, with their way from the top. */
function waysOf(value: unknown, way = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${way}/${name}`,
    ...waysOf(member, `${way}/${name}`),
  ]);
}

describe('answers under enum-values: varied', () => {
  test('take every value that is listed, and each record always the same', async () => {
    const once = await contractsUnder({ 'enum-values': 'varied' });
    const products: Product[] = once.flatMap((contract) => contract.products);
    expect(new Set(products.map(({ scheduling }) => scheduling?.duration?.unit))).toEqual(
      new Set(['MONTH', 'DAY', 'WEEK', 'YEAR']),
    );
    expect(new Set(products.map(({ pricing }) => pricing?.type))).toEqual(
      new Set(['ONE_TIME', 'SUBSCRIPTION', 'TIERED', 'PER_UNIT', 'CONTRACT_TERMS']),
    );
    const again = await contractsUnder({ 'enum-values': 'varied' });
    expect(again.map(({ products }) => products)).toEqual(once.map(({ products }) => products));
  });
});

describe('answers under optional-fields: mixed', () => {
  test('lack the same fields of a record every time, within objects too', async () => {
    const [one, other] = [
      await contractsUnder({ 'optional-fields': 'mixed' }),
      await contractsUnder({ 'optional-fields': 'mixed' }),
    ];
    expect(other.map((contract) => waysOf(contract))).toEqual(
      one.map((contract) => waysOf(contract)),
    );
    const whole = (await contractsUnder({})).flatMap((contract) => waysOf(contract));
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

describe('answers under undocumented-fields: extra', () => {
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
