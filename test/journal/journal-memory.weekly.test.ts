import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { until } from '../support/fetching.js';
import { openSocket } from '../support/socket.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A client of a new server whose journals may hold this many bytes. */
async function openClient(journalBytes?: number) {
  const server = await createMockServer({
    dataset: 'empty',
    ...(journalBytes !== undefined && { journalBytes }),
  });
  const client = clientOf(server);
  return { server, client, account: server.account(client.token) };
}

describe('the journal', () => {
  test('keeps nothing of a request for the sake of its last responses', async () => {
    const server = await createMockServer({ dataset: 'empty', recentBodies: 50 });
    const client = clientOf(server);
    await client.deleteEvents(['warm']);
    const before = heapBytes();
    for (let call = 0; call < 20; call += 1) {
      await client.deleteEvents([`${call}${'x'.repeat(3_000_000)}`]);
    }
    expect(heapBytes() - before).toBeLessThan(20_000_000);
    expect(server.account(client.token).journal.list()).toHaveLength(21);
  });

  test('keeps of a refusal that quotes a large value the beginning alone', async () => {
    const { client, account } = await openClient();
    account.decisions.change({ 'unmatched-refs': 'not-found' });
    await client.deleteEvents(['warm']);
    const before = heapBytes();
    for (let call = 0; call < 20; call += 1) {
      await client.deleteEvents([`${call}${'x'.repeat(3_000_000)}`]);
    }
    expect(heapBytes() - before).toBeLessThan(20_000_000);
    const noted = account.journal.list().slice(1);
    expect(noted.map(({ status }) => status)).toEqual(Array(20).fill(404));
    for (const { detail = '' } of noted) {
      expect(detail).toMatch(/x…'/);
      expect(detail.length).toBeLessThan(5_000);
    }
  });

  test.each([
    ['a detail', 'not-found', Array.from({ length: 20 }, (_, nth) => nth + 'y'.repeat(1_000))],
    ['a body', 'ignore', ['y'.repeat(3_000)]],
    ['letters of two bytes', 'ignore', ['я'.repeat(1_500)]],
  ] as const)('counts the bytes of %s', async (_what, unmatched, refs) => {
    const { client, account } = await openClient(40_000);
    account.decisions.change({ 'unmatched-refs': unmatched });
    for (let nth = 0; nth < 20; nth += 1) await client.deleteEvents(refs);
    const { evicted } = account.journal;
    expect(evicted).toBeGreaterThanOrEqual(8);
    expect(account.journal.count()).toBe(20 - evicted);
  });

  test('has room again once it is cleared, reset or closed', async () => {
    const { server, client, account } = await openClient(20_000);
    const fill = async () => {
      for (let nth = 0; nth < 8; nth += 1) await client.deleteEvents(['z'.repeat(1_000)]);
    };
    const free = [
      () => account.journal.clear(),
      () => account.reset(),
      () => server.closeAccount(client.token),
    ];
    for (const act of free) {
      await fill();
      await until(() => account.journal.list().every(({ outcome }) => outcome !== undefined));
      expect([server.account(client.token).journal.evicted, account.journal.count()]).toEqual([
        0, 8,
      ]);
      act();
    }
    await fill();
    expect(server.account(client.token).journal.evicted).toBe(0);
  });

  test('of no bytes keeps nothing and answers', async () => {
    const { client, account } = await openClient(0);
    expect((await client.deleteEvents(['x'])).status).toBe(200);
    expect((await client.get('/measurements?limit=0')).status).toBe(400);
    expect([account.journal.count(), account.journal.evicted]).toEqual([0, 2]);
  });
});

test('a reader that does not read its stream keeps no responses that the journals dropped', async () => {
  const server = await createMockServer({ journalBytes: 2_000_000 });
  const headers = { Authorization: 'Bearer app', 'Content-Type': 'application/json' };
  const { socket } = openSocket(
    await server.start(),
    'GET /__control/requests/stream?of=all&responses=true HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  );
  try {
    await once(socket, 'data');
    socket.pause();
    // The connection buffers some megabytes before the server must wait for the reader.
    const body = JSON.stringify({ refs: ['x'.repeat(15_000)] });
    for (let nth = 0; nth < 1_000; nth += 1) {
      await server.fetch('/events/delete-by-refs', { method: 'POST', headers, body });
    }
    const before = heapBytes();
    for (let nth = 0; nth < 250; nth += 1) {
      await server.fetch('/measurements?limit=1000', { headers });
    }
    expect(heapBytes() - before).toBeLessThan(20_000_000);
  } finally {
    socket.destroy();
    await server.stop();
  }
});

test('that the journals are full is logged once', async () => {
  const lines: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = (line: unknown) => lines.push(String(line)) > 0;
  try {
    const server = await createMockServer({
      dataset: 'empty',
      logLevel: 'warn',
      journalBytes: 4_000,
    });
    const { deleteEvents } = clientOf(server);
    for (let nth = 0; nth < 9; nth += 1) await deleteEvents(['x'.repeat(500)]);
  } finally {
    process.stderr.write = write;
  }
  expect(lines).toEqual([expect.stringMatching(/4000 bytes.*oldest.*--journal-bytes/)]);
});

test('a value that was refused is not kept', async () => {
  const { account } = await openClient();
  const refuse = (length: number) => {
    const contacts = [{ name: { first: 'x'.repeat(length) } }];
    expect(() => account.customers.put({ id: 'a', contacts } as never)).toThrow('a string');
  };
  refuse(1);
  const before = heapBytes();
  refuse(30_000_000);
  expect(heapBytes() - before).toBeLessThan(10_000_000);
});
