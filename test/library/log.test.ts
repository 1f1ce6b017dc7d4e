import { jest } from '@jest/globals';
import { createMockServer, type MockServer } from '../../src/index.js';
import { until } from '../support/fetching.js';
import { openSocket } from '../support/socket.js';

const HEADERS = { Authorization: 'Bearer logged', 'Content-Type': 'application/json' };
const FAULTS = '/__control/faults';

/** The log lines of a server at level `debug` without times, and a list of their durations. */
async function linesOf(
  act: (server: MockServer) => Promise<unknown>,
  logLevel: 'debug' | 'trace' = 'debug',
  durationsMs: number[] = [],
) {
  const lines: object[] = [];
  const writing = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    const { time, durationMs, ...line } = JSON.parse(String(text));
    lines.push(line);
    if (durationMs !== undefined) durationsMs.push(durationMs);
    return true;
  });
  try {
    const stubs = [{ method: 'GET', path: '/stubbed', body: {} }] as const;
    const server = await createMockServer({
      ...{ logLevel, logFormat: 'json', stubs: [...stubs] },
    });
    lines.length = 0;
    await act(server);
    return lines;
  } finally {
    writing.mockRestore();
  }
}

/** What a call in process logs. */
function linesOfCalls(...calls: readonly (readonly [path: string, init?: RequestInit])[]) {
  return linesOf(async (server) => {
    for (const [path, init] of calls) {
      await server.fetch(path, { headers: HEADERS, ...init }).catch(() => undefined);
    }
  });
}

const IN_JOURNAL = { account: 'lo…ed#1', request: 1 };

describe('the log of a server', () => {
  test('has a line for each request, with what it was', async () => {
    expect(await linesOfCalls(['/measurements?limit=1'])).toEqual([
      {
        ...IN_JOURNAL,
        level: 'info',
        method: 'GET',
        url: '/measurements?limit=1',
        status: 200,
        operationId: 'listMeasurements',
        msg: 'answered',
      },
    ]);
  });

  test('has how long a response took, to a tenth of a millisecond', async () => {
    const durationsMs: number[] = [];
    const act = async (server: MockServer) => {
      server.account('logged').faults.add({ kind: 'delay', delayMs: 50 });
      await server.fetch('/measurements', { headers: HEADERS });
    };
    await linesOf(act, 'debug', durationsMs);
    expect(durationsMs).toHaveLength(1);
    const [durationMs = 0] = durationsMs;
    // A timer may fire a moment early; another unit would give a very different number.
    expect(durationMs).toBeGreaterThan(48);
    expect(durationMs).toBeLessThan(4_000);
    expect(durationMs).toBe(Number(durationMs.toFixed(1)));
  });

  test('names the problem of a refusal, and the stub of a response', async () => {
    expect(await linesOfCalls(['/invoices'], ['/stubbed'])).toEqual([
      {
        ...{ request: 1, level: 'info', method: 'GET', url: '/invoices', status: 404 },
        ...{ problem: 'unknown-path', msg: expect.stringContaining("no path '/invoices'") },
      },
      expect.objectContaining({ url: '/stubbed', status: 200, stub: expect.anything() }),
    ]);
  });

  test('has what the control plane was asked to change, if it was changed', async () => {
    const kind = '{"kind":"reset"}';
    const lines = await linesOfCalls(
      [FAULTS, { method: 'POST', body: kind }],
      [FAULTS],
      [FAULTS, { method: 'POST', body: '{"kind":"rest"}' }],
      [FAULTS, { method: 'DELETE' }],
    );
    const account = IN_JOURNAL.account;
    const asked = { level: 'info', url: FAULTS, account };
    expect(lines).toEqual([
      { ...asked, method: 'POST', status: 201, operationId: 'addFault', msg: 'answered' },
      { level: 'debug', account, details: kind, msg: 'addFault' },
      { ...asked, method: 'GET', status: 200, operationId: 'listFaults', msg: 'answered' },
      expect.objectContaining({ ...asked, status: 400, problem: 'invalid-request' }),
      { ...asked, method: 'DELETE', status: 200, operationId: 'clearFaults', msg: 'answered' },
      { level: 'debug', account, msg: 'clearFaults' },
    ]);
  });

  test('says that a connection was closed before its response', async () => {
    const lines = await linesOfCalls(
      [FAULTS, { method: 'POST', body: '{"kind":"reset"}' }],
      ['/measurements'],
    );
    expect(lines.at(-1)).toEqual({
      ...IN_JOURNAL,
      ...{ level: 'info', method: 'GET', url: '/measurements', operationId: 'listMeasurements' },
      ...{ isAborted: true, msg: 'aborted' },
    });
  });

  test('has no word of a client that resets its connection in the middle of a request', async () => {
    const lines = await linesOf(async (server) => {
      const url = await server.start();
      const health = 'GET /__control/health HTTP/1.1\r\nHost: localhost\r\n';
      const { socket, received, closed } = openSocket(url, `${health}\r\n${health}`);
      await until(() => received() !== '');
      socket.resetAndDestroy();
      await closed;
      // The reset is noticed before the second response.
      for (const _ of [1, 2]) await fetch(`${url}/__control/health`);
      await server.stop();
    });
    expect(lines.map((line) => Object(line).msg)).toEqual(['answered', 'answered', 'answered']);
  });

  test('has details of requests that a journal keeps, and of no others, at the level trace', async () => {
    const lines = await linesOf(async (server) => {
      await server.fetch('/__control/health');
      await server.fetch('/customers/none', { headers: HEADERS });
    }, 'trace');
    expect(lines.filter((line) => 'details' in line)).toEqual([
      expect.objectContaining({ level: 'trace', msg: 'request 1' }),
    ]);
  });
});
