import { jest } from '@jest/globals';
import { createMockServer } from '../../src/index.js';
import { until } from '../support/fetching.js';
import { openSocket } from '../support/socket.js';

/** The timers that the test itself and the mock's dependencies use. */
const REAL = ['nextTick', 'queueMicrotask', 'setImmediate'] as const;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: [...REAL] });
});
afterEach(() => {
  jest.useRealTimers();
});

const authorized = { headers: { Authorization: 'Bearer t' } };

describe('while a test fakes the timers', () => {
  test.each([
    { kind: 'delay', delayMs: 20 },
    { kind: 'delay', delayMs: 20, phase: 'after' },
    { kind: 'slow', delayMs: 20 },
  ] as const)('%j takes its real time', async (fault) => {
    const server = await createMockServer();
    server.account('t').faults.add(fault);
    const response = await server.fetch('/measurements', authorized);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(expect.any(Object));
    const [noted] = server.account('t').journal.list();
    expect(noted?.durationMs).toBeGreaterThanOrEqual(18);
  });

  test('latency takes its real time, for errors too', async () => {
    const server = await createMockServer({ latency: 20 });
    for (const path of ['/measurements', '/customers/nobody']) {
      await (await server.fetch(path, authorized)).json();
    }
    for (const { durationMs } of server.account('t').journal.list()) {
      expect(durationMs).toBeGreaterThanOrEqual(18);
    }
  });

  test('a server that listens stops although a client holds its connection', async () => {
    const server = await createMockServer();
    const { socket, received } = openSocket(await server.start(), 'HELO example\r\n\r\n');
    await until(() => received() !== '');
    await server.stop();
    socket.destroy();
  });

  test('a response under way is broken off when the server stops', async () => {
    const server = await createMockServer();
    const { faults } = server.account('t');
    faults.add({ kind: 'delay', delayMs: 60_000 });
    const response = server.fetch('/measurements', authorized);
    const refused = expect(response).rejects.toThrow('fetch failed');
    await until(() => faults.list()[0]?.fired === 1);
    await server.stop();
    await refused;
  });
});
