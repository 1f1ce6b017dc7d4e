import { createMockServer, type JournalRequest, OptionError } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { fetchAs, until } from '../support/fetching.js';

const server = await createMockServer({ dataset: 'empty' });
beforeAll(() => server.start());
afterAll(() => server.stop());

const NONE = { minMs: 0, maxMs: 0 };

/** An account that no other test has. */
function open() {
  const control = controlOf(server);
  const { journal, latency } = server.account(control.token);
  return { control, journal, latency };
}

const latenciesOf = (requests: readonly JournalRequest[]) =>
  requests.map(({ latencyMs }) => latencyMs);

/** The latencies of sequential calls as this account. */
async function drawn(at = server, token = controlOf(at).token, times = 8, latency = '0..9') {
  const account = at.account(token);
  account.latency.set(latency);
  for (let count = 0; count < times; count += 1) {
    await at.fetch('/measurements', { headers: { Authorization: `Bearer ${token}` } });
  }
  return latenciesOf(account.journal.list());
}

describe('the latency of an account', () => {
  test('is none until it is set, and after it was cleared', async () => {
    const { control, journal, latency } = open();
    expect(latency.range).toEqual(NONE);
    latency.set('20..30');
    expect(latency.range).toEqual({ minMs: 20, maxMs: 30 });
    latency.set(25);
    expect(latency.range).toEqual({ minMs: 25, maxMs: 25 });
    await control.service.get('/measurements');
    latency.clear();
    expect(latency.range).toEqual(NONE);
    await control.service.get('/measurements');
    expect(latenciesOf(journal.list())).toEqual([25, undefined]);
  });

  test('holds back successes and errors of its account alone', async () => {
    const [{ control, latency }, other] = [open(), open()];
    latency.set(300);
    const call = (path: string, { token } = control) => fetchAs(server, token, path);
    const responses = [
      await call('/measurements'),
      await call('/customers/nobody'),
      await call('/measurements?limit=0'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 400]);
    for (const { durationMs } of responses) expect(durationMs).toBeGreaterThanOrEqual(295);
    await call('/measurements', other.control);
    expect(latenciesOf(other.journal.list())).toEqual([undefined]);
  });

  test.each(['200..20', '-5', -5, '0..60001', 60_001, 1.5, 'slow', '', '20-200', '20..'])(
    'is refused as %j in one sentence, and stays',
    (given) => {
      const { latency } = open();
      latency.set('20..30');
      const refused = () => latency.set(given);
      expect(refused).toThrow(
        `expected milliseconds from 0 to 60000, as one whole number such as 300 or as a range such as "20..200", lower number first`,
      );
      expect(refused).toThrow(`'latency' is ${JSON.stringify(given)}; `);
      expect(latency.range).toEqual({ minMs: 20, maxMs: 30 });
    },
  );

  test.each([[null], [true], [[20, 200]], [{ minMs: 1 }]])('is refused as %j', (given) => {
    const { latency } = open();
    expect(() => latency.set(given as unknown as string)).toThrow(/is .*; expected .*/);
    expect(latency.range).toEqual(NONE);
  });
});

describe('PUT /latency', () => {
  test.each([
    [{}, /expected the member 'latency'/],
    [{ latency: 5, maxMs: 6 }, /Unknown member 'maxMs'/],
    [{ delay: 5 }, /Unknown member 'delay'/],
    [[], /expected an object/],
  ])('refuses %j in words', async (body, words) => {
    const control = controlOf(server);
    const response = await control.put('/latency', body);
    expect(response.status).toBe(400);
    expect(response.body.detail).toMatch(words);
  });
});

