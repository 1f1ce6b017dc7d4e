import { createMockServer, type MockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';

/** The failed accounts, as the control plane lists them. */
async function failedOf(server: MockServer) {
  const { body } = await controlOf(server, 'observer').get('/accounts?failed=true');
  return body as { total: number; failed: number; accounts: { name: string; failure: string }[] };
}

const failuresOf = async (server: MockServer) =>
  (await failedOf(server)).accounts.map(({ failure }) => failure);

describe('the account of a failed test', () => {
  test('is listed with the error message, which the library or a call gives', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    const { put } = controlOf(server, 'first-token');
    await clientOf(server, 'first-token').get('/measurements');
    const { status, body } = await put('/account/test', {
      outcome: 'failed',
      message: 'expected 404',
    });
    expect([status, body.failure]).toEqual([200, 'expected 404']);
    server.account('second-token').markTest({ outcome: 'failed', message: 'expected 200' });
    server.account('third-token');
    expect(await failedOf(server)).toMatchObject({
      total: 3,
      failed: 2,
      accounts: [
        { name: 'seco…#2', failure: 'expected 200', failedAfter: 0 },
        { name: 'fir…#1', failure: 'expected 404', failedAfter: 1 },
      ],
    });
    const { body: all } = await controlOf(server, 'first-token').get('/accounts');
    expect(all.accounts[0]).not.toHaveProperty('failure');
  });

  test('is found among many by its name and in pages', async () => {
    const server = await createMockServer({ dataset: 'empty' });
    for (const nth of [1, 2, 3]) {
      server.account(`broken-token-${nth}`).markTest({ outcome: 'failed', message: `no. ${nth}` });
      server.account(`working-token-${nth}`);
    }
    const { get } = controlOf(server, 'working-token-1');
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
