import { createMockServer, UnknownIdError } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { writeFixture } from '../support/fixture.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const CONTRACT = 'written-contract-1';
const CONFLICT = expect.objectContaining({ problem: 'conflict' });
const THEN = '2030-01-02T03:04:05.000Z';

/** An account, new unless the token is given. */
function open(token?: string, at = server) {
  const control = controlOf(at, token);
  return { control, account: at.account(control.token) };
}

type Opened = ReturnType<typeof open>;

/** The parts of an account that a snapshot keeps, as the control plane shows them. */
async function partsOf({ control }: Opened): Promise<unknown> {
  const { name: _name, ...account } = (await control.get('/account')).body;
  const parts = [account];
  for (const path of ['/state', '/faults', '/clock', '/latency', '/decisions']) {
    parts.push((await control.get(path)).body);
  }
  return parts;
}

async function listed({ control }: Opened): Promise<string[]> {
  const { snapshots } = (await control.get('/snapshots')).body;
  return snapshots.map(({ id }: { id: string }) => id);
}

/** Gives every part something to keep. */
async function arrange({ control, account }: Opened): Promise<void> {
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
async function disturb({ control, account }: Opened): Promise<void> {
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

describe('a snapshot', () => {
  test('brings records, clock, latency, decisions and faults back; the journal stays', async () => {
    const door = open();
    const { account } = door;
    await arrange(door);
    const before = await partsOf(door);
    const [fault] = account.faults.list();
    expect(fault).toMatchObject({ seen: 2, fired: 1 });

    expect(door.account.snapshot('before')).toBe('before');
    await disturb(door);
    expect(await partsOf(door)).not.toEqual(before);
    const requests = account.journal.list();
    door.account.restore('before');

    expect(await partsOf(door)).toEqual(before);
    expect(account.faults.list()).toEqual([fault]);
    expect(account.clock.now().toISOString()).toBe(THEN);
    expect(account.journal.list()).toEqual(requests);
    expect(requests).toHaveLength(5);

    // The fault continues from there: two more failures, then a success.
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
    door.account.snapshot('again');
    const before = await partsOf(door);
    for (let round = 0; round < 3; round += 1) {
      await disturb(door);
      door.account.restore('again');
      expect(await partsOf(door)).toEqual(before);
    }
    door.account.reset();
    door.account.restore('again');
    expect(await partsOf(door)).toEqual(before);
  });

  test('gets a number of its own, and takes the place of one with its id', async () => {
    const door = open();
    const { customers } = server.account(door.control.token);
    expect(door.account.snapshot()).toBe('1');
    expect(door.account.snapshot('2')).toBe('2');
    expect(door.account.snapshot()).toBe('3');
    expect(door.account.snapshot('mine/ü')).toBe('mine/ü');
    customers.put({ id: 'later', name: 'Later' });
    expect(door.account.snapshot('2')).toBe('2');
    expect(await listed(door)).toEqual(['1', '2', '3', 'mine/ü']);
    door.account.restore('1');
    expect(customers.get('later')).toBeUndefined();
    door.account.restore('2');
    expect(customers.get('later')?.name).toBe('Later');
    door.account.restore('mine/ü');
    expect(customers.get('later')).toBeUndefined();
  });

  test('that was never taken is refused, and nothing changes', async () => {
    const door = open();
    await arrange(door);
    open().account.snapshot('elsewhere');
    const before = await partsOf(door);
    expect(() => door.account.restore('elsewhere')).toThrow(UnknownIdError);
    expect(await partsOf(door)).toEqual(before);
  });

  test('is the last beyond a hundred, unless one goes or is replaced', async () => {
    const door = open();
    door.account.latency.set(1);
    for (let count = 1; count <= 100; count += 1)
      expect(door.account.snapshot()).toBe(String(count));
    const { customers } = server.account(door.control.token);
    customers.put({ id: 'later' });
    expect(() => door.account.snapshot()).toThrow(CONFLICT);
    expect(() => door.account.snapshot('another')).toThrow(CONFLICT);
    expect(door.account.snapshot('100')).toBe('100');
    expect(await listed(door)).toHaveLength(100);
    await door.control.delete('/snapshots/7');
    expect(door.account.snapshot('another')).toBe('another');
    expect(() => door.account.snapshot()).toThrow(CONFLICT);
    door.account.restore('99');
    expect(customers.get('later')).toBeUndefined();
    door.account.restore('100');
    expect(customers.get('later')).toBeDefined();
  });
});

describe('the snapshot `opening`', () => {
  const scenarios = {
    late: { latency: '1..2', clock: { frozenAt: THEN }, customers: [{ id: 'c1', name: 'Late' }] },
  };

  test('is what a reset restores, and leaves journal, failed test and coverage', async () => {
    const at = await createMockServer({
      dataset: writeFixture(JSON.stringify({ scenarios })),
      scenario: 'late',
    });
    const door = open(undefined, at);
    const { account, control } = door;
    const opening = await partsOf(door);
    account.decisions.change({ 'repeat-delete': 'gone' });
    account.customers.remove('c1');
    await control.service.get('/customers/c1');
    account.markTest({ outcome: 'failed', message: 'expected 404 to be 200' });
    expect((await control.post('/snapshots/opening/restore')).status).toBe(200);
    expect(await partsOf(door)).toEqual(opening);
    expect(account.journal.count()).toBe(1);
    expect((await control.get('/accounts')).body.accounts[0]).toHaveProperty('test');
  });

  test('is not listed, and nobody takes or drops it', async () => {
    const door = open();
    expect(() => door.account.snapshot('opening')).toThrow('another id');
    expect((await door.control.post('/snapshots', { id: 'opening' })).status).toBe(400);
    expect((await door.control.delete('/snapshots/opening')).status).toBe(404);
    expect(await listed(door)).toEqual([]);
    door.account.restore('opening');
  });
});

describe('snapshots over HTTP', () => {
  test('of the page, to undo, are not listed, nor counted among those of users', async () => {
    const door = open();
    door.account.latency.set(1);
    for (let count = 1; count <= 100; count += 1) door.account.snapshot();
    await door.control.post('/snapshots', { id: 'page-undo-1' });
    door.account.customers.put({ id: 'later', name: 'Later' });
    expect(await listed(door)).toHaveLength(100);
    expect((await door.control.post('/snapshots/page-undo-1/restore')).status).toBe(200);
    expect(door.account.customers.get('later')).toBeUndefined();
    expect((await door.control.delete('/snapshots/page-undo-1')).status).toBe(200);
  });

  test('are listed in the order in which they were taken, and dropped one by one', async () => {
    const door = open();
    expect((await door.control.get('/snapshots')).body).toEqual({ snapshots: [] });
    for (const id of ['z', 'a', 'm']) door.account.snapshot(id);
    expect(await listed(door)).toEqual(['z', 'a', 'm']);
    const { status, body } = await door.control.delete('/snapshots/a');
    expect([status, body]).toEqual([200, { id: 'a' }]);
    expect(await listed(door)).toEqual(['z', 'm']);
    expect((await door.control.post('/snapshots/a/restore')).status).toBe(404);
    expect((await door.control.post('/snapshots/z/restore')).status).toBe(200);
    expect((await door.control.post('/snapshots')).body).toEqual({ id: '1' });
  });

  test('say when they were taken, whatever the clock of the account shows', async () => {
    const door = open();
    door.account.clock.freeze(THEN);
    const before = new Date().toISOString();
    door.account.snapshot('a');
    const after = new Date().toISOString();
    door.account.restore('a');
    const [{ takenAt }] = (await door.control.get('/snapshots')).body.snapshots;
    expect([before <= takenAt, takenAt <= after]).toEqual([true, true]);
  });

  test('refuse an id that is unknown, and say which there are', async () => {
    const door = open();
    door.account.snapshot('known');
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
      const door = open();
      expect((await door.control.post('/snapshots', body)).status).toBe(400);
      expect(await listed(door)).toEqual([]);
    },
  );

  test('answer a restore with what the account is from then on', async () => {
    const door = open();
    const { body: before } = await door.control.get('/account');
    door.account.snapshot('before');
    server.account(door.control.token).customers.put({ id: 'added' });
    const { body: between } = await door.control.get('/account');
    expect(between.customers).toBe(before.customers + 1);
    expect((await door.control.post('/snapshots/before/restore')).body).toEqual(before);
  });
});

test('of the snapshots by which pages undo, the latest twenty are kept beside all others', async () => {
  const door = open();
  door.account.snapshot('mine');
  for (let nth = 1; nth <= 25; nth += 1) door.account.snapshot(`page-undo-${nth}`);
  const restore = async (id: string) =>
    (await door.control.post(`/snapshots/${id}/restore`)).status;
  expect(await restore('page-undo-5')).toBe(404);
  expect(await restore('page-undo-6')).toBe(200);
  expect(await restore('page-undo-25')).toBe(200);
  expect(await listed(door)).toEqual(['mine']);
  door.account.snapshot('page-undo-6');
  expect(await restore('page-undo-7')).toBe(200);
});

describe('a reset', () => {
  test('brings back every part, the journal too', async () => {
    const [door, fresh] = [open(), open()];
    await arrange(door);
    await disturb(door);
    door.account.reset();
    const account = server.account(door.control.token);
    account.clock.freeze(THEN);
    server.account(fresh.control.token).clock.freeze(THEN);
    expect(await partsOf(door)).toEqual(await partsOf(fresh));
    expect(account.journal.list()).toEqual([]);

    await door.control.service.get('/customers/written');
    expect(account.journal.list()).toMatchObject([{ id: 1, path: '/customers/written' }]);
    expect(account.faults.add({ kind: 'delay', delayMs: 0 }).id).toBe(1);
  });

  test('forgets how far the journal had been evicted', async () => {
    const small = await createMockServer({ dataset: 'empty', journalSize: 1 });
    const door = open('t', small);
    for (let call = 0; call < 3; call += 1) await door.control.service.get('/measurements');
    expect(small.account('t').journal.evicted).toBe(2);
    door.account.reset();
    expect(small.account('t').journal.evicted).toBe(0);
    expect(small.account('t').journal.list()).toEqual([]);
  });

  test('of all resets every open account, and says how many', async () => {
    const small = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
    const doors = ['a', 'b', 'c'].map((token) => open(token, small));
    const fingerprint = small.account('a').fingerprint();
    for (const { control } of doors) {
      await control.service.delete(`/contracts/${CONTRACT}`);
      small.account(control.token).clock.freeze(THEN);
      small.account(control.token).decisions.change({ 'repeat-delete': 'gone' });
      small.account(control.token).faults.add({ kind: 'delay', delayMs: 0 });
      expect(small.account(control.token).fingerprint()).not.toBe(fingerprint);
    }
    expect(small.resetAll()).toBe(3);
    for (const { control } of doors) {
      const account = small.account(control.token);
      expect(account.fingerprint()).toBe(fingerprint);
      expect(account.journal.list()).toEqual([]);
      expect(account.clock.isFrozen).toBe(false);
      expect(account.decisions.inForce['repeat-delete']).toBe('not-found');
      expect(account.faults.list()).toEqual([]);
    }
  });
});

describe('POST /reset', () => {
  test.each([[undefined], [{}]])('with %j resets this account alone', async (body) => {
    const [door, other] = [open(), open()];
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
      const door = open();
      await door.control.service.delete(`/contracts/${CONTRACT}`);
      expect((await door.control.post('/reset', body)).status).toBe(400);
      expect((await door.control.service.delete(`/contracts/${CONTRACT}`)).status).toBe(404);
    },
  );
});
