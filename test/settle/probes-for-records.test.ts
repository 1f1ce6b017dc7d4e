import { createMockServer } from '../../src/index.js';
import { CUSTOMER_PROBES } from '../../src/tools/settle/probes/customer-probes.js';
import { DELETION_PROBES } from '../../src/tools/settle/probes/deletion-probes.js';
import { TOKEN_PROBES } from '../../src/tools/settle/probes/probes.js';
import { GIVEN_TOKEN, send, told } from '../support/settle.js';

const ACME = { id: '65a000000000000000000001', externalId: '0015g00000XyZabAAF' };

/** A service that answers each path with a status and a body. */
function serviceOf(response: (path: string) => readonly [status: number, body: unknown]) {
  const requests: string[] = [];
  const fetch = async (input: Request | URL | string, init?: RequestInit) => {
    requests.push(`${init?.method} ${decodeURIComponent(String(input))}`);
    const [status, body] = response(decodeURIComponent(String(input)));
    return new Response(JSON.stringify(body), { status });
  };
  return { fetch, requests };
}

const measurementsOf = (customerIds: readonly unknown[]) => ({
  measurements: customerIds.map((customerId, index) => ({ id: `m${index}`, customerId })),
});

describe('probes for customers', () => {
  test.each([
    ['id', ACME.id],
    ['id', ACME.externalId],
    ['external-id', ACME.externalId],
    ['id-or-external-id', ACME.id],
    ['id-or-external-id', ACME.externalId],
  ] as const)('settle %s, given the customer %s', async (value, customer) => {
    const server = await createMockServer({ decisions: { 'customer-id-matches': value } });
    const samples = await send(server, CUSTOMER_PROBES, { customers: [customer] });
    expect(told('customer-id-matches', samples)).toBe(value);
  });

  test.each(['oldest', 'conflict'] as const)('settle duplicate-name=%s', async (value) => {
    const server = await createMockServer({
      dataset: 'edge-cases',
      decisions: { 'duplicate-name': value },
    });
    const names = server.account(GIVEN_TOKEN).customers.list();
    const shared = names.filter((one) =>
      names.some(({ id, name }) => id !== one.id && name === one.name),
    );
    const customers = shared.map(({ id }) => id);
    const samples = await send(server, CUSTOMER_PROBES, { customers });
    expect(told('duplicate-name', samples)).toBe(value);
  });

  test('ask for nobody twice who was found', async () => {
    const server = await createMockServer();
    const samples = await send(server, [...CUSTOMER_PROBES, ...CUSTOMER_PROBES]);
    const found = samples.filter(({ response }) => response.status === 200);
    const requests = found.map(({ request }) => JSON.stringify(request));
    expect(new Set(requests).size).toBe(requests.length);
  });

  test('ask for eight customers at most where none is found', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `cus_${index}`);
    const service = serviceOf((path) =>
      path.startsWith('/measurements') ? [200, measurementsOf(ids)] : [404, { message: 'No.' }],
    );
    await send(service, CUSTOMER_PROBES);
    expect(service.requests).toEqual([
      'GET /measurements?limit=100',
      ...ids.slice(0, 8).map((id) => `GET /customers/${id}`),
      'GET /customers/cus_00000000',
      expect.stringMatching(/^GET \/customers\/cus_\d{20,}$/),
      'GET /customers/name/No such customer 0000000000000000',
    ]);
  });

  test('go on until there is an externalId, a name with letters and an alias', async () => {
    const customers: Record<string, object> = {
      a: { id: 'a', externalId: 'a', name: '北極星', aliases: ['x/y'] },
      b: { id: 'b', externalId: 'b/c', name: 'Beta', aliases: ['BETA'] },
      c: { id: 'c', externalId: 'EXT', name: 'Gamma', aliases: ['BETA', 'third'] },
      d: { id: 'd', externalId: 'EXT-D', name: 'Delta', aliases: ['fourth'] },
    };
    const service = serviceOf((path) => {
      if (path.startsWith('/measurements')) return [200, measurementsOf(['a', 'b', 'a', 'c', 'd'])];
      const customer = customers[path.replace('/customers/', '')];
      return customer ? [200, { customer }] : [404, {}];
    });
    await send(service, CUSTOMER_PROBES);
    expect(service.requests).toEqual([
      'GET /measurements?limit=100',
      'GET /customers/a',
      'GET /customers/b',
      'GET /customers/c',
      'GET /customers/d',
      // Every key of one customer, and keys of others that alternatives find, also in another case.
      ...['A', '北極星', 'EXT', 'EXT-D'].map((id) => `GET /customers/${id}`),
      ...['a', '北極星', 'Beta', 'bETA', 'BETA', 'Gamma', 'gAMMA', 'Delta', 'dELTA', 'fourth'].map(
        (name) => `GET /customers/name/${name}`,
      ),
      // Once more an id that is not found, and the forms of a name.
      'GET /customers/name/北極星',
      ...['beta', ' Beta', 'Beta ', 'Beta.', '_eta', 'Bet', 'eta', 'Béta', 'Ｂeta'].map(
        (name) => `GET /customers/name/${name}`,
      ),
      'GET /customers/00000000',
      expect.stringMatching(/^GET \/customers\/[\da-f]{20,}$/),
      'GET /customers/name/No such customer 0000000000000000',
    ]);
  });

  test('tell nothing of a service without customers', async () => {
    const service = serviceOf((path) =>
      path.startsWith('/measurements') ? [200, measurementsOf([])] : [404, {}],
    );
    const samples = await send(service, CUSTOMER_PROBES);
    expect(told('customer-id-matches', samples)).toBe('could-not-check');
    expect(told('name-matches', samples)).toBe('could-not-check');
    expect(told('unknown-identifier-status', samples)).toBe('undecided');
  });

  test.each([401, 403, 404, 429, 500])(
    'tell nothing of a service that answers %i to all',
    async (status) => {
      const service = serviceOf(() => [status, {}]);
      const samples = await send(service, CUSTOMER_PROBES);
      for (const id of [
        'customer-id-matches',
        'name-matches',
        'unknown-identifier-status',
      ] as const) {
        expect(told(id, samples)).toBe('could-not-check');
      }
    },
  );
});

