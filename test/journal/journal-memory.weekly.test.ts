import { once } from 'node:events';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { heapBytes } from '../support/heap-bytes.js';
import { openSocket } from '../support/socket.js';

/** A client of a new server. */
async function openClient() {
  const server = await createMockServer({ dataset: 'empty' });
  const client = clientOf(server);
  return { client, account: server.account(client.token) };
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

  test('keeps nothing to undo what can no longer be undone', async () => {
    const { client, account } = await openClient();
    const before = heapBytes();
    for (let nth = 0; nth < 20; nth += 1) {
      account.contracts.put({ id: 'large', name: `${nth}${'x'.repeat(3_000_000)}` });
      expect((await client.delete('/contracts/large')).status).toBe(200);
      account.contracts.remove('large');
    }
    expect(heapBytes() - before).toBeLessThan(20_000_000);
    expect(account.journal.list().map(({ deleted }) => deleted)).toEqual(Array(20).fill(1));
  });
});

test('a reader that does not read its stream keeps no responses that the journals dropped', async () => {
  const server = await createMockServer({ journalSize: 10 });
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
