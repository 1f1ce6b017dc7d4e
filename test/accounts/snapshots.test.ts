import { createMockServer, ProblemError, UnknownIdError } from '../../src/index.js';
import { type Control, controlOf } from '../support/control.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const CONTRACT = 'written-contract-1';
const THEN = '2030-01-02T03:04:05.000Z';

/** Snapshots and resets of an account, whatever the door; a refusal is told by its status. */
interface Door {
  readonly control: Control;
  take(id?: string): Promise<string | number>;
  restore(id: string): Promise<string | number>;
  reset(): Promise<unknown>;
  resetAll(): Promise<number>;
  close(): Promise<boolean>;
}

function overHttp(token?: string, at = server): Door {
  const control = controlOf(at, token);
  return {
    control,
    async take(id) {
      const { status, body } = await control.post('/snapshots', id === undefined ? id : { id });
      return status === 201 ? body.id : status;
    },
    async restore(id) {
      const { status } = await control.post(`/snapshots/${encodeURIComponent(id)}/restore`);
      return status === 200 ? id : status;
    },
    reset: async () => expect((await control.post('/reset')).body).toEqual({ accounts: 1 }),
    resetAll: async () => (await control.post('/accounts/reset')).body.accounts,
    close: async () => (await control.delete('/account')).body.closed,
  };
}

function throughTheLibrary(token?: string, at = server): Door {
  const control = controlOf(at, token);
  const account = () => at.account(control.token);
  function statusOf(act: () => string): string | number {
    try {
      return act();
    } catch (error) {
      if (error instanceof UnknownIdError) return 404;
      if (error instanceof ProblemError && error.problem === 'conflict') return 409;
      throw error;
    }
  }
  return {
    control,
    take: async (id) => statusOf(() => account().snapshot(id)),
    restore: async (id) =>
      statusOf(() => {
        account().restore(id);
        return id;
      }),
    reset: async () => account().reset(),
    resetAll: async () => at.resetAll(),
    close: async () => at.closeAccount(control.token),
  };
}

const DOORS = [
  ['over HTTP', overHttp],
  ['through the library', throughTheLibrary],
] as const;

/** The parts of an account that a snapshot keeps, as the control plane tells them. */
async function partsOf({ control }: Door): Promise<unknown> {
  const parts = [];
  for (const path of ['/account', '/state', '/faults', '/clock', '/latency', '/decisions']) {
    parts.push((await control.get(path)).body);
  }
  return parts;
}

async function listed({ control }: Door): Promise<string[]> {
  const { snapshots } = (await control.get('/snapshots')).body;
  return snapshots.map(({ id }: { id: string }) => id);
}

/** Gives every part something to keep. */
async function arrange({ control }: Door): Promise<void> {
  const account = server.account(control.token);
  account.clock.freeze(THEN);
  account.latency.set('1..2');
  account.decisions.change({ 'repeat-delete': 'gone' });
  account.customers.put({ id: 'added', name: 'Added' });
  account.faults.add({
    kind: 'status',
    status: 503,
    skip: 1,
    times: 3,
    operationId: 'getCustomer',
  });
  await control.service.get('/customers/added');
  expect((await control.service.get('/customers/added')).status).toBe(503);
  await control.service.delete(`/contracts/${CONTRACT}`);
}

/** Changes every part. */
async function disturb({ control }: Door): Promise<void> {
  const account = server.account(control.token);
  expect((await control.service.get('/customers/added')).status).toBe(503);
  account.clock.advance(5_000);
  account.latency.set(0);
  account.decisions.change({ 'repeat-delete': 'conflict', 'success-status': 202 });
  account.customers.patch('added', { name: 'Changed' });
  account.measurements.remove('B');
  account.contracts.patch(CONTRACT, { deletedAt: null });
  account.faults.add({ kind: 'delay', delayMs: 0 });
  await control.service.delete(`/contracts/written-contract-2`);
  account.clock.useRealTime();
}

