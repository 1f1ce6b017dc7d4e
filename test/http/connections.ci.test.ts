import { createMockServer } from '../../src/index.js';
import { until } from '../support/fetching.js';
import { openSocket, sendRaw } from '../support/socket.js';

const server = await createMockServer();
const url = await server.start();
afterAll(() => server.stop());

const CONNECT = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n';

const head = (fields = '', line = 'GET /measurements?limit=1 HTTP/1.1') =>
  `${line}\r\nHost: localhost\r\nAuthorization: Bearer t\r\n${fields}\r\n`;

async function statusOfNext(): Promise<number> {
  return (await fetch(`${url}/measurements`, { headers: { Authorization: 'Bearer t' } })).status;
}

describe('a client that resets its connection harms nobody', () => {
  test.each([
    ['after CONNECT was refused', CONNECT],
    ['after CONNECT with a tunnel begun', `${CONNECT}${'\u0016\u0003\u0001'.repeat(1_000)}`],
    ['after CONNECT that followed a request', `${head()}${CONNECT}`],
    ['after what is not HTTP', 'HELO example\r\n\r\n'],
    ['after an expectation that nobody has', head('Expect: miracles\r\n')],
    ['after Upgrade', head('Connection: Upgrade\r\nUpgrade: websocket\r\n')],
  ])('%s', async (_when, bytes) => {
    const { socket, received, closed } = openSocket(url, bytes);
    await until(() => received() !== '');
    socket.resetAndDestroy();
    await closed;
    // The reset is noticed before the second response.
    expect([await statusOfNext(), await statusOfNext()]).toEqual([200, 200]);
  });

  test.each([
    ['in the middle of a head', head().slice(0, -10)],
    ['right after a hundred requests at once', head().repeat(100)],
    ['right after CONNECT', CONNECT],
  ])('%s', async (_when, bytes) => {
    const { socket, closed } = openSocket(url, bytes);
    await until(() => !socket.connecting && socket.bytesWritten >= bytes.length);
    socket.resetAndDestroy();
    await closed;
    expect([await statusOfNext(), await statusOfNext()]).toEqual([200, 200]);
  });
});

describe('a request to change the protocol', () => {
  const upgrade =
    'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';

  test.each([
    ['websocket', upgrade],
    ['h2c', 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n'],
  ])('to %s is answered as a plain one', async (_protocol, fields) => {
    const { status, body } = await sendRaw(url, head(fields));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toHaveProperty('measurements');
  });

  test('on a path that is unknown is refused as a plain one', async () => {
    const { status } = await sendRaw(url, head(upgrade, 'GET /socket HTTP/1.1'));
    expect(status).toBe(404);
  });
});

describe('a connection that the mock has refused', () => {
  test.each([
    ['CONNECT', CONNECT, 405],
    ['what is not HTTP', 'HELO example\r\n\r\n', 400],
  ])('because of %s is read on, so that the response arrives', async (_what, bytes, status) => {
    const { socket, received, closed } = openSocket(url, bytes);
    await until(() => received().includes('"status"'));
    for (let count = 0; count < 20; count += 1) socket.write('more\r\n'.repeat(10_000));
    socket.end();
    await closed;
    expect(received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received().match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(socket.errored).toBeNull();
  });

  test('is closed although the client goes on', async () => {
    const { socket, closed } = openSocket(url, CONNECT);
    const going = setInterval(() => socket.write('more'), 50);
    await closed;
    clearInterval(going);
    expect(socket.errored).not.toBeNull();
  });
});

test('CONNECT behind a stream does not keep a connection open that the client has ended', async () => {
  const stream = head('', 'GET /__control/requests/stream?of=all HTTP/1.1');
  const { socket, received, closed } = openSocket(url, `${stream}${CONNECT}`);
  await until(() => received().includes('text/event-stream'));
  socket.end();
  await closed;
});

describe('a connection that the client holds', () => {
  const held = [
    ['after CONNECT', CONNECT],
    ['after CONNECT that followed a request', `${head()}${CONNECT}`],
    ['after what is not HTTP', 'HELO example\r\n\r\n'],
    ['after a request', head()],
  ] as const;

  test.each(held)('%s does not keep the server from stopping', async (_when, bytes) => {
    const own = await createMockServer();
    const { socket, received } = openSocket(await own.start(), bytes);
    await until(() => received() !== '');
    await own.stop();
    socket.destroy();
  });
});

test('requests that some clients send ahead do not hold up another client', async () => {
  const { journal } = server.account('t');
  journal.clear();
  const ahead = Array.from({ length: 10 }, () => openSocket(url, head().repeat(16)));
  const other = openSocket(url, head('', 'GET /customers/nobody HTTP/1.1'));
  await until(() => other.received() !== '');
  const place = journal.list().findIndex(({ path }) => path === '/customers/nobody');
  expect(place).toBeGreaterThanOrEqual(0);
  expect(place).toBeLessThan(100);
  for (const { socket } of [...ahead, other]) socket.destroy();
});

test('an idle connection stays open longer than clients keep theirs', async () => {
  const { headers } = await fetch(`${url}/__control/health`);
  expect(headers.get('keep-alive')).toBe('timeout=310');
});
