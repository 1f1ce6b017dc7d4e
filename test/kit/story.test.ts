import type { EndOfTest } from '../../src/kits/account-of-test/end-of-test.js';
import { useMockServer } from '../../src/kits/jest/jest.js';
import { RUNNING_TEST } from '../../src/kits/jest/running-test.js';

const mock = useMockServer({ journalSize: 5 });

const get = (path: string, token: string) =>
  mock.fetch(path, { headers: { Authorization: `Bearer ${token}` } });

/** What jest's environment shows of the running test if it fails. */
async function shownOnFailure(): Promise<string> {
  const running = (globalThis as { readonly [RUNNING_TEST]?: EndOfTest })[RUNNING_TEST];
  return (await running?.story()) ?? '';
}

/** The message of a failed expectation. */
async function messageOf(expectation: Promise<void>): Promise<string> {
  const error = await expectation.then(
    () => new Error('The expectation has not failed.'),
    (reason: Error) => reason,
  );
  return error.message;
}

describe('the story of a test', () => {
  const STRAYS = [
    '  no request',
    'Requests that reached no account',
    '  1. GET /measurments -> 404',
    "     There is no path '/measurments'",
  ].join('\n');

  test('has what reached no account', async () => {
    await get('/measurments', mock.token);
    expect(await mock.story()).toContain(STRAYS);
    expect(await shownOnFailure()).toMatch(
      /^usage-billing-mock \(seed \d+\): what the account 'story\.test\.ts › the story of a test has what reached no account' received, latest request first\n/,
    );
    expect(await shownOnFailure()).toContain(STRAYS);
    expect(await messageOf(expect(mock).toHaveReceived('listMeasurements'))).toContain(
      `It received, latest first:\n${STRAYS}`,
    );
  });

  test('has what came under a token that no test was given', async () => {
    await get('/measurements?limit=1', 'my-token');
    const came = [
      '  no request',
      "Requests to the account 'my…', which belongs to no test",
      '  1. GET /measurements?limit=1 -> 200',
    ].join('\n');
    expect(await mock.story()).toBe(came);
    expect(await shownOnFailure()).toContain(came);
    expect(await messageOf(expect(mock).toHaveReceived('listMeasurements'))).toContain(came);
  });

  test('has nothing from before it began', async () => {
    expect(await mock.story()).toBe('  no request');
    await get('/measurements?limit=2', 'my-token');
    await get('/measurments', mock.token);
    expect(await mock.story()).toContain('2. GET /measurements?limit=2 -> 200');
    expect(await mock.story()).toContain('2. GET /measurments -> 404');
    expect(await mock.story()).not.toContain('  1. ');
  });

  describe('beside accounts whose tokens are shown alike', () => {
    const [BUSY, QUIET] = ['job-the-busy-one-0001', 'job-the-quiet-one-0001'];

    test('which were called before', async () => {
      for (let times = 0; times < 3; times += 1) await get('/measurements?limit=5', BUSY);
      await get('/measurements?limit=5', QUIET);
      expect(await mock.story()).toContain('3. GET /measurements?limit=5 -> 200');
    });

    test('has only what is new to each of them', async () => {
      await get('/measurements?limit=6', BUSY);
      const story = await mock.story();
      expect(story.match(/\d\. GET .*/g)).toEqual(['4. GET /measurements?limit=6 -> 200']);
    });
  });

  test('has what comes after its accounts were reset', async () => {
    await get('/measurements?limit=3', 'my-token');
    await mock.server.resetAll();
    await get('/measurements?limit=4', 'my-token');
    expect(await mock.story()).toContain('  1. GET /measurements?limit=4 -> 200');
  });

  test('has nothing of the tests that run beside it', async () => {
    await get('/measurements', mock.newToken());
    expect(await mock.story()).toBe('  no request');
  });

  test('says how much is missing from it', async () => {
    for (let limit = 1; limit <= 7; limit += 1)
      await get(`/measurements?limit=${limit}`, mock.token);
    expect(await mock.story()).toMatch(
      /^ {2}7\. GET [\s\S]* {2}3\. GET .*\n {2}evicted to make room: 2 older requests$/,
    );
  });

  test('says that a call of a stub may have left the journal', async () => {
    await mock.account.stubs.add({ method: 'GET', path: '/me' });
    for (let nth = 0; nth < 7; nth += 1) await get('/customers/c1', mock.token);
    expect(await mock.story()).toContain(
      'Stub 1: GET /me has no call in the journal, which no longer has 2 older requests.',
    );
  });

  test('tells a stub of the account from one of the server with the same id', async () => {
    await mock.server.stubs.add({ method: 'GET', path: '/status' });
    await mock.account.stubs.add({ method: 'GET', path: '/me' });
    await get('/status', mock.token);
    expect(await mock.story()).toContain('Stub 1: GET /me was not called.');
    await mock.server.stubs.clear();
  });

  test('has the faults and stubs that no request has met', async () => {
    const { faults, stubs } = mock.account;
    await faults.add({ operationId: 'getCustomer', kind: 'status', status: 503 });
    await faults.add({ operationId: 'listMeasurements', kind: 'delay', delayMs: 1, times: 2 });
    await faults.add({
      operationId: 'listMeasurements',
      kind: 'delay',
      delayMs: 1,
      times: 'always',
    });
    await stubs.add({ method: 'GET', path: '/me' });
    await stubs.add({ method: 'GET', path: '/you' });
    await get('/measurements?limit=1', mock.token);
    await get('/you', mock.token);
    const pending = [
      'Still pending: faults that have yet to fire, and stubs that were not called',
      '  Fault 1: Answers 503 before getCustomer runs; it has fired 0 of 1 times.',
      '  Fault 2: Waits 1 ms before listMeasurements runs; it has fired 1 of 2 times.',
      '  Fault 3: Waits 1 ms before listMeasurements runs; it has fired 0 times, and stays active.',
      '  Stub 1: GET /me was not called.',
    ].join('\n');
    expect(await mock.story()).toContain(pending);
    const message = await messageOf(expect(mock).toHaveNothingPending());
    expect(message).toBe(`Expected no fault and no stub to be pending in the account.\n${pending}`);
    await expect(mock).not.toHaveNothingPending();
    for (const limit of [2, 3]) await get(`/measurements?limit=${limit}`, mock.token);
    await get('/customers/c1', mock.token);
    await get('/me', mock.token);
    await expect(mock).toHaveNothingPending();
    await expect(mock.account).toHaveNothingPending();
    expect(await mock.story()).not.toContain('Arranged');
  });
});
