import { useMockServer } from '../../src/kits/jest/jest.js';
import { STORIES, type WithStories } from '../../src/kits/jest/stories.js';
import { until } from '../support/fetching.js';

const global = globalThis as WithStories;
// As jest's environment does before each test.
beforeEach(() => {
  global[STORIES] = [];
});

const mock = useMockServer({ journalSize: 5 });

const get = (path: string, token: string) =>
  mock.fetch(path, { headers: { Authorization: `Bearer ${token}` } });

/** What jest's environment shows of the running test if it fails. */
function shownOnFailure(): string {
  return (global[STORIES] ?? []).map((story) => story()).join('\n');
}

/** The message of a failed expectation. */
function messageOf(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  return 'The expectation has not failed.';
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
    expect(mock.story()).toContain(STRAYS);
    expect(shownOnFailure()).toMatch(
      /^usage-billing-mock at http:\/\/127\.0\.0\.1:\d+ \(seed \d+\): what the account 'story\.test\.ts › the story of a test has what reached no account' received, latest request first\n/,
    );
    expect(shownOnFailure()).toContain(STRAYS);
    expect(messageOf(() => expect(mock).toHaveReceived('listMeasurements'))).toContain(
      `It received, latest first:\n${STRAYS}`,
    );
  });

  test('has what came under a token that no test was given', async () => {
    await get('/measurements?limit=1', 'my-token');
    const came = [
      '  no request',
      "Requests to the account 'my…en', which belongs to no test",
      '  1. GET /measurements?limit=1 -> 200',
    ].join('\n');
    expect(mock.story()).toBe(came);
    expect(shownOnFailure()).toContain(came);
    expect(messageOf(() => expect(mock).toHaveReceived('listMeasurements'))).toContain(came);
  });

  test('has nothing from before it began', async () => {
    expect(mock.story()).toBe('  no request');
    await get('/measurements?limit=2', 'my-token');
    await get('/measurments', mock.token);
    expect(mock.story()).toContain('2. GET /measurements?limit=2 -> 200');
    expect(mock.story()).toContain('2. GET /measurments -> 404');
    expect(mock.story()).not.toContain('  1. ');
  });

  describe('beside accounts whose tokens are shown alike', () => {
    const [BUSY, QUIET] = ['job-the-busy-one-0001', 'job-the-quiet-one-0001'];

    test('which were called before', async () => {
      for (let times = 0; times < 3; times += 1) await get('/measurements?limit=5', BUSY);
      await get('/measurements?limit=5', QUIET);
      expect(mock.story()).toContain('3. GET /measurements?limit=5 -> 200');
    });

    test('has only what is new to each of them', async () => {
      await get('/measurements?limit=6', BUSY);
      const story = mock.story();
      expect(story.match(/\d\. GET .*/g)).toEqual(['4. GET /measurements?limit=6 -> 200']);
    });
  });

  test('has what comes after its accounts were reset', async () => {
    await get('/measurements?limit=3', 'my-token');
    mock.server.resetAll();
    await get('/measurements?limit=4', 'my-token');
    expect(mock.story()).toContain('  1. GET /measurements?limit=4 -> 200');
  });

  test('has nothing of the tests that run beside it', async () => {
    await get('/measurements', mock.newToken());
    expect(mock.story()).toBe('  no request');
  });

  test('says how much is missing from it', async () => {
    for (let limit = 1; limit <= 7; limit += 1)
      await get(`/measurements?limit=${limit}`, mock.token);
    expect(mock.story()).toMatch(
      /^ {2}7\. GET [\s\S]* {2}3\. GET .*\n {2}evicted to make room: 2 older requests$/,
    );
  });

  test('says that a call of a stub may have left the journal', async () => {
    mock.account.stubs.add({ method: 'GET', path: '/me' });
    for (let nth = 0; nth < 7; nth += 1) await get('/customers/c1', mock.token);
    expect(mock.story()).toContain(
      'Stub 1: GET /me has no call in the journal, which no longer has 2 older requests.',
    );
  });

  test('tells a stub of the account from one of the server with the same id', async () => {
    mock.server.stubs.add({ method: 'GET', path: '/status' });
    mock.account.stubs.add({ method: 'GET', path: '/me' });
    await get('/status', mock.token);
    expect(mock.story()).toContain('Stub 1: GET /me was not called.');
    mock.server.stubs.clear();
  });

  test('names the fault or the latency that keeps a request waiting', async () => {
    const { faults, latency } = mock.account;
    const leaving = new AbortController();
    const headers = { Authorization: `Bearer ${mock.token}` };
    const init = { headers, signal: leaving.signal };
    const { id } = faults.add({ operationId: 'getCustomer', kind: 'hold' });
    const held = mock.fetch('/customers/c1', init).catch(() => undefined);
    await until(() => faults.list()[0]?.fired === 1);
    latency.set(60_000);
    const delayed = mock.fetch('/measurements', init).catch(() => undefined);
    await until(() => mock.journal.list()[1]?.latencyMs === 60_000);
    expect(mock.story()).toContain(
      [
        '  2. GET /measurements -> no response',
        '     Latency delays the response by 60000 ms.',
        '  1. GET /customers/c1 -> no response',
        `     Fault ${id}: Holds`,
      ].join('\n'),
    );
    leaving.abort();
    await Promise.all([held, delayed]);
  });

  test('has the faults and stubs that no request has met', async () => {
    const { faults, stubs } = mock.account;
    faults.add({ operationId: 'getCustomer', kind: 'status', status: 503 });
    faults.add({ operationId: 'listMeasurements', kind: 'delay', delayMs: 1, times: 2 });
    faults.add({
      operationId: 'listMeasurements',
      kind: 'delay',
      delayMs: 1,
      times: 'always',
    });
    stubs.add({ method: 'GET', path: '/me' });
    stubs.add({ method: 'GET', path: '/you' });
    await get('/measurements?limit=1', mock.token);
    await get('/you', mock.token);
    const pending = [
      'Still pending:',
      '  Fault 1: Answers 503 before getCustomer runs; it has fired 0 of 1 times.',
      '  Fault 2: Waits 1 ms before listMeasurements runs; it has fired 1 of 2 times.',
      '  Fault 3: Waits 1 ms before listMeasurements runs; it has fired 0 times, and stays active.',
      '  Stub 1: GET /me was not called.',
    ].join('\n');
    expect(mock.story()).toContain(pending);
    const message = messageOf(() => expect(mock).toHaveNothingPending());
    expect(message).toBe(`Expected no fault and no stub to be pending in the account.\n${pending}`);
    expect(mock).not.toHaveNothingPending();
    for (const limit of [2, 3]) await get(`/measurements?limit=${limit}`, mock.token);
    await get('/customers/c1', mock.token);
    await get('/me', mock.token);
    expect(mock).toHaveNothingPending();
    expect(mock.account).toHaveNothingPending();
    expect(mock.story()).not.toContain('Arranged');
  });
});
