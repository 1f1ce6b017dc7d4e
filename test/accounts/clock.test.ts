import { jest } from '@jest/globals';
import { createMockServer, InvalidInputError } from '../../src/index.js';
import { type Control, controlOf } from '../support/control.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const THEN = '2030-01-02T03:04:05.000Z';
const CONTRACT = '/contracts/written-contract-1';

/** What a clock shows and how it is set, whatever the door; a refusal is told in words. */
interface Door {
  readonly control: Control;
  read(): Promise<{ now: string; isFrozen: boolean; isSet: boolean }>;
  freeze(at: unknown): Promise<string>;
  advance(ms: unknown): Promise<string>;
  useRealTime(): Promise<string>;
}

function overHttp(): Door {
  const control = controlOf(server);
  async function set(body: object): Promise<string> {
    const response = await control.put('/clock', body);
    if (response.status === 200) {
      const { now, isFrozen } = (await control.get('/clock')).body;
      expect(isFrozen).toBe(response.body.isFrozen);
      if (isFrozen) expect(now).toBe(response.body.now);
      return 'set';
    }
    expect(response.status).toBe(400);
    return response.body.detail;
  }
  return {
    control,
    read: async () => (await control.get('/clock')).body,
    freeze: (frozenAt) => set({ frozenAt }),
    advance: (advanceMs) => set({ advanceMs }),
    useRealTime: () => set({ real: true }),
  };
}

function throughTheLibrary(): Door {
  const control = controlOf(server);
  const { clock } = server.account(control.token);
  function set(act: () => void): string {
    try {
      act();
      return 'set';
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidInputError);
      return (error as Error).message;
    }
  }
  return {
    control,
    read: async () => ({
      now: clock.now().toISOString(),
      isFrozen: clock.isFrozen,
      isSet: clock.isSet,
    }),
    freeze: async (at) => set(() => clock.freeze(at as string)),
    advance: async (ms) => set(() => clock.advance(ms as number)),
    useRealTime: async () => set(() => clock.useRealTime()),
  };
}

/** Lets the time of the machine go on. */
function runOn(durationMs: number): void {
  const before = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => before + durationMs);
}

afterEach(() => jest.restoreAllMocks());

/** When a deletion happens, by what the service answers. */
async function deletionOf({ control: { service } }: Door): Promise<string> {
  return (await service.delete(CONTRACT)).body.contract.deletedAt;
}

