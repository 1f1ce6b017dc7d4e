import { createMock } from '../../src/host/server/mock-server.js';
import type { MockServer } from '../../src/index.js';
import type { Maxima } from '../../src/mock/accounts/limits.js';
import { clientOf } from '../support/client.js';
import { stderrOf } from '../support/stderr.js';

const DELETED = 20;

/** Deletes twenty events with each token of a server that keeps fewer deletions than usual. */
async function deletingWith(
  tokens: readonly string[],
  maxima: Partial<Maxima>,
): Promise<{ server: MockServer; statuses: readonly number[]; lines: readonly string[] }> {
  const given = { logLevel: 'warn', logFormat: 'text' } as const;
  const { server } = await createMock(given, { maxima: { deletions: 50, ...maxima } });
  const statuses: number[] = [];
  const lines = await stderrOf(async () => {
    for (const token of tokens) {
      const { events } = server.account(token);
      const open = events.list().filter(({ deletedAt, ref }) => !deletedAt && ref);
      const refs = [...new Set(open.map(({ ref }) => `${ref}`))].slice(0, DELETED);
      statuses.push((await clientOf(server, token).deleteEvents(refs)).status);
      // The next account is used later.
      const now = Date.now();
      while (Date.now() === now) await new Promise(setImmediate);
    }
  });
  return { server, statuses, lines };
}

describe('when all accounts together keep too many deletions', () => {
  test('those that are idle are closed, the one used least recently first, with a line in the log', async () => {
    const tokens = ['first-token', 'second-token', 'third-token', 'fourth-token'];
    const { server, statuses, lines } = await deletingWith(tokens, { idleMinutes: 0 });
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(server.tokens()).toEqual(['third-token', 'fourth-token']);
    expect(lines).toEqual([
      expect.stringMatching(
        /Closed the account fir…en#1 with its 20 deletions: it had no request for 0 minutes, and all accounts together kept more than 50 deletions\.\n$/,
      ),
      expect.stringContaining('Closed the account seco'),
    ]);
  });

  test('and none is idle, all are kept, and the log says so once', async () => {
    const tokens = ['first-token', 'second-token', 'third-token', 'fourth-token'];
    const { server, statuses, lines } = await deletingWith(tokens, {});
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(server.tokens()).toEqual(tokens);
    expect(lines).toEqual([
      expect.stringMatching(
        /All accounts together keep \d+ deletions, and none has been without a request for 10 minutes, so that none is closed\. Beyond 50, memory can run out: reset or close accounts/,
      ),
    ]);
  });

  test('those of an account that was reset count no longer', async () => {
    const maxima = { deletions: 50, idleMinutes: 0 };
    const { server } = await createMock({ logLevel: 'warn' }, { maxima });
    const { events } = server.account('a-token');
    const { ref } = events.list().find(({ deletedAt }) => !deletedAt) ?? {};
    const lines = await stderrOf(async () => {
      for (let nth = 0; nth < 60; nth += 1) {
        await clientOf(server, 'a-token').deleteEvents([`${ref}`]);
        server.account('a-token').reset();
      }
    });
    expect(lines).toEqual([]);
    expect(server.tokens()).toEqual(['a-token']);
  });
});
