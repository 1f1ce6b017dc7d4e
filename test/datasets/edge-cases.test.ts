import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  type Contract,
  type Customer,
  createMockServer,
  type Measurement,
  type UsageEvent,
} from '../../src/index.js';
import { type Client, clientOf } from '../support/client.js';

type Written<T> = Partial<T> & { readonly id: string };

/** The records as they are in the file. */
const { customers, contracts, measurements, events } = parse(
  readFileSync('fixtures/edge-cases.yaml', 'utf8'),
) as {
  customers: Written<Customer>[];
  contracts: Written<Contract>[];
  measurements: Written<Measurement>[];
  events: Written<UsageEvent>[];
};
const names = customers.flatMap(({ name }) => (name === undefined ? [] : [name]));
const refs = [...new Set(events.map(({ ref }) => ref as string))];

const STAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The value with maps for objects, because `toEqual` ignores a member `__proto__`. */
function membersOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(membersOf);
  return typeof value === 'object' && value !== null ? mapOf(value) : value;
}

function mapOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).map(([key, member]) => [key, membersOf(member)]));
}

/** What the service must show of a record: its members, and the times that it adds. */
function shownOf(record: object, ...stamps: string[]): Map<string, unknown> {
  const filledIn = ['createdAt', 'updatedAt', ...stamps].map((name) => [name, STAMP] as const);
  return new Map([...filledIn, ...mapOf(record)]);
}

function expectRecords(shown: { id: string }[], written: { id: string }[], ...stamps: string[]) {
  expect(shown).toHaveLength(written.length);
  expect(new Map(shown.map((record) => [record.id, membersOf(record)]))).toEqual(
    new Map(written.map((record) => [record.id, shownOf(record, ...stamps)])),
  );
}

const pathOf = (name: string) => `/customers/name/${encodeURIComponent(name)}`;

/** Whether a path still ends with the name after a client has removed dot segments. */
function isCarried(name: string): boolean {
  const segment = new URL(pathOf(name), 'http://mock').pathname.split('/')[3];
  return Boolean(segment) && decodeURIComponent(segment as string) === name;
}

/** The response of each way to read a record, without times of deletion. */
async function everyResponse(client: Client): Promise<string[]> {
  const calls = [
    ...customers.map(({ id }) => client.get(`/customers/${id}`)),
    ...names.filter(isCarried).map((name) => client.get(pathOf(name))),
    client.get('/measurements?limit=1000'),
    ...contracts.map(({ id }) => client.delete(`/contracts/${id}`)),
    client.deleteEvents(refs),
  ];
  const responses = await Promise.all(calls);
  return responses.map(
    ({ status, text }) => `${status} ${text.replace(/"deletedAt":"[^"]+"/g, '')}`,
  );
}

/** A call of each operation on the default dataset. */
const OPERATIONS = [
  (client: Client) => client.get('/customers/65a000000000000000000001'),
  (client: Client) => client.get('/customers/name/Acme%20Corporation'),
  (client: Client) => client.delete('/contracts/65b000000000000000000001'),
  (client: Client) => client.get('/measurements'),
  (client: Client) => client.deleteEvents(['acme-2026-03-31-001']),
];

const world = await createMockServer();
const server = await createMockServer({
  dataset: 'edge-cases',
  decisions: { 'repeat-delete': 'same-result', 'repeat-event-delete': 'include' },
});