describe('latency', () => {
  test('is drawn within its range, alike for the same requests under the same seed', async () => {
    const first = await drawn();
    for (const latencyMs of first) {
      expect(latencyMs).toBeGreaterThanOrEqual(0);
      expect(latencyMs).toBeLessThanOrEqual(9);
    }
    expect(new Set(first).size).toBeGreaterThan(2);
    expect(await drawn()).toEqual(first);
    expect(await drawn(await createMockServer({ dataset: 'empty' }))).toEqual(first);
    expect(await drawn(await createMockServer({ dataset: 'empty', seed: 7 }))).not.toEqual(first);
  });

  test('has both ends in its range', async () => {
    expect(new Set(await drawn(server, undefined, 30, '3..5'))).toEqual(new Set([3, 4, 5]));
  });

  test('is drawn again alike after a reset, and the range returns to what it was', async () => {
    const { token } = controlOf(server);
    const account = server.account(token);
    const first = await drawn(server, token);
    account.reset();
    expect(account.latency.range).toEqual(NONE);
    expect(await drawn(server, token)).toEqual(first);
  });

  test('comes back with a snapshot', () => {
    const account = server.account(controlOf(server).token);
    account.latency.set('1..2');
    const id = account.snapshot();
    account.latency.clear();
    account.restore(id);
    expect(account.latency.range).toEqual({ minMs: 1, maxMs: 2 });
  });

  test('is in the journal, and in the explanation of the response', async () => {
    const { token, get, service } = controlOf(server);
    server.account(token).latency.set(20);
    await service.get('/measurements');
    const [request] = (await get('/requests')).body.requests;
    expect(request).toMatchObject({ latencyMs: 20, status: 200 });
    expect(request.durationMs).toBeGreaterThanOrEqual(19);
    const { explanation } = (await get('/requests/1/explain')).body;
    expect(explanation).toContain('Latency delayed the response by 20 ms.');
  });

  test.each([
    [{ kind: 'delay', delayMs: 150 }, 200, 295],
    [{ kind: 'delay', delayMs: 150, phase: 'after' }, 200, 295],
    [{ kind: 'slow', delayMs: 150 }, 200, 295],
    [{ kind: 'status', status: 503 }, 503, 145],
    [{ kind: 'respond', body: {} }, 200, 145],
    [{ kind: 'respond', body: {}, phase: 'after' }, 200, 145],
    [{ kind: 'status', status: 503, phase: 'after' }, 503, 145],
  ] as const)('comes with %j on top of it', async (fault, expected, leastMs) => {
    const { token } = controlOf(server);
    const account = server.account(token);
    account.latency.set(150);
    account.faults.add(fault);
    const { status, durationMs } = await fetchAs(server, token, '/measurements');
    expect(status).toBe(expected);
    expect(durationMs).toBeGreaterThanOrEqual(leastMs);
    expect(account.journal.list()).toMatchObject([{ latencyMs: 150, fault: 1 }]);
  });

  test('comes once for a response that a fault then replaces by an error', async () => {
    const [faulty, slower] = [controlOf(server).token, controlOf(server).token];
    server.account(faulty).latency.set(400);
    server.account(faulty).faults.add({ kind: 'status', status: 503, phase: 'after' });
    server.account(slower).latency.set(700);
    const responses: (number | undefined)[] = [];
    const call = async (token: string) =>
      responses.push((await fetchAs(server, token, '/measurements')).status);
    await Promise.all([call(slower), call(faulty)]);
    expect(responses).toEqual([503, 200]);
  });

  test('is not drawn for a request that gets no response', async () => {
    const { token } = controlOf(server);
    const account = server.account(token);
    account.latency.set(60_000);
    account.faults.add({ kind: 'reset' });
    expect((await fetchAs(server, token, '/measurements')).failure).toContain('ECONNRESET');
    expect(latenciesOf(account.journal.list())).toEqual([undefined]);
  });

  test('comes after the operation, so that changes are made in the order of the requests', async () => {
    const { token } = controlOf(server);
    const account = server.account(token);
    account.contracts.put({ id: 'k1' });
    account.latency.set(60_000);
    const controller = new AbortController();
    const { signal } = controller;
    const call = fetchAs(server, token, '/contracts/k1', { method: 'DELETE', signal });
    await until(() => account.journal.list()[0]?.latencyMs === 60_000);
    expect(account.contracts.get('k1')).toHaveProperty('deletedAt');
    controller.abort();
    expect((await call).failure).toBeDefined();
    await until(() => account.journal.list()[0]?.outcome === 'aborted');
    expect(account.journal.list()[0]).not.toHaveProperty('status');
  });

  test('holds back no response of the control plane', async () => {
    const { token, get } = controlOf(server);
    server.account(token).latency.set(60_000);
    expect((await get('/account')).status).toBe(200);
    expect((await get('/customers/nobody')).status).toBe(404);
  });

  test('does not keep the server from stopping', async () => {
    const own = await createMockServer({ dataset: 'empty', latency: 60_000 });
    const url = await own.start();
    const calls = ['/measurements', '/nowhere'].map((path) => fetchAs({ url }, 't', path));
    await until(() => own.account('t').journal.count() + own.journal.count() === 2);
    await own.stop();
    for (const { failure } of await Promise.all(calls)) expect(failure).toMatch(/^fetch failed/);
  });
});

describe('the option latency', () => {
  test.each([
    ['150', 150],
    [150, 150],
    ['150..160', 150],
  ])('of %j holds back every response of the service', async (latency, leastMs) => {
    const own = await createMockServer({ dataset: 'empty', latency });
    const init = { headers: { Authorization: 'Bearer t' } };
    const calls = [
      ['/measurements', init, 200],
      ['/customers/nobody', init, 404],
      ['/nowhere', init, 404],
      ['/measurements', { ...init, method: 'PUT' }, 405],
      ['/measurements', {}, 401],
    ] as const;
    const responses = calls.map(async ([path, given, expected]) => {
      const startedAt = performance.now();
      const { status } = await own.fetch(path, given);
      expect([path, status]).toEqual([path, expected]);
      return performance.now() - startedAt;
    });
    for (const durationMs of await Promise.all(responses)) {
      expect(durationMs).toBeGreaterThanOrEqual(leastMs - 5);
    }
    const requests = [...own.account('t').journal.list(), ...own.journal.list()];
    expect(requests).toHaveLength(5);
    for (const latencyMs of latenciesOf(requests)) {
      expect(latencyMs).toBeGreaterThanOrEqual(leastMs);
    }
  });

  test('is what an account begins with, and returns to with a reset', async () => {
    const own = await createMockServer({ dataset: 'empty', latency: '1..2' });
    const { latency, reset } = own.account('t');
    expect(latency.range).toEqual({ minMs: 1, maxMs: 2 });
    latency.clear();
    expect(latency.range).toEqual(NONE);
    reset.call(own.account('t'));
    expect(latency.range).toEqual({ minMs: 1, maxMs: 2 });
  });

  test('notes requests that reach no account when they come, not when they are answered', async () => {
    const own = await createMockServer({ dataset: 'empty', latency: 150 });
    await own.fetch('/nowhere');
    const [request] = own.journal.list();
    expect(request?.durationMs).toBeGreaterThanOrEqual(145);
  });

  test.each(['200..20', '-1', -1, 60_001, '1..60001', 'fast', 1.5, Number.NaN, null])(
    'is refused as %j in one sentence',
    async (latency) => {
      const refusal = await createMockServer({ latency: latency as string }).catch(
        (error) => error,
      );
      expect(refusal).toBeInstanceOf(OptionError);
      expect(refusal.message).toMatch(
        /^The option 'latency' is .+; expected milliseconds from 0 to 60000, as one whole number such as 300 or as a range such as "20\.\.200", lower number first\.$/,
      );
    },
  );
});
