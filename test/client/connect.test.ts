import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import {
  connectMockServer,
  type FetchLike,
  InvalidInputError,
  ProblemError,
  UnknownIdError,
} from '../../src/client/index.js';
import * as library from '../../src/index.js';

const { createMockServer } = library;
const mock = await createMockServer({ dataset: 'empty', port: 0 });
const url = await mock.start();
const guarded = await createMockServer({ dataset: 'empty', port: 0, controlToken: 'secret' });
const based = await createMockServer({ dataset: 'empty', port: 0, basePath: '/v1' });
await Promise.all([guarded.start(), based.start()]);
afterAll(() => Promise.all([mock, guarded, based].map((server) => server.stop())));

describe('connectMockServer refuses', () => {
  test.each([
    'mock',
    '',
    '127.0.0.1:4010',
    'ftp://127.0.0.1',
    'http://127.0.0.1:4010/?x=1',
    'http://127.0.0.1/#top',
    undefined,
    null,
  ])('the URL %j, and says what one looks like', (wrong) => {
    expect(() => connectMockServer({ url: wrong as string })).toThrow(
      /^The option 'url' is .*; expected that of a mock, such as 'http:\/\/127\.0\.0\.1:4010', with its base path/,
    );
  });

  test.each([
    [undefined, 'The options are nothing; expected an object such as { url:'],
    ['http://127.0.0.1:4010', 'The options are "http://127.0.0.1:4010"; expected an object'],
    [
      { url, controltoken: 'x' },
      "Unknown option 'controltoken' of connectMockServer; expected url, controlToken, fetch.",
    ],
    [{ url, fetch: 5 }, "The option 'fetch' is 5; expected a function, as the global fetch is."],
    [{ url, controlToken: 5 }, "The option 'controlToken' is 5; expected a text."],
  ])('the options %j, and says what to write', (options, sentence) => {
    expect(() => connectMockServer(options as never)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(sentence) }),
    );
  });

  test('an environment without fetch, and says how to give one', () => {
    const { fetch } = globalThis;
    Reflect.deleteProperty(globalThis, 'fetch');
    try {
      expect(() => connectMockServer({ url })).toThrow(/^There is no global fetch; .*option fetch/);
      expect(connectMockServer({ url, fetch }).url).toBe(url);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  test('what no request could send as a token, before it sends anything', () => {
    const client = connectMockServer({ url: 'http://127.0.0.1:9' });
    expect(() => client.account('a b')).toThrow(/^Invalid token "a b"; expected letters/);
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
        `^No mock answers at ${dead}: GET ${dead}/__control/faults failed \\(.*ECONNREFUSED.*\\)\\. Start the mock, or correct the URL\\.$`,
      ),
    );
  });

  test.each([
    ['text', 200, 'hello'],
    ['another JSON', 404, '{"error":"nothing here"}'],
    ['a page', 404, `<html>${'x'.repeat(5_000)}`],
    ['nothing', 200, ''],
    ['a list', 200, '[]'],
    ['an object without what is asked for', 200, '{"ok":true}'],
  ])('where something else answers with %s', async (_words, status, body) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const call = connectMockServer({ url: other }).account('t').faults.list();
    await expect(call).rejects.toThrow(
      new RegExp(
        `^GET ${other}/__control/faults was answered with ${status} and .{2,210}; expected the control plane of usage-billing-mock\\. Correct the URL ${other}`,
      ),
    );
    server.closeAllConnections();
    server.close();
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

describe('what JSON cannot express is refused before it is sent', () => {
  const account = connectMockServer({ url }).account('json');
  const cycle: Record<string, unknown> = { id: 'x' };
  cycle.self = cycle;
  const about = 'expected a value that JSON has';

  test.each<[string, () => Promise<unknown>, string]>([
    ['NaN', () => account.clock.advance(Number.NaN), `'advanceMs': ${about}.*received NaN`],
    [
      'an infinite number',
      () => account.latency.set(Number.POSITIVE_INFINITY),
      `'latency': ${about}.*received Infinity`,
    ],
    ['nothing', () => account.clock.advance(undefined as never), `'advanceMs': ${about}.*nothing`],
    ['no id', () => account.restore(undefined as never), `'id': ${about}.*received nothing`],
    [
      'a date in a record',
      () => account.customers.put({ id: 'c', name: new Date(0) } as never),
      `'name': ${about}`,
    ],
    [
      'a function',
      () => account.events.add({ data: { units: () => 1 } } as never),
      `'data/units': ${about}`,
    ],
    ['a symbol', () => account.faults.add({ kind: Symbol('x') } as never), `'kind': ${about}`],
    [
      'a bigint',
      () => account.measurements.add({ value: 5n } as never),
      `'value': ${about}.*received 5`,
    ],
    ['a map', () => account.importState(new Map() as never), `The value: ${about}`],
    [
      'a hole in a list',
      () => account.customers.add({ aliases: [undefined] } as never),
      `'aliases/0': ${about}.*nothing`,
    ],
    [
      'a cycle',
      () => account.contracts.put(cycle as never),
      'The value: expected at most 100 levels',
    ],
    [
      'a filter with no number',
      () => account.journal.count({ status: Number.NaN }),
      `'status': ${about}`,
    ],
    [
      'an id that is in no URL',
      () => account.customers.get('..'),
      "'id': expected an id that a URL can have",
    ],
    ['half of a pair', () => account.customers.remove('\ud800'), "'id': expected an id"],
  ])('%s', async (_words, act, message) => {
    await expect(act()).rejects.toThrow(InvalidInputError);
    await expect(act()).rejects.toThrow(new RegExp(`^${message}`));
    expect(mock.tokens()).not.toContain('json');
  });
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
