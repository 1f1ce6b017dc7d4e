import { setTimeout as realPause } from 'node:timers/promises';
import { jest } from '@jest/globals';
import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { useMockServer } from '../../src/kits/jest/jest.js';
import { connectMockServer } from '../../src/mock/client/connect-mock-server.js';
import { until } from '../support/fetching.js';

const CONTRACT = '65b000000000000000000001';
const mock = useMockServer();

const authorized = () => ({ headers: { Authorization: `Bearer ${mock.token}` } });
const get = (path: string) => fetch(`${mock.url}${path}`, authorized());
const remove = (id: string) =>
  fetch(`${mock.url}/contracts/${id}`, { ...authorized(), method: 'DELETE' });
const deleteEvents = (refs: readonly string[], others: object = {}) =>
  mock.fetch('/events/delete-by-refs', {
    method: 'POST',
    headers: { ...authorized().headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ refs, ...others }),
  });

/** The message of a failed expectation. */
async function messageOf(expectation: () => void | Promise<void>): Promise<string> {
  try {
    await expectation();
  } catch (error) {
    return (error as Error).message;
  }
  return 'The expectation has not failed.';
}

describe('useMockServer', () => {
  const tokens: string[] = [];

  test.each(['first', 'second'])('gives the %s test an account of its own', async () => {
    expect(tokens).not.toContain(mock.token);
    tokens.push(mock.token);
    expect((await remove(CONTRACT)).status).toBe(200);
    expect(mock).toHaveReceivedTimes('deleteContract', 1);
    expect(mock.account.contracts.get(CONTRACT)).toHaveProperty('deletedAt');
  });

  test('serves all tests of the file from one URL, and supertest from its app', async () => {
    expect(mock.server.url).toBe(mock.url);
    const { status } = await request(mock.server.app)
      .get('/measurements')
      .set(authorized().headers);
    expect(status).toBe(200);
    expect(mock).toHaveReceived('listMeasurements');
  });

  test('has further tokens for a test that needs them', () => {
    const [one, other] = [mock.newToken(), mock.newToken()];
    expect(new Set([one, other, mock.token]).size).toBe(3);
  });

  test('has tokens that the mock knows where unknown ones are refused', async () => {
    const strict = await createMockServer({ decisions: { 'unknown-token': 'reject' } });
    for (const token of [mock.token, mock.newToken()]) {
      const headers = { Authorization: `Bearer ${token}` };
      expect((await strict.fetch('/measurements?limit=1', { headers })).status).toBe(200);
    }
  });
});

