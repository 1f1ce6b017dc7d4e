import { createMockServer, type MockServer } from '../../src/index.js';
import { callLarge, LARGE_RESPONSES, MAX_LARGE } from '../support/large-responses.js';

const openMock = (options = {}) =>
  createMockServer({ ...LARGE_RESPONSES, dataset: 'empty', ...options });

const kept = (server: MockServer, ...tokens: string[]) =>
  tokens.map((token) => server.account(token).journal.count());

describe('all journals together', () => {
  test('keep 50 times as many requests as one', async () => {
    const server = await openMock({ journalSize: 2, routes: () => new Response('short') });
    const tokens = Array.from({ length: 60 }, (_, nth) => `token-${nth}`);
    for (const token of tokens) await callLarge(server, token, 2);
    const counts = kept(server, ...tokens);
    expect(counts).toEqual([...Array(20).fill(1), ...Array(40).fill(2)]);
    expect(server.account('token-0').journal.evicted).toBe(1);
  });

  test('count a long one once for each 2 kB', async () => {
    const server = await openMock();
    await callLarge(server, 'a-token', MAX_LARGE);
    const { journal } = server.account('a-token');
    expect([journal.count(), journal.evicted]).toEqual([MAX_LARGE, 0]);
    await callLarge(server, 'a-token', 3);
    expect([journal.count(), journal.evicted]).toEqual([MAX_LARGE, 3]);
  });

  test('count letters beyond Latin-1 twice', async () => {
    const server = await openMock({ routes: () => new Response('я'.repeat(50 * 1_024)) });
    await callLarge(server, 'a-token', MAX_LARGE + 3);
    expect(kept(server, 'a-token')).toEqual([MAX_LARGE]);
  });

  test('drop the oldest request of the account that keeps most', async () => {
    const server = await openMock();
    const tokens = ['one-token', 'two-token', 'three-token'];
    for (const token of tokens) await callLarge(server, token, 4);
    expect(kept(server, ...tokens)).toEqual([3, 3, 3]);
    await callLarge(server, 'three-token', 2 * MAX_LARGE);
    expect(kept(server, ...tokens)).toEqual([3, 3, 3]);
  });

  test('drop those of closed accounts first, the first closed before all', async () => {
    const server = await openMock();
    for (const token of ['open-token', 'first-token', 'second-token'])
      await callLarge(server, token, 3);
    const journals = ['first-token', 'second-token'].map((token) => server.account(token).journal);
    for (const token of ['first-token', 'second-token']) server.closeAccount(token);
    await callLarge(server, 'open-token', 4);
    expect([...kept(server, 'open-token'), ...journals.map((one) => one.count())]).toEqual([
      7, 0, 2,
    ]);
  });

  test('drop those of failed tests last, open or closed', async () => {
    const server = await openMock();
    const failed = server.account('failed-token');
    await callLarge(server, 'failed-token', 4);
    failed.markTest({ outcome: 'failed', title: 'a test', message: 'expected 404' });
    server.closeAccount('failed-token');
    for (const token of ['closed-token', 'open-token']) await callLarge(server, token, 2);
    server.closeAccount('closed-token');
    await callLarge(server, 'open-token', 2 * MAX_LARGE);
    expect(failed.journal.count()).toBe(4);
    server.account('later-token').markTest({ outcome: 'failed' });
    await callLarge(server, 'later-token', 2);
    await callLarge(server, 'open-token', MAX_LARGE);
    // What they keep beyond half goes, first what failed first.
    expect([failed.journal.count(), ...kept(server, 'later-token', 'open-token')]).toEqual([
      2, 2, 5,
    ]);
  });

  test('have room again once one is cleared or reset', async () => {
    const server = await openMock();
    const { journal } = server.account('a-token');
    for (const free of [() => journal.clear(), () => server.resetAll()]) {
      await callLarge(server, 'a-token', MAX_LARGE);
      expect([journal.evicted, journal.count()]).toEqual([0, MAX_LARGE]);
      free();
    }
  });
});