describe('every record of the dataset edge-cases comes back as it is written', () => {
  test.each(customers)('the customer $id by its id', async (customer) => {
    const { status, body } = await clientOf(server).get(`/customers/${customer.id}`);
    expect(status).toBe(200);
    expect(membersOf(body)).toEqual(new Map([['customer', shownOf(customer)]]));
  });

  test('a path carries every name but the dot segment and the empty one', () => {
    expect(names.filter((name) => !isCarried(name))).toEqual(['..', '']);
  });

  test.each(customers.filter(({ name }) => name !== undefined && isCarried(name)))(
    'the customer $id by its name, or the oldest of that name',
    async ({ name = '' }) => {
      const bearers = customers.filter((customer) => customer.name === name);
      const [oldest = {}] = bearers.toSorted((one, other) =>
        String(one.createdAt).localeCompare(String(other.createdAt)),
      );
      const { status, body } = await clientOf(server).get(pathOf(name));
      expect(status).toBe(200);
      expect(membersOf(body)).toEqual(new Map([['customer', shownOf(oldest)]]));
    },
  );

  test.each([
    ['the older of two of one name', 'name/Twin%20Peaks%20Ltd', '65fa00000000000000000014'],
    ["the bearer of a name that is another's alias", 'name/shadow', '65fa00000000000000000018'],
    [
      "the bearer of a name that is another's id",
      'name/65fa00000000000000000001',
      '65fa00000000000000000020',
    ],
    [
      "the bearer of an id that is another's externalId",
      '65fa00000000000000000001',
      '65fa00000000000000000001',
    ],
    ['the older of two of one externalId', 'shared-external-id', '65fa00000000000000000022'],
  ])('%s answers', async (_words, path, id) => {
    const { status, body } = await clientOf(server).get(`/customers/${path}`);
    expect(status).toBe(200);
    expect(body.customer.id).toBe(id);
  });

  test.each(contracts)('the contract $id when it is deleted', async (contract) => {
    const { status, body } = await clientOf(server).delete(`/contracts/${contract.id}`);
    expect(status).toBe(200);
    expect(membersOf(body)).toEqual(new Map([['contract', shownOf(contract, 'deletedAt')]]));
  });

  test('each measurement once in a walk, to the last digit', async () => {
    const client = clientOf(server);
    const listed: Measurement[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { status, body } = await client.get(
        `/measurements?limit=5${cursor && `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      expect(body.total).toBe(measurements.length);
      listed.push(...body.measurements);
      cursor = body.nextCursor;
    }
    expectRecords(listed, measurements);
  });

  test.each(refs)('the events of the ref %j when they are deleted', async (ref) => {
    const { status, body } = await clientOf(server).deleteEvents([ref]);
    expect(status).toBe(200);
    expectRecords(
      body.events,
      events.filter((event) => event.ref === ref),
      'deletedAt',
    );
  });

  test('data keys that every object inherits are members of their own', async () => {
    const { text } = await clientOf(server).deleteEvents(['hostile-keys']);
    expect(text).toContain(
      '"data":{"__proto__":"polluted","constructor":"c","toString":"t","hasOwnProperty":"h","":"empty","a.b":"dots","a b":"spaces","🚀":"emoji"}',
    );
  });
});

describe('a server over the default dataset', () => {
  test('shows the same records to the token token-edge-cases', async () => {
    const edgeCases = await createMockServer({ dataset: 'edge-cases' });
    const expected = await everyResponse(clientOf(edgeCases));
    const refused = expected.filter((response) => !response.startsWith('200 '));
    expect(refused).toEqual([expect.stringContaining('"decision":"repeat-delete"')]);
    expect(await everyResponse(clientOf(world, 'token-edge-cases'))).toEqual(expected);
  });

  test('shows nothing at all to the token token-empty', async () => {
    const responsesTo = (client: Client) => Promise.all(OPERATIONS.map((call) => call(client)));
    const ordinary = await responsesTo(clientOf(world));
    expect(ordinary.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const empty = await responsesTo(clientOf(world, 'token-empty'));
    expect(empty.map(({ status }) => status)).toEqual([404, 404, 404, 200, 200]);
    expect(empty[3]?.body).toEqual({ measurements: [], total: 0, hasMore: false });
    expect(empty[4]?.body).toEqual({ events: [] });
  });

  test('refuses the token token-refused in every operation', async () => {
    for (const call of OPERATIONS) {
      const { status, headers, body } = await call(clientOf(world, 'token-refused'));
      expect(status).toBe(401);
      expect(headers['content-type']).toBe('application/problem+json');
      expect(body).toMatchObject({ type: 'urn:usage-billing-mock:problem:unauthorized', status });
    }
  });
});

/** Whether a record has only these members. */
const isBare = (record: object, ...members: string[]) =>
  Object.keys(record).every((key) => ['id', 'createdAt', 'updatedAt', ...members].includes(key));
const others = (customer: Written<Customer>) => customers.filter((other) => other !== customer);
const dayOf = ({ usageDate: { year, month, day } = {} }: Written<Measurement>) =>
  [year, month, day].join('-');
const values = measurements.map(({ value }) => value);
const dataKeys = events.flatMap(({ data = {} }) => Object.keys(data));

test.each([
  ['a name with a slash', names.some((name) => name.includes('/'))],
  ['a name with quotes', names.some((name) => /".*'|'.*"/.test(name))],
  ['a name with a percent sign', names.some((name) => name.includes('%'))],
  ['a name with an emoji', names.some((name) => /\p{Extended_Pictographic}/u.test(name))],
  ['a name with a combining character', names.some((name) => /\p{Letter}\p{M}/u.test(name))],
  ['a right-to-left name', names.some((name) => /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(name))],
  ['a name of 255 characters', names.some((name) => [...name].length === 255)],
  ['a name in spaces', names.some((name) => /^ .* $/.test(name))],
  ['two customers with one name', new Set(names).size < names.length],
  [
    "a name that is another's alias",
    customers.some(
      (c) => c.name && others(c).some(({ aliases = [] }) => aliases.includes(`${c.name}`)),
    ),
  ],
  ["a name that is another's id", customers.some((c) => others(c).some(({ id }) => id === c.name))],
  ['a customer with an empty list of contacts', customers.some((c) => c.contacts?.length === 0)],
  ['a customer with no list of contacts', customers.some((c) => !c.contacts)],
  ['a customer with thirty contacts', customers.some((c) => c.contacts?.length === 30)],
  ['a customer with no address', customers.some((c) => !c.address)],
  ['a contract with an empty list of products', contracts.some((c) => c.products?.length === 0)],
  ['a contract with no list of products', contracts.some((c) => !c.products)],
  ['a deleted contract', contracts.some((c) => c.deletedAt)],
  [
    'a contract that ended before it began',
    contracts.some((c) => c.endDate && c.startDate && c.endDate < c.startDate),
  ],
  ['an open-ended contract', contracts.some((c) => c.startDate && !c.endDate)],
  ['a contract from a leap day on', contracts.some((c) => c.startDate?.includes('-02-29T'))],
  ['a measurement of zero', values.includes(0)],
  ['a measurement below zero', values.some((value = 0) => value < 0)],
  ['a measurement of 1e-9', values.includes(1e-9)],
  ['a measurement beyond 2^53', values.includes(9007199254740994)],
  ['the largest number', values.includes(Number.MAX_VALUE)],
  ['the smallest number', values.includes(Number.MIN_VALUE)],
  ['a measurement of a leap day', measurements.some((m) => dayOf(m).endsWith('-2-29'))],
  ["a measurement of the year's last day", measurements.some((m) => dayOf(m).endsWith('-12-31'))],
  [
    'twenty-four measurements of one day',
    measurements.some((m) => measurements.filter((n) => dayOf(m) === dayOf(n)).length >= 24),
  ],
  ['events that share a ref', refs.length < events.length],
  ['an event with empty data', events.some((e) => e.data && Object.keys(e.data).length === 0)],
  ['a data key __proto__', dataKeys.includes('__proto__')],
  ['a data key constructor', dataKeys.includes('constructor')],
  ['a deleted event', events.some((e) => e.deletedAt)],
  ['a customer with no optional field', customers.some((c) => isBare(c))],
  ['a contract with no optional field', contracts.some((c) => isBare(c))],
  ['a measurement with no optional field', measurements.some((m) => isBare(m))],
  ['an event with no field but its ref', events.some((e) => isBare(e, 'ref'))],
])('the dataset edge-cases has %s', (_words, isThere) => {
  expect(isThere).toBeTruthy();
});
