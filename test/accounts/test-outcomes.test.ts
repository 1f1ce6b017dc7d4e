import { createMockServer, type MockServer } from '../../src/index.js';
import type { TestOutcome } from '../../src/mock/accounts/test-outcomes.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';

interface Listed {
  readonly tests: readonly (TestOutcome & { readonly id: number; readonly account?: string })[];
  readonly total: number;
  readonly failed: number;
}

async function listOf(server: MockServer, query = ''): Promise<Listed> {
  const { status, body } = await controlOf(server, 'observer').get(`/tests${query}`);
  expect(status).toBe(200);
  return body;
}

/** The listed tests, as `outcome title`. */
const inShort = async (server: MockServer) =>
  (await listOf(server)).tests.map(({ outcome, title }) => `${outcome} ${title}`);

/** The failed accounts, as the control plane lists them. */
async function failedOf(server: MockServer) {
  const { body } = await controlOf(server, 'observer').get('/accounts?failed=true');
  return body as { total: number; failed: number; accounts: { name: string; failure: string }[] };
}

const failuresOf = async (server: MockServer) =>
  (await failedOf(server)).accounts.map(({ failure }) => failure);

/** The names of the accounts of failed tests. */
const failedAccounts = async (server: MockServer) =>
  (await failedOf(server)).accounts.map(({ name }) => name);

const FILE = 'client.test.ts';
const FAILED = { outcome: 'failed', file: FILE, message: 'expected 404' } as const;
const PASSED = { outcome: 'passed', file: FILE } as const;

describe('the outcomes of tests', () => {
  test('are listed with what is known of each, those that failed first', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    const { put } = controlOf(server, 'first-token');
    await clientOf(server, 'first-token').get('/measurements');
    const given = { ...FAILED, title: 'deletes', run: 'run-1', durationMs: 18.5 };
    const { body: account } = await put('/account/test', given);
    expect(account).toMatchObject({ name: 'fir…#1', failure: 'expected 404', failedAfter: 1 });
    server.account('second-token').markTest({ ...PASSED, title: 'reads', run: 'run-1' });
    const endedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await listOf(server)).toEqual({
      tests: [
        { ...given, id: 1, endedAt, requests: 1, account: account.id },
        {
          ...{ ...PASSED, title: 'reads', run: 'run-1', id: 2, endedAt, requests: 0 },
          account: expect.any(String),
        },
      ],
      total: 2,
      failed: 1,
    });
    expect((await listOf(server, '?limit=1')).tests).toMatchObject([{ title: 'deletes' }]);
  });

  test('are superseded when the test ends again: the same title in the same file', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    const mark = (token: string, outcome: TestOutcome) => server.account(token).markTest(outcome);
    mark('token-1', { ...FAILED, title: 'deletes', run: 'run-1' });
    mark('token-2', { ...FAILED, title: 'deletes', run: 'run-1', file: 'other.test.ts' });
    mark('token-3', { ...FAILED, title: 'reads', run: 'run-1' });
    expect(await failedAccounts(server)).toHaveLength(3);
    mark('token-4', { ...PASSED, title: 'deletes', run: 'run-2' });
    mark('token-5', { ...FAILED, title: 'reads', run: 'run-2', message: 'again' });
    expect(await listOf(server)).toMatchObject({
      tests: [
        { outcome: 'failed', title: 'reads', run: 'run-2', message: 'again' },
        { outcome: 'failed', title: 'deletes', file: 'other.test.ts', run: 'run-1' },
        { outcome: 'passed', title: 'deletes', file: FILE, run: 'run-2' },
        { outcome: 'failed', title: 'reads', run: 'run-1' },
        { outcome: 'failed', title: 'deletes', file: FILE, run: 'run-1' },
      ],
      total: 5,
      failed: 2,
    });
    expect(await failedAccounts(server)).toEqual(['to…#5', 'to…#2']);
    mark('token-6', { ...FAILED, title: 'deletes' });
    expect(await failedAccounts(server)).toEqual(['to…#6', 'to…#5', 'to…#2']);
  });

  test('are of all accounts with which a test failed in one run', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    for (const token of ['one-token', 'two-token'])
      server.account(token).markTest({ ...FAILED, title: 'deletes', run: 'run-1' });
    expect(await failedAccounts(server)).toEqual(['two…#2', 'one…#1']);
    expect(await inShort(server)).toEqual(['failed deletes']);
    server.account('three-token').markTest({ ...PASSED, title: 'deletes', run: 'run-1' });
    expect(await failedAccounts(server)).toEqual([]);
  });

  test('are of the test that the account is named after, or else of the account', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account('token-1').setName('TestRefund/twice');
    server.account('token-1').markTest({ outcome: 'failed' });
    server.account('token-2').markTest({ outcome: 'failed' });
    server.account('token-3').markTest({ outcome: 'failed' });
    server.account('token-4').setName('TestRefund/twice');
    server.account('token-4').markTest({ outcome: 'passed' });
    expect(await inShort(server)).toEqual(['failed to…', 'failed to…', 'passed TestRefund/twice']);
  });

  test('stay when their accounts are reset or closed, and name them while something of them is kept', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    for (const token of ['one-token', 'two-token'])
      server.account(token).markTest({ ...FAILED, title: token.slice(0, 3) });
    server.account('three-token').markTest({ ...PASSED, title: 'three' });
    server.account('one-token').reset();
    server.closeAccounts({ prefix: 't' });
    expect(await failedAccounts(server)).toEqual([]);
    const { tests, failed } = await listOf(server);
    expect([failed, tests.map(({ account }) => typeof account)]).toEqual([
      2,
      ['string', 'string', 'undefined'],
    ]);
    const { body } = await controlOf(server, 'observer').get('/accounts');
    expect(body.failed).toBe(2);
  });

  test('are dismissed by their ids, once, and their accounts stay', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account('one-token').markTest({ ...FAILED, title: 'deletes' });
    const call = controlOf(server, 'observer');
    const [test] = (await listOf(server)).tests;
    expect((await call.delete('/tests/1')).body).toEqual(test);
    expect(await listOf(server)).toEqual({ tests: [], total: 0, failed: 0 });
    expect(await failedAccounts(server)).toEqual([]);
    expect(server.tokens()).toEqual(['one-token']);
    const { status, body } = await call.delete('/tests/1');
    expect([status, body.detail]).toEqual([
      404,
      "No test has the outcome '1'; expected an id that GET /__control/tests lists.",
    ]);
  });

  test('show no token, but are told apart by all of their titles', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account('another-token');
    for (const word of ['some-long-token', 'another-token'])
      server
        .account('some-long-token')
        .markTest({ ...FAILED, title: `refuses ${word}`, file: `${word}.ts` });
    expect((await listOf(server)).tests).toMatchObject([
      { title: 'refuses [redacted]', file: expect.not.stringContaining('long-token') },
      { title: 'refuses [redacted]', file: expect.not.stringContaining('another-token') },
    ]);
  });
});

