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
  await mock.account.faults.add({ kind: 'reset' });
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

test('a call is aborted by a signal', async () => {
  await mock.account.faults.add({ kind: 'delay', delayMs: 60_000 });
  const abortion = new AbortController();
  const call = mock.fetch('/measurements', { headers: headers(), signal: abortion.signal });
  abortion.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

test('an invalid value is an error that says so', async () => {
  const error = await mock.account.faults.add({ kind: 'explode' }).catch((reason) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe('InvalidInputError');
});

test('the clock of an account reads the Date of the test, faked or not', async () => {
  const before = Date.now();
  const { clock } = mock.account;
  expect((await clock.now()).getTime()).toBeGreaterThanOrEqual(before);
  fake.useFakeTimers();
  fake.setSystemTime(new Date('2031-05-06T07:08:09.000Z'));
  expect((await clock.now()).toISOString()).toBe('2031-05-06T07:08:09.000Z');
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

const WRONG = `
useMockServer({ datset: 'empty' });
test('has no mock', () => undefined);
`;

const DISABLED = `
useMockServer({ control: false });
test('has no mock', () => undefined);
`;

describe.each(RUNNERS)('a mock of the own file, in %s,', (runner, kit, manifest) => {
  const isCommonJs = !('type' in manifest);
  const imports = [
    isCommonJs
      ? `const { useMockServer } = require('usage-billing-mock/${kit}');`
      : `import { useMockServer } from 'usage-billing-mock/${kit}';`,
    runner === 'vitest' ? "import { expect, test, vi as fake } from 'vitest';" : '',
    runner === 'jest' ? 'const fake = jest;' : '',
    runner === 'jest of ES modules' ? "import { jest as fake } from '@jest/globals';" : '',
  ].join('\n');
  const run = (tests: string) => {
    const folder = writeProject({
      'package.json': manifest,
      'some.test.js': `${imports}\n${tests}`,
    });
    return runTests(runner, folder);
  };

  test.each([
    ['answers, fails and tells the time as the test expects', TESTS],
    ['has the routes of the test', ROUTES],
  ])('%s', async (_title, tests) => {
    const { code, output } = await run(tests);
    if (code !== 0) throw new Error(output);
  });

  test.each([
    [WRONG, "Did you mean 'dataset'?"],
    [DISABLED, "The option 'control' is false; expected true"],
  ])('refuses wrong options in a sentence', async (tests, sentence) => {
    const { code, output } = await run(tests);
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
  });
});

test('the library is loaded once by all files of a worker', async () => {
  const file = `
    const { useMockServer } = require('usage-billing-mock/jest');
    const mock = useMockServer();
    test('is answered', async () => {
      await expect(mock).not.toHaveReceived('getCustomer');
      const { runInThisContext } = require('node:vm');
      const { _cache } = runInThisContext('process').getBuiltinModule('node:module').Module;
      const files = Object.keys(_cache).filter((name) => /mock-server-[^/]*cjs$/.test(name));
      const first = (runInThisContext('globalThis').firstLibrary ??= _cache[files[0]]);
      expect([files.length, _cache[files[0]] === first]).toEqual([1, true]);
    });
  `;
  const folder = writeProject({
    'package.json': { jest: { transform: {} } },
    'a.test.js': file,
    'b.test.js': file,
  });
  const { code, output } = await runTests('jest', folder, '--runInBand');
  if (code !== 0) throw new Error(output);
});
