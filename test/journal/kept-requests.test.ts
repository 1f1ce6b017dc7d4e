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
    expect(counts).toEqual([...Array(10).fill(0), ...Array(50).fill(2)]);
    expect(server.account('token-0').journal.evicted).toBe(2);
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

  test('drop the oldest request, whichever account it has', async () => {
    const server = await openMock();
    const tokens = ['one-token', 'two-token', 'three-token'];
    for (const token of tokens) await callLarge(server, token, 4);
    expect(kept(server, ...tokens)).toEqual([1, 4, 4]);
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
