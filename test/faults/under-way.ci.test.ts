import { createMockServer } from '../../src/index.js';
import { until } from '../support/fetching.js';
import { heapBytes } from '../support/heap-bytes.js';

const MEGABYTE = 2 ** 20;

async function holding(operationId: 'listMeasurements' | 'deleteEventsByRefs') {
  const server = await createMockServer();
  const { faults } = server.account('t');
  const { id } = faults.add({ kind: 'hold', phase: 'after', times: 1_000, operationId });
  const call = (path: string, body?: string) =>
    server.fetch(path, {
      ...(body !== undefined && { method: 'POST', body }),
      headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json' },
    });
  return { faults, call, letGo: () => faults.remove(id) };
}

test('a long body that is no JSON is refused in little memory', async () => {
  const server = await createMockServer();
  const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
  const body = '{'.repeat(9 * MEGABYTE);
  const before = process.resourceUsage().maxRSS;
  const refused = await server.fetch('/events/delete-by-refs', { method: 'POST', body, headers });
  expect(refused.status).toBe(400);
  // In kilobytes.
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(200_000);
});

test('responses that wait, and bodies, are refused once they would take more than 64 MB', async () => {
  const { call, letGo } = await holding('listMeasurements');
  const calls = Array.from({ length: 150 }, () => call('/measurements?limit=1000'));
  const refused = await Promise.race(calls);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toMatchObject({
    type: 'urn:usage-billing-mock:problem:too-much-under-way',
    detail: expect.stringContaining('together keep 64 MB in memory, which is the maximum'),
  });
  // A large body that arrives now is refused as well.
  const padding = 'x'.repeat(MEGABYTE);
  const large = await call('/events/delete-by-refs', JSON.stringify({ refs: ['r'], padding }));
  expect(large.status).toBe(503);
  const small = await call('/events/delete-by-refs', JSON.stringify({ refs: ['r'] }));
  expect(small.status).toBe(200);
  letGo();
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50);
  // Those that have ended count no longer.
  expect((await call('/measurements?limit=1000')).status).toBe(200);
});

test('a body is let go once its operation has run, so that it counts no longer', async () => {
  const { faults, call, letGo } = await holding('deleteEventsByRefs');
  const body = JSON.stringify({ refs: ['globex-march'], padding: 'x'.repeat(9 * MEGABYTE) });
  const calls: Promise<Response>[] = [];
  for (let nth = 1; nth <= 8; nth += 1) {
    calls.push(call('/events/delete-by-refs', body));
    await until(() => faults.list()[0]?.fired === nth);
  }
  letGo();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(200));
});

/** A body whose elements take twenty times its bytes once it is parsed. */
const SWELLING = JSON.stringify({ refs: ['r'], a: Array(20_000).fill({}) });

test.each(['before', 'after'] as const)(
  'bodies take no more than their bytes while their requests are held %s',
  async (phase) => {
    const server = await createMockServer();
    const { faults } = server.account('t');
    faults.add({ kind: 'hold', phase, times: 'always' });
    const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
    const before = heapBytes();
    const calls = Array.from({ length: 100 }, () =>
      server.fetch('/events/delete-by-refs', { method: 'POST', body: SWELLING, headers }),
    );
    await until(() => faults.list()[0]?.fired === 100);
    expect(heapBytes() - before).toBeLessThan(20_000_000);
    faults.clear();
    expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
  },
);

test('a body that is refused is let go while the refusal waits', async () => {
  const server = await createMockServer({ decisions: { 'unknown-body-members': 'reject' } });
  const account = server.account('t');
  account.latency.set(2_000);
  const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
  const before = heapBytes();
  const calls = Array.from({ length: 100 }, () =>
    server.fetch('/events/delete-by-refs', { method: 'POST', body: SWELLING, headers }),
  );
  await until(() => account.journal.list().filter(({ latencyMs }) => latencyMs).length === 100);
  expect(heapBytes() - before).toBeLessThan(20_000_000);
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(100).fill(400));
});

test('a body counts once, whether its request was held before or not', async () => {
  const waiting: ((response: Response) => void)[] = [];
  const routes = () => new Promise<Response>((resolve) => waiting.push(resolve));
  const server = await createMockServer({ routes });
  const { faults } = server.account('t');
  const post = (path: string, bytes: number) => {
    const body = JSON.stringify({ refs: ['r'], a: 'x'.repeat(bytes) });
    const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
    const sent = { ...headers, 'Content-Length': String(body.length) };
    return server.fetch(path, { method: 'POST', body, headers: sent });
  };
  const { id } = faults.add({ kind: 'hold', path: '/own', phase: 'before', times: 'always' });
  const calls = Array.from({ length: 2_000 }, () => post('/own', 16_000));
  await until(() => faults.list()[0]?.fired === calls.length);
  faults.remove(id);
  await until(() => waiting.length === calls.length);
  // Together, they keep some 52 MB.
  expect((await post('/events/delete-by-refs', 20_000)).status).toBe(200);
  for (const answer of waiting) answer(new Response());
  expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
});
