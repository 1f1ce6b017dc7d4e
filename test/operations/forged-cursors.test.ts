import { hexHash } from '../../src/core/store/hash.js';
import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const server = await createMockServer({ dataset: 'test/support/twelve-measurements.yaml' });
const { fingerprint } = server.dataset;
const LISTING = 'measurements by usage-date';
const ISSUED = [1, fingerprint, LISTING, 20_260_101, 'a'];

/** A cursor of any text, with a checksum like that of the mock's own cursors. */
function cursorOver(payload: string, summed = payload): string {
  return Buffer.from(hexHash(8, summed) + payload).toString('base64url');
}

test('a cursor with the checksum of another is refused', async () => {
  const cursor = cursorOver(JSON.stringify(ISSUED), JSON.stringify([...ISSUED, 0]));
  const { status, body } = await clientOf(server).get(`/measurements?cursor=${cursor}`);
  expect([status, body.detail]).toEqual([400, expect.stringContaining('never issued it')]);
});

describe('a cursor with a right checksum', () => {
  test('is taken if it says what an issued one says', async () => {
    const cursor = cursorOver(JSON.stringify(ISSUED));
    const { status } = await clientOf(server).get(`/measurements?cursor=${cursor}`);
    expect(status).toBe(200);
  });

  test('of another version of the mock is refused, with that version', async () => {
    const cursor = cursorOver(JSON.stringify([2, ...ISSUED.slice(1)]));
    const { status, body } = await clientOf(server).get(`/measurements?cursor=${cursor}`);
    expect(status).toBe(400);
    expect(body.detail).toContain('another version of this mock issued it (format 2)');
  });

  const forged = [
    ...['null', '{}', 'x', '[]', '[1'],
    ...[
      [{ toString: 1 }, fingerprint, LISTING, 1, 'a'],
      [1, fingerprint, { toString: 1 }, 1, 'a'],
      [1, fingerprint, LISTING],
      [1, fingerprint, LISTING, '1', 'a'],
      [1, fingerprint, LISTING, null, 'a'],
      [1, fingerprint, LISTING, 1, 2],
      [1, fingerprint, LISTING, 1, null],
      [1, fingerprint, LISTING, {}, []],
      [...ISSUED, null],
      [...ISSUED, 'now'],
      [...ISSUED, -1e300],
      [...ISSUED, 0, 0],
    ].map((fields) => JSON.stringify(fields)),
  ];

  test.each(forged)('over %s is refused as any other that was never issued', async (payload) => {
    const client = clientOf(server);
    const path = `/measurements?cursor=${cursorOver(payload)}`;
    const { status, body } = await client.get(path);
    expect([status, body.type]).toEqual([400, 'urn:usage-billing-mock:problem:invalid-cursor']);
    expect(body.detail).toContain('this mock never issued it');

    const account = server.account(client.token);
    account.clock.freeze();
    account.decisions.change({ 'cursor-lifetime': '1s' });
    expect((await client.get(path)).status).toBe(400);
    account.decisions.change({ 'invalid-cursor': 'first-page' });
    const firstPage = await client.get('/measurements');
    expect((await client.get(path)).text).toBe(firstPage.text);
  });
});

const LISTINGS = ['customers', 'measurements', 'changes'].flatMap((name) =>
  [-1, 0.5, -1e300, 1e300].map((place) => [name, place] as const),
);

test.each(LISTINGS)(
  'a cursor of the control plane for %s, place %d, is refused',
  async (name, place) => {
    const listing = name === 'changes' ? 'changes of all collections' : `all ${name}`;
    const cursor = cursorOver(JSON.stringify([1, fingerprint, listing, place, 'customers']));
    const { status, body } = await clientOf(server).get(`/__control/${name}?cursor=${cursor}`);
    expect([status, body.type]).toEqual([400, 'urn:usage-billing-mock:problem:invalid-cursor']);
    expect(body.detail).toContain('this mock never issued it');
  },
);

test('an invalid cursor is told as a mistake of the query, with what to do', async () => {
  const { body } = await clientOf(server).get('/measurements?cursor=made-up');
  expect(body.errors).toEqual([
    {
      in: 'query',
      pointer: '/cursor',
      expected: 'the nextCursor of the previous page, unchanged',
      received: 'made-up',
      detail: 'Start again without a cursor.',
    },
  ]);
});