describe('probes for tokens and customers', () => {
  test('only read', async () => {
    const service = serviceOf(() => [200, measurementsOf(['a'])]);
    await send(service, [...CUSTOMER_PROBES, ...TOKEN_PROBES]);
    expect(service.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });
});

describe('probes that delete', () => {
  test('are marked', () => {
    expect(DELETION_PROBES.every(({ changesRecords }) => changesRecords)).toBe(true);
    expect([...CUSTOMER_PROBES, ...TOKEN_PROBES].some(({ changesRecords }) => changesRecords)).toBe(
      false,
    );
  });

  test('touch the named records only, and a ref that no event has', async () => {
    const server = await createMockServer();
    const { contracts, events } = server.account(GIVEN_TOKEN);
    const [contract] = contracts.list();
    const [event] = events.list().filter(({ ref }) => ref === 'acme-2026-03-31-001');
    const samples = await send(server, DELETION_PROBES, {
      scratchContracts: [String(contract?.id)],
      scratchRefs: [String(event?.ref)],
    });
    const deleted = (records: readonly { id: string; deletedAt?: string }[]) =>
      records.filter(({ deletedAt }) => deletedAt !== undefined).map(({ id }) => id);
    expect(deleted(contracts.list())).toEqual([contract?.id]);
    expect(deleted(events.list())).toEqual([event?.id]);
    expect(samples).toHaveLength(9);
  });

  test('do not delete a contract again that was not deleted', async () => {
    const service = serviceOf(() => [404, {}]);
    await send(service, DELETION_PROBES, { scratchContracts: ['c', 'c', 'd'] });
    expect(service.requests).toEqual([
      'DELETE /contracts/c',
      'DELETE /contracts/d',
      'POST /events/delete-by-refs',
    ]);
  });
});