describe('toHaveReceived', () => {
  test('knows a call by its operation', async () => {
    await get('/measurements');
    expect(mock).toHaveReceived('listMeasurements');
    expect(mock).not.toHaveReceived('deleteContract');
    expect(mock.account).toHaveReceived('listMeasurements');
  });

  test('takes nothing but text for a number', async () => {
    for (const count of [null, '', false, []]) await deleteEvents(['a'], { count });
    const expected = { count: 0 } as object;
    expect(mock).not.toHaveReceived('deleteEventsByRefs', expected);
    await deleteEvents(['a'], { count: 0 });
    expect(mock).toHaveReceived('deleteEventsByRefs', expected);
  });

  test('knows a call by some of its parameters, of the path and the query', async () => {
    await get('/measurements?limit=5');
    await remove('a/b'.replace('/', '%2F'));
    expect(mock).toHaveReceived('listMeasurements', { limit: 5 });
    expect(mock).not.toHaveReceived('listMeasurements', { limit: 6 });
    expect(mock).not.toHaveReceived('listMeasurements', { limit: 5, cursor: 'x' });
    expect(mock).toHaveReceived('deleteContract', { contractId: 'a/b' });
    expect(mock).toHaveReceived('deleteContract', { contractId: expect.stringMatching('/') });
  });

  test('knows a call by members of its body', async () => {
    await deleteEvents(['a', 'b']);
    expect(mock).toHaveReceived('deleteEventsByRefs', { refs: ['a', 'b'] });
    expect(mock).toHaveReceived('deleteEventsByRefs', {
      refs: expect.arrayContaining(['b']),
    });
    expect(mock).not.toHaveReceived('deleteEventsByRefs', { refs: ['a'] });
  });

  test('knows the requests of an account in another process', async () => {
    const { journal } = connectMockServer({ url: mock.url }).account(mock.token);
    expect(await journal.list()).not.toHaveReceived('listMeasurements');
    await get('/measurements?limit=5');
    await get('/measurements?limit=6');
    const requests = await journal.list();
    expect(requests).toHaveReceivedTimes('listMeasurements', 1, { limit: 5 });
    expect(requests).toHaveReceivedInOrder(['listMeasurements', 'listMeasurements']);
    expect(await messageOf(() => expect(requests).toHaveReceived('getCustomer'))).toContain(
      'to have received getCustomer. It received, latest first:\n  2. GET /measurements?limit=6 -> 200',
    );
    expect(await messageOf(() => expect(requests).toHaveNothingPending())).toContain(
      'expected an account',
    );
  });

  test('may be awaited', async () => {
    await get('/measurements');
    await expect(mock).toHaveReceived('listMeasurements');
    await expect(mock).not.toHaveReceived('getCustomer');
  });

  test('shows the requests that the account received instead', async () => {
    await get('/measurements?limit=0');
    await deleteEvents(['a']);
    const message = await messageOf(() =>
      expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' }),
    );
    expect(message).toBe(
      [
        'Expected the account to have received deleteContract with {"contractId":"k1"}. It received, latest first:',
        '  2. POST /events/delete-by-refs -> 200',
        '     sent {"refs":["a"]}',
        '  1. GET /measurements?limit=0 -> 400 by limit-out-of-bounds=reject',
        '     1 value is invalid: query /limit: expected at least 1, received "0".',
      ].join('\n'),
    );
  });

  test('says so where nothing was asked, and where something was that should not have been', async () => {
    expect(await messageOf(() => expect(mock).toHaveReceived('getCustomer'))).toContain(
      'no request',
    );
    await get('/measurements');
    expect(await messageOf(() => expect(mock).not.toHaveReceived('listMeasurements'))).toContain(
      'Expected the account not to have received listMeasurements.',
    );
  });

  test.each([
    [
      'no operation',
      () => expect(mock).toHaveReceived('deleteAll' as never),
      "Unknown operation 'deleteAll'",
    ],
    ['a server', () => expect(mock.server).toHaveReceived('getCustomer'), 'given a server'],
    ['nothing', () => expect(undefined).toHaveReceived('getCustomer'), 'given nothing; expected'],
    [
      'an operation of a typing error',
      () => expect(mock).not.toHaveReceived('deleteContrat' as never),
      "Did you mean 'deleteContract'?",
    ],
    [
      'a promise',
      () => expect(Promise.resolve(mock)).not.toHaveReceived('getCustomer'),
      'given a promise; await it',
    ],
    [
      'a parameter of a typing error',
      () => expect(mock).not.toHaveReceived('deleteContract', { contractID: 'x' } as never),
      "deleteContract has no parameter 'contractID'. Did you mean 'contractId'?",
    ],
    [
      'an account in another process',
      () =>
        expect(connectMockServer({ url: mock.url }).account('t')).not.toHaveReceived('getCustomer'),
      'expected its requests: expect(await account.journal.list())',
    ],
    [
      'a list of no requests',
      () => expect([1]).not.toHaveReceived('getCustomer'),
      'given [1]; expected an account',
    ],
    [
      'a member of the body that there is not',
      () => expect(mock).not.toHaveReceivedTimes('deleteEventsByRefs', 1, { ids: ['x'] } as never),
      "deleteEventsByRefs has no parameter 'ids'; expected refs.",
    ],
    [
      'parameters that are none',
      () => expect(mock).not.toHaveReceived('deleteContract', 'k1' as never),
      'The parameters are "k1"; expected an object such as { contractId:',
    ],
  ])('refuses %s in a sentence', async (_what, expectation, sentence) => {
    expect(await messageOf(expectation)).toContain(sentence);
  });
});

test('a parameter that the document does not have may be asked for once a call has brought it', async () => {
  const tenant = { tenant: 'a' } as never;
  mock.account.decisions.change({ 'unknown-query-parameters': 'ignore' });
  expect(await messageOf(() => expect(mock).toHaveReceived('listMeasurements', tenant))).toContain(
    "listMeasurements has no parameter 'tenant'; expected limit, cursor.",
  );
  await get('/measurements?tenant=a');
  expect(mock).toHaveReceived('listMeasurements', tenant);
  expect(mock).not.toHaveReceived('listMeasurements', { tenant: 'b' } as never);
});

test('a body of which the journal keeps only the hash is never compared', async () => {
  await deleteEvents(['x'.repeat(20_000)]);
  expect(mock).toHaveReceived('deleteEventsByRefs');
  for (const expectation of [
    () => expect(mock).toHaveReceived('deleteEventsByRefs', { refs: ['y'] }),
    () => expect(mock).not.toHaveReceived('deleteEventsByRefs', { refs: ['y'] }),
  ]) {
    expect(await messageOf(expectation)).toMatch(
      /^Request 1 has a body of 200\d\d bytes, .* only the hash/,
    );
  }
});