describe.each(DOORS)('a snapshot %s', (_words, open) => {
  test('brings records, clock, latency, decisions and faults back; the journal stays', async () => {
    const door = open();
    const account = server.account(door.control.token);
    await arrange(door);
    const before = await partsOf(door);
    const [fault] = account.faults.list();
    expect(fault).toMatchObject({ seen: 2, fired: 1 });

    expect(await door.take('before')).toBe('before');
    await disturb(door);
    expect(await partsOf(door)).not.toEqual(before);
    const requests = account.journal.list();
    expect(await door.restore('before')).toBe('before');

    expect(await partsOf(door)).toEqual(before);
    expect(account.faults.list()).toEqual([fault]);
    expect(account.clock.now().toISOString()).toBe(THEN);
    expect(account.journal.list()).toEqual(requests);
    expect(requests).toHaveLength(5);

    // What the service answers goes on from there: two more failures, then a success.
    const { service } = door.control;
    expect((await service.delete(`/contracts/${CONTRACT}`)).status).toBe(410);
    const statuses = [];
    for (let call = 0; call < 3; call += 1) {
      statuses.push((await service.get('/customers/added')).status);
    }
    expect(statuses).toEqual([503, 503, 200]);
    expect((await service.get('/customers/added')).body.customer.name).toBe('Added');
  });

  test('can be restored again and again, whatever happens after it', async () => {
    const door = open();
    await arrange(door);
    await door.take('again');
    const before = await partsOf(door);
    for (let round = 0; round < 3; round += 1) {
      await disturb(door);
      await door.restore('again');
      expect(await partsOf(door)).toEqual(before);
    }
    await door.reset();
    await door.restore('again');
    expect(await partsOf(door)).toEqual(before);
  });

  test('is one of several, each with what was then', async () => {
    const door = open();
    const { customers } = server.account(door.control.token);
    for (const id of ['a', 'b', 'c']) {
      customers.put({ id: 'moving', name: id });
      await door.take(id);
    }
    for (const id of ['b', 'a', 'c', 'a']) {
      await door.restore(id);
      expect(customers.get('moving')?.name).toBe(id);
    }
  });

  test('gets a number of its own, and takes the place of one with its id', async () => {
    const door = open();
    const { customers } = server.account(door.control.token);
    expect(await door.take()).toBe('1');
    expect(await door.take('2')).toBe('2');
    expect(await door.take()).toBe('3');
    expect(await door.take('mine/ü')).toBe('mine/ü');
    customers.put({ id: 'later', name: 'Later' });
    expect(await door.take('2')).toBe('2');
    expect(await listed(door)).toEqual(['1', '2', '3', 'mine/ü']);
    await door.restore('1');
    expect(customers.get('later')).toBeUndefined();
    await door.restore('2');
    expect(customers.get('later')?.name).toBe('Later');
    await door.restore('mine/ü');
    expect(customers.get('later')).toBeUndefined();
  });

  test('that was never taken is refused, and nothing changes', async () => {
    const door = open();
    await arrange(door);
    await open().take('elsewhere');
    const before = await partsOf(door);
    expect(await door.restore('elsewhere')).toBe(404);
    expect(await partsOf(door)).toEqual(before);
  });

  test('is the last beyond a hundred, unless one goes or is replaced', async () => {
    const door = open();
    for (let count = 1; count <= 100; count += 1) expect(await door.take()).toBe(String(count));
    const { customers } = server.account(door.control.token);
    customers.put({ id: 'later' });
    expect(await door.take()).toBe(409);
    expect(await door.take('another')).toBe(409);
    expect(await door.take('100')).toBe('100');
    expect(await listed(door)).toHaveLength(100);
    await door.control.delete('/snapshots/7');
    expect(await door.take('another')).toBe('another');
    expect(await door.take()).toBe(409);
    await door.restore('99');
    expect(customers.get('later')).toBeUndefined();
    await door.restore('100');
    expect(customers.get('later')).toBeDefined();
  });
});

describe('snapshots over HTTP', () => {
  test('are listed in the order in which they were taken, and dropped one by one', async () => {
    const door = overHttp();
    expect((await door.control.get('/snapshots')).body).toEqual({ snapshots: [] });
    for (const id of ['z', 'a', 'm']) await door.take(id);
    expect(await listed(door)).toEqual(['z', 'a', 'm']);
    const { status, body } = await door.control.delete('/snapshots/a');
    expect([status, body]).toEqual([200, { id: 'a' }]);
    expect(await listed(door)).toEqual(['z', 'm']);
    expect(await door.restore('a')).toBe(404);
    expect(await door.restore('z')).toBe('z');
  });

  test('refuse an id that is unknown, and say which there are', async () => {
    const door = overHttp();
    await door.take('known');
    for (const response of [
      await door.control.delete('/snapshots/x'),
      await door.control.post('/snapshots/x/restore'),
    ]) {
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({
        type: 'urn:usage-billing-mock:problem:unknown-identifier',
        detail: expect.stringMatching(/'x'.*known/),
      });
    }
    expect(await listed(door)).toEqual(['known']);
  });

  test.each([[{ id: '' }], [{ id: 3 }], [{ id: 'x'.repeat(201) }], [{ name: 'x' }], [[]]])(
    'refuse the body %j',
    async (body) => {
      const door = overHttp();
      expect((await door.control.post('/snapshots', body)).status).toBe(400);
      expect(await listed(door)).toEqual([]);
    },
  );

  test('answer a restore with what the account is from then on', async () => {
    const door = overHttp();
    const { body: before } = await door.control.get('/account');
    await door.take('before');
    server.account(door.control.token).customers.put({ id: 'added' });
    const { body: between } = await door.control.get('/account');
    expect(between.customers).toBe(before.customers + 1);
    expect((await door.control.post('/snapshots/before/restore')).body).toEqual(before);
  });
});

