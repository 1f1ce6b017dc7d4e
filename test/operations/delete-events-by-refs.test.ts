import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const server = await createMockServer();
const [FIRST, SECOND] = ['acme-2026-03-31-001', 'acme-2026-03-31-002'];

describe('deleteEventsByRefs', () => {
  test('answers with the events it removed, each with the time of its deletion', async () => {
    const client = clientOf(server);
    const { events } = server.account(client.token);
    const before = [events.get('65d000000000000000000001'), events.get('65d000000000000000000002')];
    const { status, body } = await client.deleteEvents([FIRST, SECOND]);
    expect(status).toBe(200);
    expect(body).toEqual({
      events: before.map((event) => ({ ...event, deletedAt: expect.any(String) })),
    });
  });

  test('removes every event of a ref, the earliest first', async () => {
    const { body } = await clientOf(server).deleteEvents(['globex-march']);
    expect(body.events.map(({ id }: { id: string }) => id)).toEqual([
      '65d000000000000000000003',
      '65d000000000000000000004',
    ]);
  });

  test.each(['refs', 'timestamp'] as const)(
    'orders events of one millisecond by their further digits, with deleted-events-order=%s',
    async (order) => {
      const client = clientOf(server);
      const { events, decisions } = server.account(client.token);
      decisions.change({ 'deleted-events-order': order });
      events.put({ id: 'a', ref: 'r', timestamp: '2026-01-01T00:00:00.123456789Z' });
      events.put({ id: 'b', ref: 'r', timestamp: '2026-01-01T00:00:00.1234567880Z' });
      events.put({ id: 'c', ref: 'r', timestamp: '2026-01-01T02:00:00.123+02:00' });
      const { body } = await client.deleteEvents(['r']);
      expect(body.events.map(({ id }: { id: string }) => id)).toEqual(['c', 'b', 'a']);
    },
  );

  test('lists the events in the order in which their refs were first mentioned', async () => {
    const { body } = await clientOf(server).deleteEvents(['globex-march', SECOND, FIRST, SECOND]);
    expect(body.events.map(({ ref }: { ref: string }) => ref)).toEqual([
      'globex-march',
      'globex-march',
      SECOND,
      FIRST,
    ]);
  });

  test('passes over refs that match nothing', async () => {
    const { status, body } = await clientOf(server).deleteEvents(['nothing', FIRST, '']);
    expect(status).toBe(200);
    expect(body.events).toHaveLength(1);
  });

  test('names the refs that match nothing, and no others, where such are refused', async () => {
    const refusing = await createMockServer({ decisions: { 'unmatched-refs': 'not-found' } });
    const { status, body } = await clientOf(refusing).deleteEvents(['nothing', FIRST, 'neither']);
    expect([status, body.detail]).toEqual([
      404,
      "This account has no event for these refs: 'nothing', 'neither'; expected refs of existing events. Nothing was deleted. Leave out the refs without an event.",
    ]);
  });

  test('names twenty of the refs that match nothing, and counts the others', async () => {
    const refusing = await createMockServer({ decisions: { 'unmatched-refs': 'not-found' } });
    const refs = Array.from({ length: 23 }, (_, nth) => `none-${nth}`);
    const { body } = await clientOf(refusing).deleteEvents(refs);
    expect(body.detail).toContain(
      "'none-19' and 3 more; expected refs of existing events. Nothing was deleted.",
    );
  });

  test('answers with no events when every ref matches nothing', async () => {
    const { status, body } = await clientOf(server).deleteEvents(['nothing']);
    expect(status).toBe(200);
    expect(body).toEqual({ events: [] });
  });

  test('leaves out what was deleted before, and its first deletedAt as it was', async () => {
    const client = clientOf(server);
    const [deleted] = (await client.deleteEvents([FIRST])).body.events;
    const { body } = await client.deleteEvents([FIRST, SECOND]);
    expect(body.events.map(({ ref }: { ref: string }) => ref)).toEqual([SECOND]);
    expect(server.account(client.token).events.get(deleted.id)).toEqual(deleted);
  });

  test('leaves the events to every other account', async () => {
    const [one, other] = [clientOf(server), clientOf(server)];
    await one.deleteEvents([FIRST]);
    expect((await other.deleteEvents([FIRST])).body.events).toHaveLength(1);
  });

  test('matches refs code point by code point, untrimmed', async () => {
    const { body } = await clientOf(server).deleteEvents([` ${FIRST}`, FIRST.toUpperCase()]);
    expect(body.events).toEqual([]);
  });

  test('deletes an event that a test has put, whatever its data holds', async () => {
    const client = clientOf(server);
    const data = JSON.parse('{"__proto__":"a","constructor":"b"}');
    server.account(client.token).events.put({ id: 'e', ref: '__proto__', data });
    const { body } = await client.deleteEvents(['__proto__', 'constructor']);
    expect(JSON.stringify(body.events[0].data)).toBe('{"__proto__":"a","constructor":"b"}');
    expect(body.events).toHaveLength(1);
  });

  test('takes 1000 refs of 113 characters', async () => {
    const refs = Array.from({ length: 999 }, (_, index) => String(index).padStart(113, 'x'));
    const { status, body } = await clientOf(server).deleteEvents([...refs, FIRST]);
    expect(status).toBe(200);
    expect(body.events).toHaveLength(1);
  });

  test.each([
    ['no refs', { refs: [] }, '/refs', 'at least 1 item'],
    ['1001 refs', { refs: Array(1001).fill('a') }, '/refs', 'at most 1000 items'],
    ['refs that are text', { refs: 'a' }, '/refs', 'an array'],
    ['a ref that is a number', { refs: ['a', 1] }, '/refs/1', 'a string'],
    ['a ref that is null', { refs: [null] }, '/refs/0', 'a string'],
    ['a body without refs', {}, '/refs', "the member 'refs'"],
    ['a misspelt member', { ref: ['a'] }, '/refs', "the member 'refs'"],
    ['a list for a body', ['a'], '', 'an object'],
  ])('refuses %s and deletes nothing', async (_words, body, pointer, expected) => {
    const client = clientOf(server);
    const response = await client.postRefs(body);
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([
      expect.objectContaining({ in: 'body', pointer, expected }),
    ]);
    const tombstones = server
      .account(client.token)
      .events.list()
      .filter((event) => event.deletedAt);
    expect(tombstones).toEqual([]);
  });

  test('says what a list of refs must have', async () => {
    const { body } = await clientOf(server).postRefs({ refs: [] });
    expect(body.errors[0].detail).toBe('It must have at least 1 item.');
  });
});
