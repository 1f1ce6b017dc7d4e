import { type Runner, runTests, writeProject } from '../support/runner.js';

const RUNNERS: readonly [Runner, string, object][] = [
  ['jest', 'jest', { jest: { transform: {} } }],
  ['vitest', 'vitest', { type: 'module' }],
  ['jest of ES modules', 'jest', { type: 'module', jest: { transform: {} } }],
];

/** What a test may rely on even if the library belongs to another realm. */
const TESTS = `
const mock = useMockServer();
const headers = () => ({ Authorization: 'Bearer ' + mock.token });

test('a response is a Response', async () => {
  const response = await mock.fetch(new Request('http://any/measurements', { headers: headers() }));
  expect(response).toBeInstanceOf(Response);
  await expect(response).toMatchContract('listMeasurements');
});

test('a connection that a fault closes is an error of fetch', async () => {
  mock.account.faults.add({ kind: 'reset' });
  const error = await mock.fetch('/measurements', { headers: headers() }).catch((reason) => reason);
  expect(error).toBeInstanceOf(TypeError);
  expect(error.cause.code).toBe('ECONNRESET');
});

test('a mistake in a call is an error of fetch that names it', async () => {
  const mistakes = [
    ['/measurements', { body: 'x' }, /GET/],
    ['/measurements', { headers: { 'a b': 'x' } }, /a b/],
    ['/measurements', { signal: 5 }, /signal/i],
    ['http://[', {}, /invalid url/i],
  ];
  for (const [url, init, words] of mistakes) {
    const error = await mock.fetch(url, init).catch((reason) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(words);
  }
});

test('an error is one of the test, and of its class', async () => {
  const thrown = (act) => { try { act(); } catch (error) { return error; } };
  const invalid = thrown(() => mock.account.faults.add({ kind: 'explode' }));
  expect(invalid).toBeInstanceOf(TypeError);
  expect(invalid).toBeInstanceOf(InvalidInputError);
  expect([invalid.name, invalid.mistakes.length]).toStrictEqual(['InvalidInputError', 1]);
  expect(invalid.mistakes).toBeInstanceOf(Array);
  expect(invalid.stack).toContain('some.test.js');
  const unknown = thrown(() => mock.account.restore('none'));
  expect(unknown).toBeInstanceOf(Error);
  expect(unknown).toBeInstanceOf(UnknownIdError);
  expect(unknown).not.toBeInstanceOf(InvalidInputError);
  const late = await mock.journal.waitFor({ path: '/none' }, { timeoutMs: 1 }).catch((reason) => reason);
  expect(late).toBeInstanceOf(ProblemError);
  expect(() => mock.server.account('with a space')).toThrow(TypeError);
});

test('what verbs return are plain values', async () => {
  const { account, server } = mock;
  expect(account.customers.put({ id: 'c1', name: 'Initech', createdAt: '2030-01-01T00:00:00.000Z' })).toStrictEqual(
    { id: 'c1', name: 'Initech', createdAt: '2030-01-01T00:00:00.000Z', updatedAt: '2030-01-01T00:00:00.000Z' },
  );
  expect(account.customers.get('nobody')).toBeUndefined();
  expect(account.customers.list()).toBeInstanceOf(Array);
  expect(account.changes()).toStrictEqual([{ collection: 'customers', id: 'c1', change: 'added' }]);
  expect(account.faults.add({ kind: 'status', status: 503 })).toMatchObject({ id: 1, fired: 0 });
  expect(account.decisions.inForce).toBeInstanceOf(Object);
  expect(account.decisions.inForce['repeat-delete']).toBe('not-found');
  await mock.fetch('/customers/c1', { headers: headers() });
  const [request] = await mock.journal.waitFor({ operationId: 'getCustomer' });
  expect(request.parameters).toStrictEqual({ customerId: 'c1' });
  expect(mock.journal.list()).toStrictEqual([request]);
  expect(mock.journal.toHar().log.entries).toHaveLength(1);
  expect(mock.journal.explain(1)).toBeInstanceOf(Array);
  const state = account.exportState();
  expect(state).toStrictEqual(JSON.parse(JSON.stringify(state)));
  account.importState(state);
  expect(server.tokens()).toContain(mock.token);
  expect(server.dataset.seed).toStrictEqual(expect.any(Number));
  expect(server.openapi(mock.token).paths).toBeInstanceOf(Object);
  expect((await server.fetch('/customers/c1', { headers: headers() })).status).toBe(200);
  const { account: another } = mock;
  expect(account.fingerprint()).toBe(another.fingerprint());
});

test('the app answers in another server', async () => {
  const other = createServer(mock.server.app);
  const { port } = await new Promise((resolve) => other.listen(0, () => resolve(other.address())));
  const response = await fetch('http://127.0.0.1:' + port + '/measurements', { headers: headers() });
  other.close();
  expect(response.status).toBe(200);
  expect(mock).toHaveReceived('listMeasurements');
});

test('what a test hands in is taken for what it is', async () => {
  const { clock } = mock.account;
  clock.freeze(new Date('2030-01-02T03:04:05.000Z'));
  expect(clock.isFrozen).toBe(true);
  expect(clock.now()).toBeInstanceOf(Date);
  expect(clock.now()).toStrictEqual(new Date('2030-01-02T03:04:05.000Z'));
  const leaving = new AbortController();
  mock.account.faults.add({ kind: 'delay', delayMs: 60_000 });
  const call = mock.fetch('/measurements', { headers: headers(), signal: leaving.signal });
  leaving.abort(new Error('the test left'));
  await expect(call).rejects.toThrow('the test left');
});

test('the clock of an account reads the Date of the test, faked or not', async () => {
  const before = Date.now();
  const { clock } = mock.account;
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
  fake.useFakeTimers();
  fake.setSystemTime(new Date('2031-05-06T07:08:09.000Z'));
  expect(clock.now().toISOString()).toBe('2031-05-06T07:08:09.000Z');
  const { contract } = await (
    await mock.fetch('/contracts/65b000000000000000000001', { method: 'DELETE', headers: headers() })
  ).json();
  expect(contract.deletedAt).toBe('2031-05-06T07:08:09.000Z');
  fake.useRealTimers();
});
`;