describe('toHaveReceivedTimes', () => {
  test.each([-1, 1.5, Number.NaN, '1', undefined, { limit: 1 }])(
    'refuses %j times',
    async (times) => {
      const expectation = () =>
        expect(mock).not.toHaveReceivedTimes('getCustomer', times as number);
      expect(await messageOf(expectation)).toContain('expected a whole number, at least 0');
    },
  );

  test('counts the calls, with the parameters if some are given', async () => {
    for (const limit of [1, 2, 2]) await get(`/measurements?limit=${limit}`);
    expect(mock).toHaveReceivedTimes('listMeasurements', 3);
    expect(mock).toHaveReceivedTimes('listMeasurements', 2, { limit: 2 });
    expect(mock).toHaveReceivedTimes('getCustomer', 0);
    expect(mock).not.toHaveReceivedTimes('listMeasurements', 2);
    expect(
      await messageOf(() => expect(mock).toHaveReceivedTimes('listMeasurements', 4)),
    ).toContain('listMeasurements 4 times; received 3 times. It received, latest first:');
    expect(
      await messageOf(() => expect(mock).toHaveReceivedTimes('listMeasurements', 1)),
    ).toContain('listMeasurements once; received 3 times. It received, latest first:');
  });
});

describe('toHaveReceivedInOrder', () => {
  test('knows calls that came one after the other, whatever came between them', async () => {
    for (const limit of [1, 2, 3]) await get(`/measurements?limit=${limit}`);
    await remove('k1');
    expect(mock).toHaveReceivedInOrder(['listMeasurements', 'deleteContract']);
    expect(mock).toHaveReceivedInOrder([
      ['listMeasurements', { limit: 1 }],
      ['listMeasurements', { limit: 3 }],
      ['deleteContract', { contractId: 'k1' }],
    ]);
    expect(mock).not.toHaveReceivedInOrder(['deleteContract', 'listMeasurements']);
    expect(mock).not.toHaveReceivedInOrder(['deleteContract', 'deleteContract']);
    const wrong = () =>
      expect(mock).toHaveReceivedInOrder([['listMeasurements', { limit: 3 }], 'listMeasurements']);
    expect(await messageOf(wrong)).toContain(
      'to have received listMeasurements with {"limit":3}, then listMeasurements, in this order. It received, latest first:\n  4. DELETE /contracts/k1',
    );
  });

  test.each([
    [['deleteContrat'], "Did you mean 'deleteContract'?"],
    [[['deleteContract', { id: 'k1' }]], "deleteContract has no parameter 'id'"],
    [[], 'The calls are []; expected a list such as'],
    ['deleteContract', 'The calls are "deleteContract"; expected a list such as'],
  ])('refuses %j', async (calls, sentence) => {
    const expectation = () => expect(mock).not.toHaveReceivedInOrder(calls as never);
    expect(await messageOf(expectation)).toContain(sentence);
  });
});

describe('a request that comes later', () => {
  test.each(['fake', 'real'])('is waited for under %s timers', async (timers) => {
    if (timers === 'fake') jest.useFakeTimers();
    const sent = realPause(150).then(() => get('/measurements'));
    expect(mock).not.toHaveReceived('listMeasurements');
    const [request] = await mock.journal.waitFor(
      { operationId: 'listMeasurements', status: 200 },
      { timeoutMs: 60_000 },
    );
    expect(request).toMatchObject({ path: '/measurements', outcome: 'answered' });
    expect(mock).toHaveReceived('listMeasurements');
    await sent;
    jest.useRealTimers();
  });

  test.each([
    ['toHaveReceived', ['deleteContract', {}]],
    ['toHaveReceived', ['deleteContract']],
    ['toHaveReceivedTimes', ['deleteContract', 1, {}]],
    ['toHaveReceivedInOrder', [['deleteContract']]],
    ['toHaveNothingPending', []],
  ])('is not what %s waits for', async (matcher, given: readonly unknown[]) => {
    const { not } = expect(mock) as unknown as { not: Record<string, (...all: unknown[]) => void> };
    expect(await messageOf(() => not[matcher]?.(...given, { timeout: 5_000 }))).toBe(
      `${matcher} was given {"timeout":5000}, but it does not wait. If the request comes later, first await mock.journal.waitFor({ operationId: … }).`,
    );
  });

  test('resolves to all requests that match, once there are so many', async () => {
    const waiting = mock.journal.waitFor(
      { operationId: 'deleteContract' },
      { count: 2, timeoutMs: 60_000 },
    );
    await get('/measurements');
    for (const id of ['k1', 'k2']) await remove(id);
    expect((await waiting).map(({ path }) => path)).toEqual(['/contracts/k1', '/contracts/k2']);
  });

  test('says what came when the time is over', async () => {
    await remove('k1');
    await get('/measurements');
    await until(() => mock.journal.list().every(({ outcome }) => outcome !== undefined));
    const waiting = mock.journal.waitFor(
      { operationId: 'deleteContract' },
      { count: 2, timeoutMs: 20 },
    );
    await expect(waiting).rejects.toThrow(
      'Expected 2 requests with {"operationId":"deleteContract"} within 20 ms; 1 of the 2 in the journal match and have ended.',
    );
  });
});

