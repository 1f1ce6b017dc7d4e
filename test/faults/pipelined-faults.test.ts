import { createMockServer, type FaultRequest } from '../../src/index.js';
import { until } from '../support/fetching.js';
import { openSocket } from '../support/socket.js';

const server = await createMockServer();
const url = await server.start();
afterAll(() => server.stop());

const CONTRACT = '65b000000000000000000001';
const PHASES = ['before', 'after'] as const;

let opened = 0;

/** An account, and requests to two operations that are sent together on one connection. */
function openAccount() {
  opened += 1;
  const token = `pipelined-${opened}`;
  const head = (line: string) =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const account = server.account(token);
  const first = head('GET /customers/65a000000000000000000001');
  const second = head(`DELETE /contracts/${CONTRACT}`);
  return {
    account,
    first,
    second,
    addFault: (fault: FaultRequest) =>
      account.faults.add({ operationId: 'deleteContract', ...fault }),
    outcomes: () => account.journal.list().map(({ outcome }) => outcome),
    isDeleted: () => account.contracts.get(CONTRACT)?.deletedAt !== undefined,
  };
}

/** What follows the first response, which must be complete. */
function afterFirst(received: string): string {
  const [, length = ''] = /content-length: (\d+)/i.exec(received) ?? [];
  const bodyStart = received.indexOf('\r\n\r\n') + 4;
  const body = received.slice(bodyStart, bodyStart + Number(length));
  expect(JSON.parse(body)).toHaveProperty('customer');
  return received.slice(bodyStart + Number(length));
}

describe('the second of two requests that were sent at once', () => {
  const breaking = [
    ...(['reset', 'empty'] as const).flatMap((kind) => PHASES.map((phase) => ({ kind, phase }))),
    { kind: 'truncated', phase: 'after' } as const,
  ];

  test.each(breaking)(
    'sees its connection break by %j, after the first response',
    async (fault) => {
      const { first, second, addFault, outcomes } = openAccount();
      addFault(fault);
      const { socket, received, closed } = openSocket(url, first + second);
      socket.once('end', () => socket.end());
      await closed;
      const rest = afterFirst(received());
      expect(rest.startsWith('HTTP/1.1 200 OK')).toBe(fault.kind === 'truncated');
      expect(rest === '').toBe(fault.kind !== 'truncated');
      // A client may take a reset that arrives with the first response for a normal end.
      if (fault.kind !== 'reset') expect(socket.errored).toBeNull();
      await until(() => outcomes().every((outcome) => outcome !== undefined));
      expect(outcomes()).toEqual(['answered', 'aborted']);
    },
  );

  const distorting: FaultRequest[] = [
    { kind: 'malformed-json' },
    { kind: 'slow', delayMs: 50 },
    ...PHASES.map((phase) => ({ kind: 'delay', delayMs: 50, phase }) as const),
  ];

  test.each(distorting)('gets the response that %j makes, after the first', async (fault) => {
    const { first, second, addFault, outcomes } = openAccount();
    addFault(fault);
    const { socket, received } = openSocket(url, first + second);
    await until(() => outcomes().length === 2 && outcomes().every((outcome) => outcome));
    // Bytes that the server has sent may not have arrived yet.
    await until(() => received().split('HTTP/1.1').length > 2);
    socket.destroy();
    expect(afterFirst(received())).toMatch(/^HTTP\/1.1 200 OK/);
    expect(outcomes()).toEqual(['answered', 'answered']);
  });

  test.each(breaking)('waits to break by %j until a first that is slow has left', async (fault) => {
    const { account, first, second, addFault } = openAccount();
    account.faults.add({ kind: 'slow', delayMs: 100, operationId: 'getCustomer' });
    addFault(fault);
    const { socket, received, closed } = openSocket(url, first + second);
    socket.once('end', () => socket.end());
    await closed;
    expect(received()).toMatch(/content-length/i);
    const [, bodyStart = ''] = received().split('\r\n\r\n');
    expect(bodyStart).toContain('"customer"');
  });
});

describe('a client that hangs up while the second of its requests waits', () => {
  test.each(PHASES)('in a delay %s the operation is seen to have gone', async (phase) => {
    const { account, first, second, addFault, outcomes, isDeleted } = openAccount();
    account.faults.add({ kind: 'delay', delayMs: 3_600_000, operationId: 'getCustomer' });
    addFault({ kind: 'delay', delayMs: 3_600_000, phase });
    const { socket } = openSocket(url, first + second);
    await until(() => account.faults.list().every(({ fired }) => fired === 1));
    socket.resetAndDestroy();
    await until(() => outcomes().every((outcome) => outcome === 'aborted'));
    // A request that still waited would go on.
    account.faults.clear();
    const headers = { Authorization: `Bearer pipelined-${opened}` };
    await (await fetch(`${url}/measurements`, { headers })).text();
    expect(isDeleted()).toBe(phase === 'after');
    expect(outcomes()).toEqual(['aborted', 'aborted', 'answered']);
  });

  test('is seen to have gone when CONNECT was the second', async () => {
    const { account, first, outcomes } = openAccount();
    account.faults.add({ kind: 'delay', delayMs: 3_600_000 });
    const connect = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n';
    const { socket } = openSocket(url, first + connect);
    await until(() => account.faults.list()[0]?.fired === 1);
    socket.resetAndDestroy();
    await until(() => outcomes()[0] === 'aborted');
  });
});
