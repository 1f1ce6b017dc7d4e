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

test('a server over the default dataset shows the same records to token-edge-cases', async () => {
  const edgeCases = await createMockServer({ dataset: 'edge-cases' });
  const expected = await everyResponse(clientOf(edgeCases));
  const refused = expected.filter((response) => !response.startsWith('200 '));
  expect(refused).toEqual([expect.stringContaining('"decision":"repeat-delete"')]);
  expect(await everyResponse(clientOf(await createMockServer(), 'token-edge-cases'))).toEqual(
    expected,
  );
});
