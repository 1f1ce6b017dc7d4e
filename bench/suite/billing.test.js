// One file of the suite, the same for all: 50 requests to the five operations. Every test deletes
// the same records, so it fails if the state of another one outlives it.
import { mock } from './set-up.js';

const CUSTOMERS = [
  ['65a000000000000000000001', 'Acme Corporation'],
  ['65a000000000000000000002', 'Globex GmbH'],
  ['65a000000000000000000003', 'Müller & Söhne'],
  ['65a000000000000000000004', 'Blue/Green Hosting'],
  ['65a000000000000000000005', '北極星 Analytics'],
];
const CONTRACTS = ['65b000000000000000000001', '65b000000000000000000002'];
const REFS = ['acme-2026-03-31-001', 'acme-2026-03-31-002', 'globex-march'];

async function call(method, path, body) {
  const response = await fetch(mock.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${mock.token}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

describe.each([0, 1, 2, 3, 4])('of customer %i', (nth) => {
  const [id, name] = CUSTOMERS[nth];

  test('a customer is read, then what it used, page by page', async () => {
    const { customer } = await call('GET', `/customers/${id}`);
    expect(customer.name).toBe(name);
    const found = await call('GET', `/customers/name/${encodeURIComponent(name)}`);
    expect(found.customer).toEqual(customer);
    const first = await call('GET', '/measurements?limit=10');
    expect(first).toMatchObject({ hasMore: true, nextCursor: expect.any(String) });
    const second = await call('GET', `/measurements?limit=10&cursor=${first.nextCursor}`);
    const ids = [...first.measurements, ...second.measurements].map((one) => one.id);
    expect(new Set(ids).size).toBe(20);
    const third = await call('GET', `/measurements?limit=20&cursor=${second.nextCursor}`);
    expect(third.measurements).toHaveLength(20);
  });

  test('a contract and events are deleted', async () => {
    const contractId = CONTRACTS[nth % CONTRACTS.length];
    const { contract } = await call('DELETE', `/contracts/${contractId}`);
    expect(contract).toMatchObject({ id: contractId, deletedAt: expect.any(String) });
    const refs = REFS.slice(0, 2);
    const { events } = await call('POST', '/events/delete-by-refs', { refs });
    expect(events.map(({ ref }) => ref).sort()).toEqual(refs);
    const again = await call('POST', '/events/delete-by-refs', { refs: REFS });
    expect(again.events.map(({ ref }) => ref)).toEqual(['globex-march', 'globex-march']);
    const { customer } = await call('GET', `/customers/${id}`);
    expect(customer.id).toBe(id);
    const found = await call('GET', `/customers/name/${encodeURIComponent(name)}`);
    expect(found.customer.id).toBe(id);
  });
});