describe('toMatchContract', () => {
  const customer = { customer: { id: 'c1', name: 'Initech' } };

  test('passes for every response of the mock, by fetch and by supertest, refusals too', async () => {
    const path = '/customers/65a000000000000000000001';
    const response = await get(path);
    await expect(response).toMatchContract('getCustomer');
    expect(await response.json()).toHaveProperty('customer');
    const tested = await request(mock.url).get(path).set(authorized().headers);
    await expect(tested).toMatchContract('getCustomer');
    await expect(await get('/customers/nobody')).toMatchContract('getCustomer');
    await expect(await get('/measurements?limit=0')).toMatchContract('listMeasurements');
  });

  test('passes for a response of whatever origin', async () => {
    await expect({ status: 200, body: customer }).toMatchContract('getCustomer');
    await expect({ status: 200, data: customer }).toMatchContract('getCustomer');
    await expect({ status: 200, body: JSON.stringify(customer) }).toMatchContract('getCustomer');
  });

  test.each([
    [{ status: 200, body: {} }, "expected the member 'customer'"],
    [
      { status: 200, body: { customer: { id: 7 } } },
      'The body at /customer/id is 7; expected a string.',
    ],
    [{ status: 202, body: customer }, 'The status is 202; expected one of 200, 400'],
    [{ status: 404, body: { message: 'no' } }, "expected the member 'type'"],
    [{ status: 200 }, 'The body is nothing; expected an object'],
  ])('fails for %j and says why', async (response, sentence) => {
    await expect(expect(response).toMatchContract('getCustomer')).rejects.toThrow(sentence);
    await expect(response).not.toMatchContract('getCustomer');
  });

  test('says first what is wrong with a response, and shows its body as it came', async () => {
    const text = '{"customer":{"id":7}}';
    const expectation = () => expect(new Response(text)).toMatchContract('getCustomer');
    expect(await messageOf(expectation)).toBe(
      [
        'Expected a response from getCustomer that matches the document.',
        '  The body at /customer/id is 7; expected a string.',
        `  Received 200 ${text}`,
      ].join('\n'),
    );
  });

  test.each([
    ['a text of a megabyte', { customer: { contacts: [{ email: '@'.repeat(1_000_000) }] } }],
    ['names of a megabyte', { customer: { contacts: [], ['@'.repeat(1_000_000)]: 1, id: 7 } }],
    ['a million values', { customer: { aliases: Array.from({ length: 1_000_000 }, () => 7) } }],
    ['a text that is no JSON', '@'.repeat(10_000_000)],
  ])('fails in bounded time, and in few words, for %s', async (_what, body) => {
    const expectation = () => expect({ status: 200, body }).toMatchContract('getCustomer');
    expect((await messageOf(expectation)).length).toBeLessThan(10_000);
  });

  test('takes another document, such as the one by which an account is answered', async () => {
    mock.account.decisions.change({ 'success-status': 202 });
    const response = await remove(CONTRACT);
    await expect(response).not.toMatchContract('deleteContract');
    await expect(response).toMatchContract('deleteContract', mock.server.openapi(mock.token));
  });

  test.each([
    [
      'a Response that has been read',
      async () => {
        const response = await get('/measurements');
        await response.text();
        return response;
      },
      'was already read',
    ],
    [
      'a promise',
      async () => ({ promise: Promise.resolve({ status: 200 }) }),
      'given a promise; await it',
    ],
    ['what is no response', async () => ({ customer: {} }), 'expected a Response'],
  ])('refuses %s in a sentence', async (_what, make, sentence) => {
    const made: object = await make();
    const expectation = expect('promise' in made ? made.promise : made).toMatchContract(
      'getCustomer',
    );
    await expect(expectation).rejects.toThrow(sentence);
  });

  test('refuses an unknown operation in a sentence', async () => {
    const expectation = expect({ status: 200 }).toMatchContract('deleteAll' as never);
    await expect(expectation).rejects.toThrow("Unknown operation 'deleteAll'; expected one of");
  });

  test('refuses an unknown operation under .not as well', async () => {
    const expectation = expect({ status: 200 }).not.toMatchContract('getCustomr' as never);
    await expect(expectation).rejects.toThrow("Did you mean 'getCustomer'?");
  });
});
