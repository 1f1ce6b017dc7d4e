import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createMockServer, OptionError } from '../../src/index.js';
import { clientOf } from '../support/client.js';

describe('createMockServer', () => {
  test('listens on a free port of the loopback address, until it is stopped', async () => {
    const server = await createMockServer();
    const url = await server.start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.url).toBe(url);
    const headers = { Authorization: 'Bearer t' };
    expect((await fetch(`${url}/measurements`, { headers })).status).toBe(200);
    await server.stop();
    await expect(fetch(`${url}/measurements`, { headers })).rejects.toThrow();
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );
  const withIpv6 = hasIpv6 ? test : test.skip;
  const note = hasIpv6 ? '' : ' (skipped: there is no ::1)';
  withIpv6(`has a URL that can be called where it listens on ::1${note}`, async () => {
    const server = await createMockServer({ host: '::1' });
    const url = await server.start();
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
    await server.stop();
  });

  test('can be stopped twice, and started again with its accounts', async () => {
    const server = await createMockServer();
    await server.stop();
    server.account('kept').customers.put({ id: 'kept', name: 'Kept' });
    await server.start();
    await server.stop();
    await server.stop();
    const url = await server.start();
    const response = await fetch(`${url}/customers/kept`, {
      headers: { Authorization: 'Bearer kept' },
    });
    expect(response.status).toBe(200);
    await server.stop();
  });

  test('refuses to start while it is starting, and can be started after it could not be', async () => {
    const server = await createMockServer();
    const starting = server.start();
    await expect(server.start()).rejects.toThrow('running, starting or stopping');
    const { port } = new URL(await starting);
    const other = await createMockServer({ port: Number(port) });
    await expect(other.start()).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Cannot listen on 127.0.0.1:${port}: the port is in use. Choose another with --port (port in the library), or 0 for a free one.`,
    });
    await server.stop();
    expect(await other.start()).toContain(port);
    await other.stop();
  });

  test('rejects a start that is stopped under way, and can be started again', async () => {
    const server = await createMockServer();
    const starting = server.start();
    const refused = expect(starting).rejects.toThrow(
      'The mock server was stopped while it started, so it does not listen. Await start() before stop().',
    );
    await server.stop();
    await refused;
    expect(() => server.url).toThrow('await start() first');
    expect(await server.start()).toBe(server.url);
    await server.stop();
  });

  test('can be called at once after it was stopped and started on the same port', async () => {
    const first = await createMockServer();
    const headers = { Authorization: 'Bearer t' };
    const url = await first.start();
    await (await fetch(`${url}/measurements`, { headers })).text();
    await first.stop();
    const server = await createMockServer({ port: Number(new URL(url).port) });
    for (let round = 0; round < 20; round += 1) {
      await server.start();
      const response = await fetch(`${url}/measurements`, { headers });
      expect([round, response.status]).toEqual([round, 200]);
      await response.text();
      await server.stop();
    }
  });

  test('shares nothing with another server in the process', async () => {
    const [one, other] = [await createMockServer(), await createMockServer()];
    await clientOf(one, 'same').delete('/contracts/65b000000000000000000001');
    one.account('same').customers.put({ id: 'only-here', name: 'Only here' });
    const elsewhere = clientOf(other, 'same');
    expect((await elsewhere.get('/customers/only-here')).status).toBe(404);
    expect((await elsewhere.delete('/contracts/65b000000000000000000001')).status).toBe(200);
  });

  test.each([
    [{ port: 70_000 }, "The option 'port' is 70000; expected a whole number from 0 to 65535."],
    [{ seed: 1.5 }, "The option 'seed' is 1.5; expected a whole number from 0 to 4294967295."],
    [{ logLevel: 'loud' }, `The option 'logLevel' is "loud"; expected one of silent, fatal,`],
    [{ hosts: 'x' }, "Unknown option 'hosts'. Did you mean 'host'?"],
    [
      { decisions: { 'repeat-delete': ['gone'] } },
      `The decision 'repeat-delete' is ["gone"]; expected one of not-found,`,
    ],
    [
      { decisions: { toString: 1 } },
      "Unknown decision 'toString'. Remove it, or correct it to one of",
    ],
    [{ port: Number.NaN }, "The option 'port' is NaN; expected"],
    [[], 'The options are []; expected an object.'],
    [
      { decisions: 'f.yaml' },
      `The option 'decisions' is "f.yaml"; expected an object such as { 'repeat-delete': 'gone' }. The library does not read a file here. Parse it first, or write its content into a fixture.`,
    ],
    [{ decisions: ['gone'] }, `The option 'decisions' is ["gone"]; expected an object such as`],
    [{ decisions: null }, "The option 'decisions' is null; expected an object such as"],
    [{ accounts: 't' }, `The option 'accounts' is "t"; expected an object such as`],
    [{ faults: { kind: 'reset' } }, `is {"kind":"reset"}; expected a list such as [{ kind:`],
    [
      { control: false, controlToken: 'x' },
      '--control-token (controlToken in the library) does nothing with --no-control (control: false in the library). Leave out one of them.',
    ],
    [{ control: false, allowedHosts: ['mock'] }, 'does nothing with --no-control'],
    [{ control: false, allowedOrigins: ['http://app'] }, 'does nothing with --no-control'],
    [
      { journalSize: 0, captureBodies: true },
      '--capture-bodies (captureBodies in the library) does nothing with --journal-size 0 (journalSize: 0 in the library). Leave out one of them.',
    ],
    [
      { decisions: { 'repeat-deletes': 'gone' } },
      "Unknown decision 'repeat-deletes'. Did you mean 'repeat-delete'?",
    ],
    [{ decisions: { 'cursor-lifetime': '15' } }, 'expected unlimited or a duration such as 15m.'],
  ])('refuses the options %j in a sentence', async (options, sentence) => {
    const refusal = await createMockServer(options as object).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(OptionError);
    expect((refusal as OptionError).message).toContain(sentence);
  });
});

describe('the records of an account', () => {
  test('refuses to put a record without an id, and says how to have one generated', async () => {
    const { customers } = (await createMockServer({ dataset: 'empty' })).account('t');
    expect(() => customers.put({ name: 'Initech' } as never)).toThrow(
      "'id' is missing; expected a text of 1 to 1000 characters. Add it, or let add() generate one",
    );
  });

  test('keeps a record as it was put, whatever happens to the object later', async () => {
    const { customers } = (await createMockServer()).account('t');
    const record = { id: 'c', name: 'Before', aliases: ['a'] };
    customers.put(record);
    record.name = 'After';
    record.aliases.push('b');
    expect(customers.get('c')).toMatchObject({ name: 'Before', aliases: ['a'] });
    for (const id of ['c', '65a000000000000000000001']) {
      expect(() => Object.assign(customers.get(id) ?? {}, { name: 'After' })).toThrow(TypeError);
    }
  });
});

describe('account(token)', () => {
  test.each(['', 'my token', 'Bearer my-token', 'ü', undefined])(
    'refuses %j, which no request could send',
    async (token) => {
      const server = await createMockServer();
      expect(() => server.account(token as string)).toThrow(
        /^(Invalid token .*|The token is missing); expected visible ASCII/,
      );
    },
  );
});

describe('stop()', () => {
  test('is left to the process of the server: a request for it is refused', async () => {
    const server = await createMockServer();
    await server.start();
    const response = await fetch(`${server.url}/__control/stop`, { method: 'POST' });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      detail: expect.stringMatching(
        /inside another program, so no request can stop it; expected .* server\.stop\(\)/,
      ),
    });
    expect((await fetch(`${server.url}/__control/health`)).status).toBe(200);
    await server.stop();
  });

  /** Sends the head of a request and half its body; resolves when the server has the head. */
  async function halfRequest(url: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    socket.write(
      'POST /events/delete-by-refs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n' +
        'Content-Type: application/json\r\nContent-Length: 14\r\nExpect: 100-continue\r\n\r\n',
    );
    const [interim] = await once(socket, 'data');
    expect(interim).toContain('100 Continue');
    socket.write('{"refs"');
    return socket;
  }

  test('lets a response under way leave', async () => {
    const server = await createMockServer();
    const socket = await halfRequest(await server.start());
    const stopped = server.stop();
    socket.write(':["a"]}');
    const [response] = await once(socket, 'data');
    expect(response).toContain('{"events":[]}');
    await stopped;
  });

  test('does not wait for ever for a request that does not end', async () => {
    const server = await createMockServer();
    const socket = await halfRequest(await server.start());
    const closed = once(socket, 'close');
    await server.stop();
    await closed;
  });
});