describe.each([
  ['over HTTP', overHttp],
  ['through the library', throughTheLibrary],
] as const)('the clock of an account, set %s', (_words, open) => {
  test('shows the time of the machine until it is set, and when it is set back', async () => {
    const door = open();
    for (let round = 0; round < 2; round += 1) {
      const before = Date.now();
      const { now, isFrozen, isSet } = await door.read();
      expect([isFrozen, isSet]).toEqual([false, false]);
      expect(Date.parse(now)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(now)).toBeLessThanOrEqual(Date.now());
      await door.freeze(THEN);
      await door.advance(1_000);
      expect(await door.useRealTime()).toBe('set');
    }
  });

  test('stands where it is frozen, and goes on from there when it is advanced', async () => {
    const door = open();
    expect(await door.freeze(THEN)).toBe('set');
    expect(await door.read()).toEqual({ now: THEN, isFrozen: true, isSet: true });
    expect(await door.advance(60_000)).toBe('set');
    expect(await door.advance(1)).toBe('set');
    expect(await door.advance(0)).toBe('set');
    expect(await door.read()).toEqual({
      now: '2030-01-02T03:05:05.001Z',
      isFrozen: true,
      isSet: true,
    });
    expect(await door.freeze('2020-02-29T01:00:00+01:00')).toBe('set');
    expect(await door.read()).toEqual({
      now: '2020-02-29T00:00:00.000Z',
      isFrozen: true,
      isSet: true,
    });
  });

  test('runs on ahead when it is advanced while it runs', async () => {
    const door = open();
    const day = 86_400_000;
    const before = Date.now();
    await door.advance(day);
    await door.advance(day);
    const { now, isFrozen } = await door.read();
    expect(isFrozen).toBe(false);
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before + 2 * day);
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now() + 2 * day);
  });

  test('stamps deletions, the stamps of records, and the journal', async () => {
    const door = open();
    const { journal, customers, events } = server.account(door.control.token);
    await door.freeze(THEN);
    expect(await deletionOf(door)).toBe(THEN);
    expect(customers.put({ id: 'x' })).toEqual({ id: 'x', createdAt: THEN, updatedAt: THEN });
    await door.advance(5_000);
    const later = '2030-01-02T03:04:10.000Z';
    await door.control.service.deleteEvents(['shared-ref']);
    expect(events.get('written-event-1')).toMatchObject({ deletedAt: later });
    const { body } = await door.control.post('/customers', {});
    expect(body).toMatchObject({ createdAt: later, updatedAt: later });
    expect(journal.list().map(({ at }) => at)).toEqual([THEN, later]);
  });

  test('is nothing to other accounts', async () => {
    const [door, other] = [open(), open()];
    await other.freeze(THEN);
    await door.freeze('2040-01-01T00:00:00.000Z');
    await door.advance(1_000);
    expect(await other.read()).toEqual({ now: THEN, isFrozen: true, isSet: true });
    expect(await deletionOf(other)).toBe(THEN);
    await door.useRealTime();
    expect(await other.read()).toEqual({ now: THEN, isFrozen: true, isSet: true });
  });

  test.each([
    ['freeze', 'tomorrow', /frozenAt.*"tomorrow"/],
    ['freeze', '', /frozenAt/],
    ['advance', -1, /advanceMs.*at least 0.*-1/],
    ['advance', 1.5, /advanceMs.*1\.5/],
    ['advance', '5', /advanceMs.*"5"/],
    ['advance', null, /advanceMs.*null/],
  ] as const)('refuses to %s by %j in words, and changes nothing', async (act, value, words) => {
    const door = open();
    await door.freeze(THEN);
    expect(await door[act](value)).toMatch(words);
    expect(await door.read()).toEqual({ now: THEN, isFrozen: true, isSet: true });
  });

  test('lets a cursor grow old', async () => {
    const door = open();
    const { service } = door.control;
    server.account(door.control.token).decisions.change({ 'cursor-lifetime': '15m' });
    await door.freeze(THEN);
    const { nextCursor } = (await service.get('/measurements?limit=2')).body;
    const follow = () => service.get('/measurements').query({ limit: 2, cursor: nextCursor });
    await door.advance(15 * 60_000);
    expect((await follow()).status).toBe(200);
    await door.advance(1);
    const { status, body } = await follow();
    expect(status).toBe(400);
    expect(body).toMatchObject({ decision: 'cursor-lifetime', section: '4.4' });
    expect(body.detail).toContain(`issued at ${THEN}`);
    await door.freeze(THEN);
    expect((await follow()).status).toBe(200);
  });

  test('goes no further than RFC 3339 can write, and the service answers then too', async () => {
    const door = open();
    const { service, get, delete: remove } = door.control;
    const last = '9999-12-31T23:59:59.999Z';
    // Over HTTP a step is bounded.
    server.account(door.control.token).clock.advance(Date.parse(last) - Date.now() - 1_000);
    runOn(60_000);
    expect(await door.read()).toEqual({ now: last, isFrozen: false, isSet: true });
    expect(await deletionOf(door)).toBe(last);
    expect(await door.advance(0)).toBe('set');
    expect(await door.advance(1)).toContain('advanceMs');
    expect(await door.freeze(last)).toBe('set');
    const { decisions } = server.account(door.control.token);
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
    expect(await door.useRealTime()).toBe('set');
    expect(Date.parse((await door.read()).now)).toBeLessThanOrEqual(Date.now());
  });

  test.each(['9999-12-31T23:59:59.999-01:00', '0000-01-01T00:00:00+01:00'])(
    'cannot be frozen at %s, whose year in UTC has no four digits',
    async (at) => {
      const door = open();
      expect(await door.freeze(at)).toContain('in a year from 0000 to 9999 in UTC');
      expect((await door.read()).isFrozen).toBe(false);
    },
  );

  test('opens the next window of a rate limit', async () => {
    const door = open();
    const { service } = door.control;
    server.account(door.control.token).decisions.change({ 'rate-limit': '2/1m' });
    await door.freeze(THEN);
    const statuses = async (count: number) => {
      const seen = [];
      for (let call = 0; call < count; call += 1) {
        seen.push((await service.get('/customers/written')).status);
      }
      return seen;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    await door.advance(59_999);
    expect(await statuses(1)).toEqual([429]);
    await door.advance(1);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });
});

describe('PUT /clock', () => {
  test.each([
    [{}, /at least 1 member/],
    [{ real: true, advanceMs: 1 }, /at most 1 member/],
    [{ frozenAt: THEN, advanceMs: 1 }, /at most 1 member/],
    [{ real: false }, /\/real/],
    [{ frozen: true }, /\/frozen: expected no member of this name/],
    [{ advanceMs: 8e15 }, /'advanceMs': expected .*not beyond the year 9999/],
    [{ frozenNow: false }, /\/frozenNow/],
    [[], /expected an object/],
  ])('refuses %j in words, and changes nothing', async (body, words) => {
    const { control, freeze, read } = overHttp();
    await freeze(THEN);
    const response = await control.put('/clock', body);
    expect(response.status).toBe(400);
    expect(response.body.detail).toMatch(words);
    expect(await read()).toEqual({ now: THEN, isFrozen: true, isSet: true });
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
