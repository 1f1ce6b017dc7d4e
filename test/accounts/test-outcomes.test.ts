import { createMockServer, type MockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';

interface Listed {
  readonly name: string;
  readonly test?: Readonly<Record<string, unknown>>;
}

const PASSED = { outcome: 'passed' } as const;

/** The failed tests, as the control plane lists their accounts. */
async function failedOf(server: MockServer, query = '') {
  const { body } = await controlOf(server, 'observer').get(`/accounts?failed=true${query}`);
  return body as { total: number; failed: number; accounts: readonly Listed[] };
}

const messagesOf = async (server: MockServer, query = '') =>
  (await failedOf(server, query)).accounts.map(({ test }) => test?.message);

describe('how a test ended', () => {
  test('is listed with its account, open or closed, with what was received before that', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    for (const token of ['a-token', 'b-token']) {
      await clientOf(server, token).get('/measurements');
      const test = { file: 'client.test.ts', title: `a client › ${token.slice(0, 1)}` };
      const isFirst = token === 'a-token';
      const outcome = isFirst ? ({ outcome: 'failed', message: 'expected 404' } as const) : PASSED;
      server.account(token).markTest({ ...test, ...outcome });
      await clientOf(server, token).get('/measurements');
    }
    const { get } = controlOf(server, 'observer');
    const expected = [
      { outcome: 'passed', file: 'client.test.ts', title: 'a client › b', requests: 1 },
      {
        ...{ outcome: 'failed', file: 'client.test.ts', title: 'a client › a', requests: 1 },
        message: 'expected 404',
      },
    ];
    const { accounts, failed } = (await get('/accounts')).body;
    expect([accounts.map(({ test }: Listed) => test), failed]).toEqual([expected, 1]);
    server.closeAllAccounts();
    const closed = (await get('/accounts?closed=true')).body;
    expect([closed.accounts.map(({ test }: Listed) => test), closed.failed]).toEqual([expected, 1]);
  });

  test('is called like the account if it was given no title', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account('a-token').setName('TestRefund');
    server.account('a-token').markTest({ outcome: 'failed' });
    expect((await failedOf(server)).accounts).toMatchObject([
      { test: { title: 'TestRefund#1', message: '' } },
    ]);
  });

  test('replaces how it ended before, in the same account or an earlier one', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    const fail = (nth: number, title: string, file = 'client.test.ts') =>
      server
        .account(`token-${nth}`)
        .markTest({ outcome: 'failed', file, title, message: `no. ${nth}` });
    const pass = (nth: number, title: string) =>
      server.account(`token-${nth}`).markTest({ ...PASSED, file: 'client.test.ts', title });
    fail(1, 'deletes');
    fail(2, 'deletes', 'other.test.ts');
    fail(3, 'reads');
    expect(await messagesOf(server)).toEqual(['no. 3', 'no. 2', 'no. 1']);
    pass(3, 'reads');
    expect(await messagesOf(server)).toEqual(['no. 2', 'no. 1']);
    pass(4, 'deletes');
    expect(await messagesOf(server)).toEqual(['no. 2']);
    fail(5, 'deletes');
    server.closeAccount('token-5');
    expect(await messagesOf(server, '&closed=true')).toEqual(['no. 5', 'no. 2']);
    expect((await failedOf(server)).failed).toBe(2);
  });

  test('is forgotten by a reset', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account('a-token').markTest({ outcome: 'failed' });
    await controlOf(server, 'a-token').post('/reset');
    expect(await failedOf(server)).toMatchObject({ accounts: [], failed: 0 });
    const { accounts } = (await controlOf(server, 'a-token').get('/accounts')).body;
    expect(accounts[0]).not.toHaveProperty('test');
  });

  test('is kept whatever snapshot or scenario its account goes to, as the journal is', async () => {
    const server = await createMockServer();
    const account = server.account('a-token');
    const before = account.snapshot();
    account.markTest({ outcome: 'failed', message: 'expected 404' });
    account.restore(before);
    account.journal.clear();
    expect(await messagesOf(server)).toEqual(['expected 404']);
  });

  test('has at most 2,000 characters of the message, and shows no credential', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    const account = server.account('some-long-token');
    account.markTest({ outcome: 'failed', message: 'x'.repeat(3_000) });
    expect((await messagesOf(server))[0]).toHaveLength(2_000);
    account.markTest({
      outcome: 'failed',
      title: 'refuses some-long-token',
      file: 'some-long-token.ts',
      message:
        'expected "Bearer some-long-token"\n+ Bearer another-token\n  password: "hunter2"\n  eyJhbGciOiJIUzI1NiJ9.e30.abc\nto match',
    });
    expect((await failedOf(server)).accounts).toMatchObject([
      {
        test: {
          title: 'refuses [redacted]',
          file: '[redacted].ts',
          message:
            'expected "Bearer [redacted]"\n+ Bearer another-token\n  password: "hunter2"\n  [redacted]\nto match',
        },
      },
    ]);
  });

  test.each([{}, { outcome: 'failed', message: 5 }, { outcome: 'failed', at: 'y' }, []])(
    'is not %j',
    async (body) => {
      const server = await createMockServer({ dataset: 'empty' });
      const { status } = await controlOf(server, 'a-token').put('/account/test', body);
      expect(status).toBe(400);
      expect(await messagesOf(server)).toEqual([]);
    },
  );

  test('keeps the requests, and is not told of in the journal', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    await clientOf(server, 'a-token').get('/measurements');
    await controlOf(server, 'a-token').put('/account/test', { outcome: 'failed', message: '' });
    expect(server.account('a-token').journal.count()).toBe(1);
  });
});

test('accounts of failed tests are listed in pages, newest first, and found by their names', async () => {
  const server = await createMockServer({ dataset: 'empty' });
  for (let nth = 1; nth <= 3; nth += 1)
    server.account(`token-${nth}`).markTest({ outcome: 'failed', message: `no. ${nth}` });
  server.account('of-no-test');
  const { get } = controlOf(server, 'observer');
  const { body: first } = await get('/accounts?failed=true&limit=2');
  const { body: next } = await get(`/accounts?failed=true&limit=2&cursor=${first.nextCursor}`);
  const messages = [...first.accounts, ...next.accounts].map(({ test }) => test.message);
  expect([first.accounts.length, messages]).toEqual([2, ['no. 3', 'no. 2', 'no. 1']]);
  expect((await failedOf(server, '&text=%232')).accounts).toMatchObject([
    { test: { message: 'no. 2' } },
  ]);
});
