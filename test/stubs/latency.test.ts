import { type AccountControl, createMockServer, type Routes } from '../../src/index.js';
import { fetchAs } from '../support/fetching.js';

const routes: Routes = ({ url }, { account }) =>
  url.endsWith('/plan') ? Response.json(account.customers.list().length) : undefined;

const server = await createMockServer({
  dataset: 'empty',
  latency: 30,
  routes,
  stubs: [
    { method: 'GET', path: '/version', body: '1' },
    { method: 'GET', path: '/me', needsToken: true },
    { method: 'POST', path: '/login', body: '{{body.user}}' },
  ],
});
beforeAll(() => server.start());
afterAll(() => server.stop());

/** The duration of a call, its status, and its latency in the account's journal. */
async function timed(account: AccountControl, token: string, path: string, init?: RequestInit) {
  const { status, durationMs } = await fetchAs(server, token, path, init);
  return { status, durationMs, latencyMs: account.journal.list().at(-1)?.latencyMs };
}

test.each([
  ['a stub', '/me', 200],
  ['a stub that needs no token', '/version', 200],
  ['a route', '/plan', 200],
  ['a path that no route answers', '/nothing', 404],
])('the latency of the account holds back %s', async (_what, path, status) => {
  const token = `latency-of-${path.slice(1)}`;
  const account = server.account(token);
  account.latency.set(50);
  const held = await timed(account, token, path);
  expect(held).toMatchObject({ status, latencyMs: 50 });
  expect(held.durationMs).toBeGreaterThanOrEqual(49);
  account.latency.clear();
  expect((await timed(account, token, path)).latencyMs).toBeUndefined();
});

test('the latency of the server holds back stubbed calls without an account, errors included', async () => {
  const calls = [['/version'], ['/login', { method: 'POST', body: '{}' }], ['/me']] as const;
  const statuses: number[] = [];
  for (const [path, init] of calls) {
    const startedAt = performance.now();
    statuses.push((await fetch(`${server.url}${path}`, init)).status);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
  }
  expect(statuses).toEqual([200, 400, 401]);
  expect(server.journal.list().map(({ latencyMs }) => latencyMs)).toEqual([30, 30, 30]);
});

test('a fault that distorts the response of a stub comes on top', async () => {
  const token = 'distorted';
  const account = server.account(token);
  account.faults.add({ path: '/me', kind: 'slow', delayMs: 50, times: 'always' });
  const held = await timed(account, token, '/me');
  expect(held.latencyMs).toBe(30);
  expect(held.durationMs).toBeGreaterThanOrEqual(79);
  expect(account.faults.list()).toMatchObject([{ phase: 'after', fired: 1 }]);
});

test('the latency of a server is drawn alike under the same seed', async () => {
  const runs = [];
  for (const seed of [1, 1, 2]) {
    const own = await createMockServer({ dataset: 'empty', latency: '0..20', seed });
    const headers = { Authorization: 'Bearer t' };
    for (let count = 0; count < 8; count += 1) await own.fetch('/measurements', { headers });
    runs.push(
      own
        .account('t')
        .journal.list()
        .map(({ latencyMs }) => latencyMs),
    );
  }
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).not.toEqual(runs[0]);
});

test.each(['200..20', '60001', 'fast', ''])('a latency of %j is refused', async (latency) => {
  await expect(createMockServer({ latency })).rejects.toThrow(
    `The option 'latency' is ${JSON.stringify(latency)}; expected milliseconds from 0 to 60000, as one whole number such as 300 or as a range such as "20..200", lower number first.`,
  );
});
