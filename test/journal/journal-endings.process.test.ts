import { createMockServer } from '../../src/index.js';
import { useCommands } from '../support/command.js';
import { controlOf } from '../support/control.js';
import { until } from '../support/fetching.js';
import { openSocket } from '../support/socket.js';

const server = await createMockServer();
const url = await server.start();
afterAll(() => server.stop());

/** An upload under the token that stops half-way. */
function uploadOf(token: string): string {
  const fields = ['Host: x', `Authorization: Bearer ${token}`, 'Content-Type: application/json'];
  const head = ['POST /events/delete-by-refs HTTP/1.1', ...fields, 'Content-Length: 100'];
  return `${head.join('\r\n')}\r\n\r\n{"refs":`;
}

const ABORTED = {
  id: 1,
  place: 1,
  at: expect.any(String),
  method: 'POST',
  path: '/events/delete-by-refs',
  operationId: 'deleteEventsByRefs',
  parameters: {},
  headers: expect.any(Object),
  durationMs: expect.any(Number),
  outcome: 'aborted',
};

describe('an upload that the client breaks off', () => {
  test.each([
    ['resetting the connection', 'resetAndDestroy'],
    ['hanging up', 'destroy'],
    ['sending nothing more', 'end'],
  ] as const)('by %s was aborted, and not answered', async (_how, breakOff) => {
    const control = controlOf(server);
    const { journal } = server.account(control.token);
    const { socket } = openSocket(url, uploadOf(control.token));
    await until(() => journal.count() === 1);
    const before = (await control.get('/requests/1/explain')).body;
    expect(before.explanation).toContain('The request has no response yet.');
    socket[breakOff]();
    await until(() => journal.list()[0]?.outcome !== undefined);
    // After two further responses, anything that is noted late has been noted.
    for (let count = 0; count < 2; count += 1) await fetch(`${url}/__control/health`);
    socket.destroy();
    expect(journal.list()).toEqual([ABORTED]);
    const { body } = await control.get('/requests/1/explain');
    expect(body.explanation).toContain('The request got no response.');
  });

  const start = useCommands();

  test('is logged as aborted, without a problem', async () => {
    const { command, url: address } = await start(['--log-format', 'json']);
    const { socket } = openSocket(address, uploadOf('t'));
    const requests = async () => {
      const headers = { Authorization: 'Bearer t' };
      return (await fetch(`${address}/__control/requests`, { headers })).text();
    };
    // The journal shows when it has arrived.
    while (!(await requests()).includes('deleteEventsByRefs'));
    socket.resetAndDestroy();
    await command.logged('isAborted');
    const line = command
      .stderr()
      .split('\n')
      .find((text) => text.includes('isAborted'));
    const logged = JSON.parse(line ?? '');
    expect(logged).toMatchObject({ url: '/events/delete-by-refs', isAborted: true });
    expect(logged).not.toHaveProperty('problem');
    expect(logged).not.toHaveProperty('status');
    expect(logged.msg).toBe('aborted');
  });
});

describe('how long a request took', () => {
  /** A request that waits while its account's clock is set. */
  async function durationWhile(set: (clock: ReturnType<typeof server.account>['clock']) => void) {
    const { token, service } = controlOf(server);
    const { clock, faults, journal } = server.account(token);
    clock.advance(60_000);
    faults.add({ kind: 'delay', delayMs: 40 });
    const response = service.get('/measurements').then(({ status }) => status);
    await until(() => faults.list()[0]?.fired === 1);
    set(clock);
    expect(await response).toBe(200);
    await until(() => journal.list()[0]?.outcome !== undefined);
    return journal.list()[0]?.durationMs ?? Number.NaN;
  }

  test('is not what the clock of the account was set by in the meantime', async () => {
    for (const durationMs of [
      await durationWhile((clock) => clock.useRealTime()),
      await durationWhile((clock) => clock.advance(3_600_000)),
    ]) {
      expect(durationMs).toBeGreaterThanOrEqual(35);
      expect(durationMs).toBeLessThan(60_000);
      expect(Number.isInteger(durationMs)).toBe(true);
    }
  });

  test('is no time where the clock of the account stands', async () => {
    const durations = [
      await durationWhile((clock) => clock.freeze()),
      await durationWhile((clock) => clock.freeze('2020-01-01T00:00:00.000Z')),
    ];
    expect(durations).toEqual([0, 0]);
  });
});