describe('the account of a failed test', () => {
  test('is found among many by its name and in pages', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    for (const nth of [1, 2, 3]) {
      server.account(`broken-token-${nth}`).markTest({ outcome: 'failed', message: `no. ${nth}` });
      server.account(`working-token-${nth}`);
    }
    const { get } = controlOf(server, 'working-token-1');
    expect(await failedOf(server)).toMatchObject({
      total: 6,
      failed: 3,
      accounts: [3, 2, 1].map((nth) => ({ failure: `no. ${nth}`, failedAfter: 0 })),
    });
    expect((await get('/accounts?limit=1')).body.accounts[0]).not.toHaveProperty('failure');
    const { body: first } = await get('/accounts?failed=true&limit=2&text=brok');
    expect(first.accounts.map(({ failure }: { failure: string }) => failure)).toEqual([
      'no. 3',
      'no. 2',
    ]);
    const { body: next } = await get(`/accounts?failed=true&cursor=${first.nextCursor}`);
    expect(next.accounts).toMatchObject([{ failure: 'no. 1' }]);
    expect((await get('/accounts?failed=false')).status).toBe(400);
  });

  test.each([
    ['a reset', ({ post }: ReturnType<typeof controlOf>) => post('/reset')],
    [
      'clearing the journal',
      ({ delete: clear }: ReturnType<typeof controlOf>) => clear('/requests'),
    ],
    ['closing it', ({ delete: close }: ReturnType<typeof controlOf>) => close('/account')],
  ])('is forgotten by %s', async (_what, act) => {
    const server = await createMockServer({ dataset: 'empty' });
    server.account('a-token').markTest({ outcome: 'failed', message: 'expected 404' });
    expect(await failuresOf(server)).toEqual(['expected 404']);
    await act(controlOf(server, 'a-token'));
    server.account('a-token');
    expect(await failuresOf(server)).toEqual([]);
  });

  test('stays so whatever snapshot or scenario it goes to, as its journal does', async () => {
    const server = await createMockServer();
    const account = server.account('a-token');
    const before = account.snapshot();
    account.markTest({ outcome: 'failed', message: 'expected 404' });
    const after = account.snapshot();
    account.restore(before);
    expect(await failuresOf(server)).toEqual(['expected 404']);
    account.journal.clear();
    account.restore(after);
    expect(await failuresOf(server)).toEqual([]);
  });

  test('has at most 2,000 characters of the message, without credentials', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    const account = server.account('some-long-token');
    account.markTest({ outcome: 'failed', message: 'x'.repeat(3_000) });
    expect((await failuresOf(server))[0]).toHaveLength(2_000);
    account.markTest({
      outcome: 'failed',
      message:
        'expected "Bearer some-long-token"\n+ Bearer another-token\n  password: "hunter2"\n  eyJhbGciOiJIUzI1NiJ9.e30.abc\nto match',
    });
    expect(await failuresOf(server)).toEqual([
      'expected "Bearer [redacted]"\n+ Bearer another-token\n  password: "hunter2"\n  [redacted]\nto match',
    ]);
  });

  test.each([{}, { outcome: 'failed', message: 5 }, { outcome: 'failed', at: 'y' }, []])(
    'is not marked by %j',
    async (body) => {
      const server = await createMockServer({ dataset: 'empty' });
      const { status } = await controlOf(server, 'a-token').put('/account/test', body);
      expect(status).toBe(400);
      expect(await failuresOf(server)).toEqual([]);
    },
  );

  test('keeps its requests, and is not told of in the journal', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    await clientOf(server, 'a-token').get('/measurements');
    await controlOf(server, 'a-token').put('/account/test', { outcome: 'failed', message: '' });
    expect(server.account('a-token').journal.count()).toBe(1);
    expect(await failuresOf(server)).toEqual(['']);
  });
});