const ROUTES = `
class Refusal extends Error {}
const mock = useMockServer({
  routes: ({ url }) => {
    if (url.endsWith('/fails')) throw new Refusal('refused by the test');
    return Response.json({ isOwn: true });
  },
});
const get = (path) => mock.fetch(path, { headers: { Authorization: 'Bearer ' + mock.token } });

test('routes are functions of the test', async () => {
  expect(await (await get('/own')).json()).toEqual({ isOwn: true });
  expect(await (await get('/fails')).text()).toContain('refused by the test');
});
`;

const WITHOUT_CONTROL = `
const mock = useMockServer({ control: false });
test('arranges and matches all the same', async () => {
  mock.account.customers.put({ id: 'c1', name: 'Initech' });
  const headers = { Authorization: 'Bearer ' + mock.token };
  expect((await mock.fetch('/customers/c1', { headers })).status).toBe(200);
  expect((await mock.fetch('/__control/account', { headers })).status).toBe(404);
  expect(mock).toHaveReceived('getCustomer');
});
`;

const WRONG_OPTIONS = `
useMockServer({ datset: 'empty' });
test('has no mock', () => undefined);
`;

const WRONG_MATCHERS = `
const mock = useMockServer();
test('fails', async () => {
  await mock.fetch('/measurements');
  /* here */ expect(mock).toHaveReceived('deleteContract');
});
test('names what is none', async () => {
  await mock.fetch('/measurements');
  /* here */ expect(mock).toHaveReceived('deleteContract', { contractID: 'k1' });
});
`;

/** The library must be loaded once by all files of a worker. */
const LOADED_ONCE = `
const mock = useMockServer();
test('is answered', async () => {
  expect(mock).not.toHaveReceived('getCustomer');
  const { runInThisContext } = require('node:vm');
  const { _cache } = runInThisContext('process').getBuiltinModule('node:module').Module;
  const files = Object.keys(_cache).filter((name) => /mock-server-[^/]*cjs$/.test(name));
  const first = (runInThisContext('globalThis').firstLibrary ??= _cache[files[0]]);
  expect([files.length, _cache[files[0]] === first]).toEqual([1, true]);
});
`;

describe.each(RUNNERS)('a mock of the own file, in %s,', (runner, kit, manifest) => {
  const isCommonJs = !('type' in manifest);
  const errors = '{ InvalidInputError, ProblemError, UnknownIdError }';
  const imports = [
    ...(isCommonJs
      ? [
          `const { useMockServer } = require('usage-billing-mock/${kit}');`,
          `const ${errors} = require('usage-billing-mock/client');`,
          "const { createServer } = require('node:http');",
        ]
      : [
          `import { useMockServer } from 'usage-billing-mock/${kit}';`,
          `import ${errors} from 'usage-billing-mock/client';`,
          "import { createServer } from 'node:http';",
        ]),
    runner === 'vitest' ? "import { expect, test, vi as fake } from 'vitest';" : '',
    runner === 'jest' ? 'const fake = jest;' : '',
    runner === 'jest of ES modules' ? "import { jest as fake } from '@jest/globals';" : '',
  ].join('\n');
  const files: Readonly<Record<string, string>> = {
    'some.test.js': TESTS,
    'routes.test.js': ROUTES,
    'without-control.test.js': WITHOUT_CONTROL,
    'wrong-options.test.js': WRONG_OPTIONS,
    'wrong-matchers.test.js': WRONG_MATCHERS,
    ...(runner === 'jest' && { 'a.test.js': LOADED_ONCE, 'b.test.js': LOADED_ONCE }),
  };
  const textOf = (name: string) => `${imports}\n${files[name]}`;
  let output = '';
  beforeAll(async () => {
    const tests = Object.keys(files).map((name) => [name, textOf(name)]);
    const folder = writeProject({ 'package.json': manifest, ...Object.fromEntries(tests) });
    const inBand = runner === 'vitest' ? [] : ['--runInBand'];
    ({ output } = await runTests(runner, folder, ...inBand));
  });

  test('answers, fails and tells the time as the test expects, with or without a control plane', () => {
    const failed = [...output.matchAll(/\bFAIL +(?:\.\/)?([\w-]+\.test\.js)/g)].map(
      ([, name]) => name,
    );
    expect([new Set(failed), output]).toEqual([
      new Set(['wrong-options.test.js', 'wrong-matchers.test.js']),
      output,
    ]);
    const [total] = /^ *Tests .*\b\d+ passed.*$/m.exec(output.replace('Tests:', 'Tests')) ?? [];
    expect(total).toContain(`${runner === 'jest' ? 12 : 10} passed`);
  });

  test('refuses wrong options in a sentence', () => {
    expect(output).toContain("Did you mean 'dataset'?");
  });

  test('says what was received where a matcher fails, and names the line', () => {
    expect(output).toContain(
      'Expected the account to have received deleteContract. It received, latest first:',
    );
    expect(output).toContain("Did you mean 'contractId'?");
    for (const [nth, line] of textOf('wrong-matchers.test.js').split('\n').entries()) {
      if (line.includes('/* here */'))
        expect(output).toContain(`wrong-matchers.test.js:${nth + 1}:`);
    }
  });
});
