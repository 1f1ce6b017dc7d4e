import { jest } from '@jest/globals';
import { createMockServer, InvalidInputError } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const THEN = '2030-01-02T03:04:05.000Z';
const CONTRACT = '/contracts/written-contract-1';

/** An account that no other test has. */
function open() {
  const control = controlOf(server);
  const account = server.account(control.token);
  const { clock } = account;
  return {
    ...{ control, account, clock },
    shown: () => ({ now: clock.now().toISOString(), isFrozen: clock.isFrozen, isSet: clock.isSet }),
  };
}

/** Advances the machine's time. */
function runOn(durationMs: number): void {
  const before = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => before + durationMs);
}

afterEach(() => jest.restoreAllMocks());

/** The time of a deletion, according to the service's response. */
async function deletionOf({ control: { service } }: ReturnType<typeof open>): Promise<string> {
  return (await service.delete(CONTRACT)).body.contract.deletedAt;
}

describe('the clock of an account', () => {
  test('shows the time of the machine until it is set, and when it is set back', async () => {
    const door = open();
    for (let round = 0; round < 2; round += 1) {
      const before = Date.now();
      const { now, isFrozen, isSet } = door.shown();
      expect([isFrozen, isSet]).toEqual([false, false]);
      expect(Date.parse(now)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(now)).toBeLessThanOrEqual(Date.now());
      door.clock.freeze(THEN);
      door.clock.advance(1_000);
      door.clock.useRealTime();
    }
  });

  test('stands where it is frozen, and goes on from there when it is advanced', async () => {
    const door = open();
    door.clock.freeze(THEN);
    expect(door.shown()).toEqual({ now: THEN, isFrozen: true, isSet: true });
    door.clock.advance(60_000);
    door.clock.advance(1);
    door.clock.advance(0);
    expect(door.shown()).toEqual({
      now: '2030-01-02T03:05:05.001Z',
      isFrozen: true,
      isSet: true,
    });
    door.clock.freeze('2020-02-29T01:00:00.00199999999999+01:00');
    expect(door.shown().now).toBe('2020-02-29T00:00:00.001Z');
    door.clock.freeze('2020-02-29T01:00:00+01:00');
    expect(door.shown()).toEqual({
      now: '2020-02-29T00:00:00.000Z',
      isFrozen: true,
      isSet: true,
    });
  });

  test('runs on ahead when it is advanced while it runs', async () => {
    const door = open();
    const day = 86_400_000;
    const before = Date.now();
    door.clock.advance(day);
    door.clock.advance(day);
    const { now, isFrozen } = door.shown();
    expect(isFrozen).toBe(false);
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before + 2 * day);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now() + 2 * day);
  });

  test('stamps deletions, the stamps of records, and the journal', async () => {
    const door = open();
    const { journal, customers, events } = door.account;
    door.clock.freeze(THEN);
    expect(await deletionOf(door)).toBe(THEN);
    expect(customers.put({ id: 'x' })).toEqual({ id: 'x', createdAt: THEN, updatedAt: THEN });
    door.clock.advance(5_000);
    const later = '2030-01-02T03:04:10.000Z';
    await door.control.service.deleteEvents(['shared-ref']);
    expect(events.get('written-event-1')).toMatchObject({ deletedAt: later });
    const { body } = await door.control.post('/customers', {});
    expect(body).toMatchObject({ createdAt: later, updatedAt: later });
    expect(journal.list().map(({ at }) => at)).toEqual([THEN, later]);
  });

  test('is nothing to other accounts', async () => {
    const [door, other] = [open(), open()];
    other.clock.freeze(THEN);
    door.clock.freeze('2040-01-01T00:00:00.000Z');
    door.clock.advance(1_000);
    expect(other.shown()).toEqual({ now: THEN, isFrozen: true, isSet: true });
    expect(await deletionOf(other)).toBe(THEN);
    door.clock.useRealTime();
    expect(other.shown()).toEqual({ now: THEN, isFrozen: true, isSet: true });
  });

  test.each([
    ['freeze', 'tomorrow', /frozenAt.*"tomorrow"/],
    ['freeze', '', /frozenAt/],
    ['advance', -1, /advanceMs.*-1; .*at least 0/],
    ['advance', 1.5, /advanceMs.*1\.5/],
    ['advance', '5', /advanceMs.*"5"/],
    ['advance', null, /advanceMs.*null/],
  ] as const)('refuses to %s by %j in words, and changes nothing', async (act, value, words) => {
    const door = open();
    door.clock.freeze(THEN);
    expect(() => door.clock[act](value as never)).toThrow(InvalidInputError);
    expect(() => door.clock[act](value as never)).toThrow(words);
    expect(door.shown()).toEqual({ now: THEN, isFrozen: true, isSet: true });
  });

  test('lets a cursor grow old', async () => {
    const door = open();
    const { service } = door.control;
    door.account.decisions.change({ 'cursor-lifetime': '15m' });
    door.clock.freeze(THEN);
    const { nextCursor } = (await service.get('/measurements?limit=2')).body;
    const follow = () => service.get('/measurements').query({ limit: 2, cursor: nextCursor });
    door.clock.advance(15 * 60_000);
    expect((await follow()).status).toBe(200);
    door.clock.advance(1);
    const { status, body } = await follow();
    expect(status).toBe(400);
    expect(body).toMatchObject({ decision: 'cursor-lifetime', section: '4.4' });
    expect(body.detail).toContain(`issued at ${THEN}`);
    door.clock.freeze(THEN);
    expect((await follow()).status).toBe(200);
  });

  test('goes no further than RFC 3339 can write, and the service answers then too', async () => {
    const door = open();
    const { service, get, delete: remove } = door.control;
    const last = '9999-12-31T23:59:59.999Z';
    // HTTP limits the length of a step.
    door.account.clock.advance(Date.parse(last) - Date.now() - 1_000);
    runOn(60_000);
    expect(door.shown()).toEqual({ now: last, isFrozen: false, isSet: true });
    expect(await deletionOf(door)).toBe(last);
    door.clock.advance(0);
    expect(() => door.clock.advance(1)).toThrow('advanceMs');
    door.clock.freeze(last);
    const { decisions } = door.account;
    decisions.change({ 'rate-limit': '3/1h', 'cursor-lifetime': '1h' });
    const { nextCursor } = (await service.get('/measurements?limit=1')).body;
    const statuses = [];
    for (let call = 0; call < 3; call += 1) {
      const query = { limit: 1, cursor: nextCursor };
      statuses.push((await service.get('/measurements').query(query)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    const listed = await get('/requests');
    expect([listed.status, listed.body.requests.length]).toEqual([200, 5]);
    expect(listed.body.requests.map(({ at }: { at: string }) => at)).toEqual(Array(5).fill(last));
    expect((await remove('/requests')).status).toBe(200);
    door.clock.useRealTime();
    expect(Date.parse(door.shown().now)).toBeLessThanOrEqual(Date.now());
  });

  test.each(['9999-12-31T23:59:59.999-01:00', '0000-01-01T00:00:00+01:00'])(
    'cannot be frozen at %s, whose year in UTC has no four digits',
    async (at) => {
      const door = open();
      expect(() => door.clock.freeze(at)).toThrow('in a year from 0000 to 9999 in UTC');
      expect(door.shown().isFrozen).toBe(false);
    },
  );

  test('opens the next window of a rate limit', async () => {
    const door = open();
    const { service } = door.control;
    door.account.decisions.change({ 'rate-limit': '2/1m' });
    door.clock.freeze(THEN);
    const statuses = async (count: number) => {
      const seen = [];
      for (let call = 0; call < count; call += 1) {
        seen.push((await service.get('/customers/written')).status);
      }
      return seen;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    const { detail } = (await service.get('/customers/written')).body;
    expect(detail).toContain(`clock is frozen at ${THEN}: advance it by 60 s`);
    door.clock.advance(59_999);
    expect(await statuses(1)).toEqual([429]);
    door.clock.advance(1);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });
});

describe('PUT /clock', () => {
  test.each([
    [{}, /at least 1 member of frozenAt, frozenNow, advanceMs, real\. Add one\./],
    [
      { real: true, advanceMs: 1 },
      /at most 1 member of frozenAt, frozenNow, advanceMs, real\. Leave out the others\./,
    ],
    [{ frozenAt: THEN, advanceMs: 1 }, /at most 1 member/],
    [{ real: false }, /real/],
    [{ frozen: true }, /Unknown member 'frozen'/],
    [{ advanceMs: 8e15 }, /'advanceMs' is 8000000000000000; expected .*not beyond the year 9999/],
    [{ frozenNow: false }, /frozenNow/],
    [[], /expected an object/],
  ])('refuses %j in words, and changes nothing', async (body, words) => {
    const { control, clock, shown } = open();
    clock.freeze(THEN);
    const response = await control.put('/clock', body);
    expect(response.status).toBe(400);
    expect(response.body.detail).toMatch(words);
    expect(shown()).toEqual({ now: THEN, isFrozen: true, isSet: true });
  });
});

describe('freeze()', () => {
  test('takes a Date, and its own now if it is told nothing', () => {
    const { clock } = server.account(controlOf(server).token);
    clock.freeze(new Date(THEN));
    expect(clock.now().toISOString()).toBe(THEN);
    clock.useRealTime();
    clock.advance(86_400_000);
    const before = Date.now() + 86_400_000;
    clock.freeze();
    const now = clock.now().getTime();
    expect(clock.isFrozen).toBe(true);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now() + 86_400_000);
    for (const other of [new Date(Number.NaN), [THEN] as unknown as string]) {
      expect(() => clock.freeze(other)).toThrow(InvalidInputError);
    }
    expect(clock.now().getTime()).toBe(now);
  });
});
