import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { inspect } from 'node:util';
import * as library from '../../src/index.js';
import {
  connectMockServer,
  type FetchLike,
  InvalidInputError,
  ProblemError,
  UnknownIdError,
} from '../../src/mock/client/connect-mock-server.js';
import { until } from '../support/fetching.js';

const { createMockServer } = library;
const mock = await createMockServer({ dataset: 'empty', port: 0 });
const url = await mock.start();
const guarded = await createMockServer({ dataset: 'empty', port: 0, controlToken: 'secret' });
const based = await createMockServer({ dataset: 'empty', port: 0, basePath: '/v1' });
await Promise.all([guarded.start(), based.start()]);
afterAll(() => Promise.all([mock, guarded, based].map((server) => server.stop())));

const ESCAPE = '\u001b';
const others: Server[] = [];
afterEach(() => {
  for (const server of others.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Serves something other than the mock; returns its URL. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  others.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('connectMockServer refuses', () => {
  test.each([
    'mock',
    '',
    '127.0.0.1:4010',
    'ftp://127.0.0.1',
    'http://127.0.0.1:4010/?x=1',
    'http://127.0.0.1/#top',
    undefined,
  ])('the URL %j, and says what one looks like', (wrong) => {
    expect(() => connectMockServer({ url: wrong as string })).toThrow(
      /^The option 'url' for connectMockServer is .*; expected the URL of a mock, such as 'http:\/\/127\.0\.0\.1:4010', with its base path/,
    );
  });

  test.each([
    [undefined, 'The options for connectMockServer are nothing; expected an object such as { url:'],
    [
      'http://127.0.0.1:4010',
      'The options for connectMockServer are "http://127.0.0.1:4010"; expected an object',
    ],
    [
      { url, controltoken: 'x' },
      "Unknown option 'controltoken' for connectMockServer; expected one of url, controlToken, fetch, timeoutMs.",
    ],
    [
      { url, fetch: 5 },
      "The option 'fetch' for connectMockServer is 5; expected a function such as the global fetch.",
    ],
    [
      { url, controlToken: 5 },
      "The option 'controlToken' for connectMockServer is 5; expected a string.",
    ],
  ])('the options %j, and says what to write', (options, sentence) => {
    expect(() => connectMockServer(options as never)).toThrow(
      expect.objectContaining({ name: 'OptionError', message: expect.stringContaining(sentence) }),
    );
  });

  test.each([0, 2.5, 2 ** 31, Number.POSITIVE_INFINITY, '5'])('the limit %j', (wrong) => {
    expect(() => connectMockServer({ url, timeoutMs: wrong as never })).toThrow(
      `The option 'timeoutMs' for connectMockServer is ${JSON.stringify(wrong)?.replace('null', 'Infinity')}; expected a whole number from 1 to 2147483647.`,
    );
  });

  test('an environment without fetch, and says how to give one', () => {
    const { fetch } = globalThis;
    Reflect.deleteProperty(globalThis, 'fetch');
    try {
      expect(() => connectMockServer({ url })).toThrow(
        /^There is no global fetch\. .*its option fetch/,
      );
      expect(connectMockServer({ url, fetch }).url).toBe(url);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  test('what no request could send as a token, before it sends anything', () => {
    const client = connectMockServer({ url: 'http://127.0.0.1:9' });
    expect(() => client.account('a b')).toThrow(/^Invalid token "a b"; expected visible ASCII/);
  });
});

test('sends nothing before a verb is called', () => {
  const before = mock.tokens();
  connectMockServer({ url }).account('silent');
  expect(mock.tokens()).toEqual(before);
});

test.each([
  ['JSON.stringify', (part: unknown) => JSON.stringify(part)],
  ['console.log', (part: unknown) => inspect(part, { depth: 9, getters: true })],
  ['a copy', (part: object) => ({ ...part })],
  ['a comparison of jest', (part: unknown) => expect(part).not.toEqual({})],
])('sends nothing for %s', async (_name, print) => {
  const sent: string[] = [];
  const noting: FetchLike = (to, init) => {
    sent.push(to);
    return fetch(to, init);
  };
  const client = connectMockServer({ url, fetch: noting });
  const account = client.account('printed');
  const { clock, latency, decisions, journal } = account;
  for (const part of [client, account, clock, latency, decisions, journal]) print(part);
  expect(sent).toEqual([]);
  expect(await Promise.all([journal.evicted, clock.isFrozen])).toEqual([0, false]);
});

test('lists requests by a filter with one call', async () => {
  const sent: string[] = [];
  const noting: FetchLike = (to, init) => {
    sent.push(`${init.method} ${to.replace(url, '')}`);
    return fetch(to, init);
  };
  const { journal } = connectMockServer({ url, fetch: noting }).account('filtered');
  await journal.list({ operationId: 'deleteContract', status: 404 });
  await journal.toHar({ path: '/contracts/x' });
  expect(sent).toEqual([
    'GET /__control/requests?of=account&operationId=deleteContract&status=404',
    'GET /__control/requests/har?of=account&path=%2Fcontracts%2Fx',
  ]);
});

test('its URL has no slash at the end', () => {
  expect(connectMockServer({ url: 'http://127.0.0.1:4010/v1//' }).url).toBe(
    'http://127.0.0.1:4010/v1',
  );
});

test('finds the control plane with and without the base path', async () => {
  for (const base of [based.url, `${based.url}/`, based.url.replace('/v1', '')]) {
    expect(await connectMockServer({ url: base }).account('t').faults.list()).toEqual([]);
  }
});

describe('a call fails in a sentence that says what to do', () => {
  test('where nothing listens', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const dead = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    const call = connectMockServer({ url: dead }).account('t').faults.list();
    await expect(call).rejects.toThrow(
      new RegExp(
        `^No complete response from ${dead}: GET ${dead}/__control/faults failed \\(.*ECONNREFUSED.*\\)\\. Start the mock, or correct the URL\\.$`,
      ),
    );
  });

  test.each<[string, FetchLike]>([
    ['returns nothing', () => undefined as never],
    [
      'rejects',
      async () => {
        throw new Error('no mock for this URL');
      },
    ],
    ['answers itself', async () => new Response('')],
  ])('where a global fetch that a test has put in place %s', async (_words, replacement) => {
    const { fetch: real } = globalThis;
    globalThis.fetch = replacement as typeof fetch;
    try {
      await expect(connectMockServer({ url }).journal.count()).rejects.toThrow(
        / The global fetch was replaced, perhaps by a test\. Pass the real one to connectMockServer as its option fetch\. /,
      );
      await expect(connectMockServer({ url, fetch: real }).journal.count()).resolves.toBe(0);
      const given = connectMockServer({ url, fetch: replacement }).journal.count();
      await expect(given).rejects.toThrow(/(Start the mock, or correct|Correct) the URL/);
    } finally {
      globalThis.fetch = real;
    }
  });

  test.each([
    ['text', 200, 'hello'],
    ['another JSON', 404, '{"error":"nothing here"}'],
    ['a page', 404, `<html>${'x'.repeat(5_000)}`],
    ['nothing', 200, ''],
    ['an object like one of the mock', 200, '{"faults":[]}'],
  ])('where something else answers with %s', async (_words, status, body) => {
    const other = await serve((_request, response) => response.writeHead(status).end(body));
    const call = connectMockServer({ url: other }).account('t').faults.list();
    await expect(call).rejects.toThrow(
      new RegExp(
        `^GET ${other}/__control/faults got a ${status} with .{2,210}; expected the control plane of usage-billing-mock\\. Correct the URL ${other}`,
      ),
    );
  });

  test.each([302, 307])(
    'where a %i redirects: no other server gets the control token, or is believed',
    async (status) => {
      const heard: string[] = [];
      const elsewhere = await serve(({ headers }, response) => {
        heard.push(`${headers['x-control-token']}`);
        response.end('{"faults":[]}');
      });
      const Location = `${elsewhere}/__control/faults`;
      const redirecting = await serve((_request, response) =>
        response.writeHead(status, { Location }).end('{"faults":[]}'),
      );
      const client = connectMockServer({ url: redirecting, controlToken: 'secret' });
      await expect(client.account('t').faults.list()).rejects.toThrow(
        `GET ${redirecting}/__control/faults got a ${status} with `,
      );
      expect(heard).toEqual([]);
    },
  );

  test.each([
    ['never answers', ''],
    ['never ends its response', '{"faults":['],
  ])('where something %s', async (_words, begun) => {
    const silent = await serve((_request, response) => begun && response.write(begun));
    const call = connectMockServer({ url: silent, timeoutMs: 100 }).account('t').faults.list();
    await expect(call).rejects.toThrow(
      `No complete response from ${silent}: GET ${silent}/__control/faults failed (no response within 100 ms; to wait longer, raise timeoutMs). Start the mock, or correct the URL.`,
    );
  });

  test('where a fetch ignores the signal', async () => {
    const silent: FetchLike = () => new Promise(() => undefined);
    const call = connectMockServer({ url, fetch: silent, timeoutMs: 50 }).journal.count();
    await expect(call).rejects.toThrow('no response within 50 ms; to wait longer, raise timeoutMs');
  });

  test('but waits for requests as long as asked, however long calls may take', async () => {
    const { journal } = connectMockServer({ url, timeoutMs: 2 ** 31 - 1 }).account('t');
    await expect(journal.waitFor({}, { timeoutMs: 50 })).rejects.toBeInstanceOf(ProblemError);
  });

  test('where nothing comes in time, and closes the connection', async () => {
    const sockets: Socket[] = [];
    const silent = await serve(({ socket }) => sockets.push(socket));
    const call = connectMockServer({ url: silent, timeoutMs: 50 }).journal.count();
    await expect(call).rejects.toThrow('timeoutMs');
    await until(() => sockets[0]?.destroyed === true);
  });

  test.each([
    ['text', 200, `${ESCAPE}${'\u009b'}2J\u202e`],
    [
      'a problem',
      400,
      JSON.stringify({
        type: 'urn:usage-billing-mock:problem:invalid-request',
        detail: `wrong: ${ESCAPE}[2J \u009b2J \u202e`,
        errors: [],
      }),
    ],
  ])('with control characters escaped where they stand in %s', async (_words, status, body) => {
    const other = await serve((_request, response) => response.writeHead(status).end(body));
    const error = await connectMockServer({ url: other })
      .journal.count()
      .catch(({ message }) => message);
    expect(error).toMatch(/\\u001b.*\\u009b2J.*\\u202e/);
    expect(error).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('where the control token is missing or wrong', async () => {
    for (const controlToken of [undefined, 'wrong']) {
      const call = connectMockServer({ url: guarded.url, controlToken }).journal.list();
      await expect(call).rejects.toThrow(ProblemError);
      await expect(call).rejects.toThrow(
        /X-Control-Token.*; expected the control token of this mock/,
      );
    }
    const client = connectMockServer({ url: guarded.url, controlToken: 'secret' });
    expect(await client.journal.list()).toEqual([]);
  });

  test('where the mock has no control plane', async () => {
    const closed = await createMockServer({ dataset: 'empty', port: 0, control: false });
    const client = connectMockServer({ url: await closed.start() });
    await expect(client.account('t').reset()).rejects.toThrow(/\/__control\/reset/);
    await closed.stop();
  });
});

const account = connectMockServer({ url }).account('unsent');

test.each([
  ['to get', () => account.customers.get('..')],
  ['to restore', () => account.restore('.')],
  ['to remove', () => account.events.remove('')],
  ['to put', () => account.contracts.put({ name: 'Initech' } as never)],
])('an id that a URL would lose is refused before it is sent: %s', async (_words, act) => {
  await expect(act()).rejects.toThrow(InvalidInputError);
  await expect(act()).rejects.toThrow(/d' is .*; expected an id that fits in a URL/);
  expect(mock.tokens()).not.toContain('unsent');
});

test('a number that JSON lacks is refused, and removes no member', async () => {
  const { measurements } = connectMockServer({ url }).account('not-a-number');
  await measurements.put({ id: 'm1', value: 5 });
  const call = measurements.patch('m1', { value: Number.NaN });
  await expect(call).rejects.toThrow(/'value' is "NaN"; expected a number/);
  expect(await measurements.get('m1')).toMatchObject({ value: 5 });
});

test('its errors are known by the classes of the library too', async () => {
  const account = connectMockServer({ url }).account('classes');
  const invalid = await account.faults.add({ kind: 'status', status: 99 }).catch((error) => error);
  expect(invalid).toBeInstanceOf(library.InvalidInputError);
  expect(invalid.mistakes).toEqual([
    expect.objectContaining({ path: ['status'], expected: 'at least 400', received: 99 }),
  ]);
  const unknown = await account.restore('never').catch((error) => error);
  expect(unknown).toBeInstanceOf(library.UnknownIdError);
  expect(unknown).toBeInstanceOf(UnknownIdError);
  const stub = { method: 'GET', path: '/me' } as const;
  await account.stubs.add(stub);
  const conflict = await account.stubs.add(stub).catch((error) => error);
  expect(conflict).toBeInstanceOf(library.ProblemError);
  expect(conflict.problem).toBe('conflict');
});
