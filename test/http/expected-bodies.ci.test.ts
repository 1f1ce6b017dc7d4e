import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createMockServer } from '../../src/index.js';
import { sendRaw } from '../support/socket.js';

const server = await createMockServer({ decisions: { 'rate-limit': '100/1h' } });
const url = await server.start();
afterAll(() => server.stop());

const TOO_MANY_BYTES = 18 * 1024 * 1024;
const BODY = '{"refs":["acme-2026-03-31-001"]}';

interface Head {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  readonly mediaType?: string;
  readonly bytes?: number;
  readonly fields?: readonly string[];
}

function headOf({
  method = 'POST',
  path = '/events/delete-by-refs',
  token = 't',
  mediaType = 'application/json',
  bytes = BODY.length,
  fields = [],
}: Head): string {
  const all = [
    'Host: localhost',
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    `Content-Type: ${mediaType}`,
    `Content-Length: ${bytes}`,
    ...fields,
  ];
  return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
}

/** Sends a body when the server asks for it; returns how often it asked. */
async function sendWhenAsked(address: string, { method = 'POST', path = '', token = 't' }: Head) {
  let asked = 0;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${address}${path || '/events/delete-by-refs'}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Length': BODY.length,
        Expect: '100-continue',
      },
    });
    sent.on('information', ({ statusCode }) => {
      expect(statusCode).toBe(100);
      asked += 1;
      if (asked === 1) sent.end(BODY);
    });
    sent.on('response', resolve).on('error', reject).flushHeaders();
  });
  response.resume();
  return { asked, status: response.statusCode };
}

/** Reads from a socket until the text arrives. */
async function readUntil(socket: AsyncIterator<string>, text: string): Promise<string> {
  let received = '';
  while (!received.includes(text)) {
    const { done, value } = await socket.next();
    if (done) throw new Error(`It hung up before '${text}' came: ${received}`);
    received += value;
  }
  return received;
}

describe('Expect: 100-continue', () => {
  test('of a request without a body leaves the connection open for the next', async () => {
    const fields = 'Host: localhost\r\nAuthorization: Bearer t\r\n';
    const { body } = await sendRaw(
      url,
      `GET /__control/ui/page.js HTTP/1.1\r\n${fields}Expect: 100-continue\r\n\r\nGET /customers/none HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`,
    );
    expect(body.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  test.each<[string, Head, number]>([
    ['an unknown path', { path: '/invoices' }, 404],
    ['a method that the path does not take', { method: 'PUT' }, 405],
    ['a missing token', { token: '' }, 401],
    ['an error that is asked for', { fields: ['Prefer: code=503'] }, 503],
    ['an injected fault', { token: 'faulty' }, 418],
    ['a rate limit that is reached', { token: 'busy' }, 429],
    ['another media type', { mediaType: 'text/plain' }, 415],
    ['a charset other than UTF-8', { mediaType: 'application/json; charset=utf-16' }, 415],
    ['too large a body', { bytes: TOO_MANY_BYTES }, 413],
    ['a body that no store can hold', { bytes: 9e15 }, 413],
    ['a control plane without such a path', { path: '/__control/nowhere' }, 404],
    [
      'too large a body for the control plane',
      { method: 'PUT', path: '/__control/state', bytes: 65 * 1024 * 1024 },
      413,
    ],
  ])('is not met before %s is refused', async (_words, head, status) => {
    server.account('faulty').faults.add({ kind: 'status', status: 418 });
    server.account('busy').decisions.change({ 'rate-limit': '1/1h' });
    await server.fetch('/measurements', { headers: { Authorization: 'Bearer busy' } });
    const response = await sendRaw(
      url,
      headOf({ ...head, fields: [...(head.fields ?? []), 'Expect: 100-continue'] }),
    );
    expect(response.status).toBe(status);
    expect(response.headers.get('connection')).toBe('close');
    expect(JSON.parse(response.body)).toMatchObject({ status });
  });

  test.each<[string, Head]>([
    ['a body that is wanted', {}],
    ['a body that nobody wants', { method: 'DELETE', path: '/contracts/65b000000000000000000001' }],
    ['a body of the control plane', { method: 'PATCH', path: '/__control/decisions' }],
  ])('is met once by %s', async (_words, head) => {
    const { asked, status } = await sendWhenAsked(url, { ...head, token: 'expecting' });
    expect([asked, status]).toEqual([1, head.method === 'PATCH' ? 400 : 200]);
  });

  test('is met once where the app is served by a server of another', async () => {
    const other = createServer(server.app).listen(0);
    const { port } = other.address() as AddressInfo;
    const { asked, status } = await sendWhenAsked(`http://127.0.0.1:${port}`, {});
    expect([asked, status]).toEqual([1, 200]);
    other.close();
  });

  test('is met before an injected fault hangs up without a response', async () => {
    server.account('hung-up').faults.add({ kind: 'empty' });
    const failure = await sendWhenAsked(url, { token: 'hung-up' }).catch(({ code }) => code);
    expect(failure).toBe('ECONNRESET');
  });
});

describe('a body that is refused by its Content-Length', () => {
  test.each<[string, Head, number]>([
    ['too large', { bytes: TOO_MANY_BYTES }, 413],
    ['without a token', { bytes: TOO_MANY_BYTES, token: '' }, 401],
  ])(
    'is not waited for (%s), and the connection can be used again',
    async (_words, head, status) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname).setEncoding('utf8');
      const received = socket[Symbol.asyncIterator]();
      socket.write(`${headOf(head)}{`);
      expect(await readUntil(received, '"status":')).toContain(`HTTP/1.1 ${status} `);
      socket.write(Buffer.alloc(TOO_MANY_BYTES - 1, ' '));
      socket.write(`${headOf({ token: 'again' })}${BODY}`);
      expect(await readUntil(received, '"events"')).toContain('HTTP/1.1 200 OK');
      socket.destroy();
    },
  );

  test('is told with its length and what is expected', async () => {
    const { body } = await sendRaw(
      url,
      headOf({ bytes: TOO_MANY_BYTES, fields: ['Expect: 100-continue'] }),
    );
    expect(JSON.parse(body).detail).toBe(
      'The body has 18874368 bytes; expected at most 10485760 (10 MB). Send it in several requests.',
    );
  });
});