describe.each(DOORS)('a reset %s', (_words, open) => {
  test('brings back every part, the journal too', async () => {
    const [door, fresh] = [open(), open()];
    await arrange(door);
    await disturb(door);
    await door.reset();
    const account = server.account(door.control.token);
    account.clock.freeze(THEN);
    server.account(fresh.control.token).clock.freeze(THEN);
    expect(await partsOf(door)).toEqual(await partsOf(fresh));
    expect(account.journal.list()).toEqual([]);

    await door.control.service.get('/customers/written');
    expect(account.journal.list()).toMatchObject([{ id: 1, path: '/customers/written' }]);
    expect(account.faults.add({ kind: 'delay', delayMs: 0 }).id).toBe(1);
  });

  test('lets the clock run again', async () => {
    const door = open();
    const { clock } = server.account(door.control.token);
    clock.freeze(THEN);
    await door.reset();
    expect(clock.isFrozen).toBe(false);
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(60_000);
  });

  test('forgets how far the journal had been evicted', async () => {
    const small = await createMockServer({ dataset: 'empty', journalSize: 1 });
    const door = open('t', small);
    for (let call = 0; call < 3; call += 1) await door.control.service.get('/measurements');
    expect(small.account('t').journal.evicted).toBe(2);
    await door.reset();
    expect(small.account('t').journal.evicted).toBe(0);
    expect(small.account('t').journal.list()).toEqual([]);
  });

  test('keeps other accounts as they are', async () => {
    const [door, other] = [open(), open()];
    await arrange(other);
    const before = await partsOf(other);
    const requests = server.account(other.control.token).journal.list();
    await door.reset();
    expect(await partsOf(other)).toEqual(before);
    expect(server.account(other.control.token).journal.list()).toEqual(requests);
  });

  test('of all resets every open account, and says how many', async () => {
    const small = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
    const doors = ['a', 'b', 'c'].map((token) => open(token, small));
    const [first] = doors;
    const fingerprint = small.account('a').fingerprint();
    for (const { control } of doors) {
      await control.service.delete(`/contracts/${CONTRACT}`);
      small.account(control.token).clock.freeze(THEN);
      small.account(control.token).decisions.change({ 'repeat-delete': 'gone' });
      small.account(control.token).faults.add({ kind: 'delay', delayMs: 0 });
      expect(small.account(control.token).fingerprint()).not.toBe(fingerprint);
    }
    expect(await first?.resetAll()).toBe(3);
    for (const { control } of doors) {
      const account = small.account(control.token);
      expect(account.fingerprint()).toBe(fingerprint);
      expect(account.journal.list()).toEqual([]);
      expect(account.clock.isFrozen).toBe(false);
      expect(account.decisions.inForce['repeat-delete']).toBe('not-found');
      expect(account.faults.list()).toEqual([]);
    }
  });

  test('that is closing makes room for another account, and opens anew', async () => {
    const small = await createMockServer({
      dataset: 'test/support/mixed-records.yaml',
      maxAccounts: 1,
    });
    const [one, other] = [open('one', small), open('other', small)];
    const fingerprint = small.account('one').fingerprint();
    await one.control.service.delete(`/contracts/${CONTRACT}`);
    await one.take('kept');
    expect((await other.control.service.get('/measurements')).status).toBe(503);
    expect(await one.close()).toBe(true);
    expect((await other.control.service.get('/measurements')).status).toBe(200);
    expect((await one.control.service.get('/measurements')).status).toBe(503);

    expect(await other.close()).toBe(true);
    expect((await one.control.get('/account')).body.fingerprint).toBe(fingerprint);
    expect((await one.control.get('/requests')).body).toEqual({ requests: [], evicted: 0 });
    expect((await one.control.get('/snapshots')).body).toEqual({ snapshots: [] });
    expect((await one.control.service.delete(`/contracts/${CONTRACT}`)).status).toBe(200);
  });
});

describe('POST /reset', () => {
  test.each([[undefined], [{}]])('with %j resets this account alone', async (body) => {
    const [door, other] = [overHttp(), overHttp()];
    for (const { control } of [door, other]) {
      await control.service.delete(`/contracts/${CONTRACT}`);
    }
    expect((await door.control.post('/reset', body)).body).toEqual({ accounts: 1 });
    expect((await door.control.service.delete(`/contracts/${CONTRACT}`)).status).toBe(200);
    expect((await other.control.service.delete(`/contracts/${CONTRACT}`)).status).toBe(404);
  });

  test.each([[{ all: true }], [{ every: true }], [[]], [true]])(
    'refuses the body %j and resets nothing',
    async (body) => {
      const door = overHttp();
      await door.control.service.delete(`/contracts/${CONTRACT}`);
      expect((await door.control.post('/reset', body)).status).toBe(400);
      expect((await door.control.service.delete(`/contracts/${CONTRACT}`)).status).toBe(404);
    },
  );
});

describe('closeAccount', () => {
  test('says whether there was an account, and refuses whoever still holds it', async () => {
    const { control } = overHttp();
    const held = server.account(control.token);
    expect(server.closeAccount(control.token)).toBe(true);
    expect(server.closeAccount(control.token)).toBe(false);
    expect(() => held.customers.put({ id: 'late' })).toThrow('The account was closed');
    expect(() => held.fingerprint()).toThrow('The account was closed');
  });
});
