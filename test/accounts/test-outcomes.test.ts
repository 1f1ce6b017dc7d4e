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

/** The names of the accounts of failed tests. */
async function failedAccounts(server: MockServer): Promise<string[]> {
  const { body } = await controlOf(server, 'observer').get('/accounts?failed=true');
  return body.accounts.map(({ name }: { name: string }) => name);
}

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
