import {
  type AccountControl,
  type AccountState,
  createMockServer,
  InvalidInputError,
  type MockServer,
} from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { writeFixture } from '../support/fixture.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const elsewhere = await createMockServer({ dataset: 'test/support/twelve-measurements.yaml' });
const RESOURCES = ['customers', 'contracts', 'measurements', 'events'] as const;
const NOW = '2030-01-02T03:04:05.000Z';

/** A new account, as the library shows it and through requests. */
function open(at: MockServer = server) {
  const control = controlOf(at);
  return { control, account: at.account(control.token) };
}

type Opened = ReturnType<typeof open>;

/** Changes everything in an account: deletes, adds, replaces and removes records. */
async function disturb({ control: { service }, account }: Opened): Promise<void> {
  account.clock.freeze(NOW);
  account.contracts.put({ id: 'added-contract', customerId: 'written' });
  account.customers.put({ id: 'added', name: 'Added', aliases: ['added-alias'] });
  account.customers.patch('written', { externalId: null, name: 'Renamed' });
  account.measurements.remove('B');
  account.measurements.put({ id: 'later', usageDate: { year: 2031, month: 1, day: 1 } });
  account.measurements.put({ id: 'sooner', usageDate: { year: 2001, month: 1, day: 1 } });
  account.events.put({ id: 'added-event', ref: 'added-ref', customerAlias: 'added-alias' });
  expect((await service.delete('/contracts/written-contract-1')).status).toBe(200);
  expect((await service.delete('/contracts/added-contract')).status).toBe(200);
  expect((await service.deleteEvents(['shared-ref', 'added-ref'])).body.events).toHaveLength(3);
}

/** The content of the account. */
function contentsOf({ account }: Opened): unknown {
  return [account.fingerprint(), ...RESOURCES.map((name) => account[name].list())];
}

/** The bytes of the service's responses about its records. */
async function responsesOf({ control: { service } }: Opened): Promise<string[]> {
  const paths = [
    '/customers/added',
    '/customers/name/Renamed',
    '/customers/written-external',
    '/measurements?limit=1000',
    '/measurements?limit=5',
  ];
  const responses = [];
  for (const path of paths) responses.push(await service.get(path));
  responses.push(await service.delete('/contracts/written-contract-1'));
  responses.push(await service.deleteEvents(['shared-ref', 'added-ref']));
  return responses.map(({ status, text }) => `${status} ${text}`);
}

describe('the state', () => {
  test('has every record that is listed, in the order of the list, tombstones included', async () => {
    const door = open();
    await disturb(door);
    const state = door.account.exportState();
    for (const name of RESOURCES) expect(state[name]).toEqual(door.account[name].list());
    expect(state.contracts).toContainEqual(
      expect.objectContaining({ id: 'written-contract-1', deletedAt: NOW }),
    );
    expect(state.measurements?.map(({ id }) => id)).not.toContain('B');
  });

  test('brings the account back to where it was, without loss', async () => {
    const door = open();
    await disturb(door);
    const [state, before] = [door.account.exportState(), contentsOf(door)];
    const responses = await responsesOf(door);

    door.account.customers.remove('added');
    door.account.contracts.patch('written-contract-1', { deletedAt: null });
    door.account.measurements.put({ id: 'B' });
    for (const { id } of door.account.events.list()) door.account.events.remove(id);
    expect(contentsOf(door)).not.toEqual(before);

    door.account.importState(state);
    expect(contentsOf(door)).toEqual(before);
    expect(door.account.exportState()).toEqual(state);
    expect(await responsesOf(door)).toEqual(responses);
  });

  test('makes another account the same', async () => {
    const [one, other] = [open(), open()];
    await disturb(one);
    await other.control.service.delete('/contracts/written-contract-2');
    for (const id of ['sooner', 'later']) other.account.measurements.put({ id });
    other.account.importState(one.account.exportState());
    expect(contentsOf(other)).toEqual(contentsOf(one));
    expect(await responsesOf(other)).toEqual(await responsesOf(one));
  });

  test('makes an account over another dataset hold the same records', async () => {
    const [one, other] = [open(), open(elsewhere)];
    await disturb(one);
    const state = one.account.exportState();
    other.account.importState(state);
    expect(other.account.fingerprint()).toBe(one.account.fingerprint());
    expect(other.account.exportState()).toEqual(state);
    const listing = '/measurements?limit=1000';
    expect((await other.control.service.get(listing)).text).toBe(
      (await one.control.service.get(listing)).text,
    );

    other.account.reset();
    expect(other.account.measurements.list()).toHaveLength(12);
  });

  test('is a dataset, as a file', async () => {
    const door = open();
    await disturb(door);
    const state = door.account.exportState();
    const dataset = writeFixture(JSON.stringify(state), `state-${door.control.token}.json`);
    const account = (await createMockServer({ dataset })).account('t');
    expect(account.exportState()).toEqual(state);
    expect(account.fingerprint()).toBe(door.account.fingerprint());
  });

  test('may leave lists, ids and stamps out, as a fixture may', async () => {
    const door = open();
    const state = { customers: [{ name: 'Alone' }], measurements: [] };
    door.account.importState(state);
    const fixture = writeFixture(JSON.stringify({ seed: 1, ...state }));
    const account = (await createMockServer({ dataset: fixture })).account('t');
    expect(door.account.exportState()).toEqual(account.exportState());
    expect(door.account.customers.list()).toHaveLength(1);
    expect(door.account.measurements.list()).toEqual([]);
    expect((await door.control.service.get('/customers/name/Alone')).status).toBe(200);
    expect((await door.control.service.get('/measurements')).body.total).toBe(0);
  });

  const good = { id: 'good', name: 'Good' };
  test.each([
    ['a wrong member', { customers: [good, { id: 'bad', name: 3 }] }, 'customers/1/name'],
    [
      'an unknown member',
      { contracts: [{ id: 'k', nmae: 'x' }] },
      "Unknown member 'nmae' in 'contracts/0'",
    ],
    ['an unknown list', { customers: [good], custumers: [] }, 'custumers'],
    ['an id given twice', { customers: [good, good] }, 'customers/1/id'],
    ['a list that is none', { customers: [good], events: {} }, 'events'],
    [
      'a day that no calendar has',
      { customers: [good], contracts: [{ startDate: '2026-02-30T00:00:00Z' }] },
      'contracts/0/startDate',
    ],
    ['a state that is a list', [good], 'expected an object'],
  ])('with %s is refused, and leaves the account as it was', async (_what, state, place) => {
    const door = open();
    await disturb(door);
    const before = contentsOf(door);
    const refused = () => door.account.importState(state as unknown as AccountState);
    expect(refused).toThrow(InvalidInputError);
    expect(refused).toThrow(place);
    expect(contentsOf(door)).toEqual(before);
  });

  test('leaves journal, clock, decisions, faults and snapshots alone', async () => {
    const door = open();
    const { account, control } = door;
    await disturb(door);
    account.decisions.change({ 'repeat-delete': 'gone' });
    account.faults.add({ kind: 'delay', delayMs: 1 });
    account.snapshot('before');
    const before = contentsOf(door);
    const count = account.journal.count();
    door.account.importState({ customers: [good] });
    expect(account.journal.count()).toBe(count);
    expect(account.clock.now().toISOString()).toBe(NOW);
    expect(account.decisions.inForce['repeat-delete']).toBe('gone');
    expect(account.faults.list()).toHaveLength(1);
    expect((await control.post('/snapshots/before/restore')).status).toBe(200);
    expect(contentsOf(door)).toEqual(before);
  });

  test('is a copy: what happens later does not change it', async () => {
    const door = open();
    const state = door.account.exportState();
    const copy = JSON.stringify(state);
    await disturb(door);
    expect(JSON.stringify(state)).toBe(copy);
    door.account.importState(state);
    expect(contentsOf(door)).toEqual(contentsOf(open()));
  });
});

test('importState lists the first 20 mistakes', () => {
  const { account } = open();
  const customers = Array.from({ length: 150 }, (_, index) => ({ id: `c${index}`, name: 1 }));
  try {
    account.importState({ customers } as unknown as AccountState);
  } catch (error) {
    expect((error as InvalidInputError).mistakes).toHaveLength(20);
  }
  expect.hasAssertions();
});

test('importState changes what differs, and nothing else', async () => {
  const source = server.account('source-of-one-change');
  source.customers.put({ id: 'c-new', name: 'Initech' });
  const control = controlOf(server);
  server.account(control.token).importState(source.exportState());
  const { body } = await control.get('/changes');
  expect(body.changes).toEqual([expect.objectContaining({ id: 'c-new' })]);
});

test('importState takes a copy, which nobody can change', () => {
  const { account } = open();
  const aliases = ['one'];
  account.importState({ customers: [{ id: 'own', aliases }] } as unknown as AccountState);
  aliases.push('other');
  const kept = account.customers.get('own')?.aliases as string[];
  expect(kept).toEqual(['one']);
  expect(() => kept.push('other')).toThrow(TypeError);
});

describe('PUT /state', () => {
  test('answers with what the account is from then on', async () => {
    const { control, account } = open();
    const state = { customers: [{ id: 'a' }, { id: 'b' }], events: [{ id: 'e' }] };
    const { body } = await control.put('/state', state);
    expect(body).toEqual({
      name: expect.any(String),
      dataset: (await controlOf(server).get('/account')).body.dataset,
      fingerprint: account.fingerprint(),
      changed: ['records'],
      customers: 2,
      contracts: 0,
      measurements: 0,
      events: 1,
    });
    expect((await control.get('/account')).body).toEqual(body);
  });
});

describe('the fingerprint', () => {
  type Way = (account: AccountControl, door: Opened) => unknown;

  /** The fingerprint of a new account after these changes, which both doors must agree on. */
  async function fingerprintOf(way: Way): Promise<string> {
    const door = open();
    door.account.clock.freeze(NOW);
    await way(door.account, door);
    const { fingerprint } = (await door.control.get('/account')).body;
    expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(door.account.fingerprint()).toBe(fingerprint);
    return fingerprint;
  }

  const nothing: Way = () => {};
  const first = 'written-contract-1';
  const second = 'written-contract-2';
  const deleteBoth: Way = async (_account, { control: { service } }) => {
    await service.delete(`/contracts/${first}`);
    await service.delete(`/contracts/${second}`);
  };

  const alike: readonly [string, Way, Way][] = [
    [
      'deletions in another order',
      deleteBoth,
      async (_account, { control: { service } }) => {
        await service.delete(`/contracts/${second}`);
        await service.delete(`/contracts/${first}`);
      },
    ],
    [
      'tombstones that a test puts',
      deleteBoth,
      ({ contracts }) => {
        for (const id of [first, second]) contracts.patch(id, { deletedAt: NOW });
      },
    ],
    [
      'a record put and taken back',
      nothing,
      ({ customers }) => {
        customers.put({ id: 'passing', name: 'Passing' });
        customers.remove('passing');
      },
    ],
    [
      'a record taken away and put back',
      nothing,
      ({ events }) => {
        const event = events.get('written-event-1');
        events.remove('written-event-1');
        events.put(event ?? { id: '' });
      },
    ],
    [
      'a deletion that is taken back',
      nothing,
      async ({ contracts }, { control: { service } }) => {
        await service.delete(`/contracts/${first}`);
        contracts.patch(first, { deletedAt: null });
      },
    ],
    [
      'records added in another order',
      ({ customers }) => ['a', 'b'].map((id) => customers.put({ id })),
      ({ customers }) => ['b', 'a'].map((id) => customers.put({ id })),
    ],
    [
      'members in another order, at any depth',
      ({ customers }) => customers.put({ id: 'a', name: 'A', address: { city: 'C', state: 'S' } }),
      ({ customers }) => customers.put({ address: { state: 'S', city: 'C' }, name: 'A', id: 'a' }),
    ],
    ['a reset', nothing, (account, door) => disturb(door).then(() => account.reset())],
    [
      'its own state imported',
      (_account, door) => disturb(door),
      async (account, door) => {
        await disturb(door);
        const state = account.exportState();
        account.reset();
        account.importState(state);
      },
    ],
    [
      'other time, decisions, faults, requests and snapshots',
      nothing,
      async (account, { control: { service } }) => {
        account.clock.advance(5);
        account.decisions.change({ 'success-status': 202 });
        account.faults.add({ kind: 'delay', delayMs: 0 });
        account.snapshot();
        await service.get('/measurements');
      },
    ],
  ];
  test.each(alike)('is the same after %s', async (_what, one, other) => {
    expect(await fingerprintOf(other)).toBe(await fingerprintOf(one));
  });

  test('is that of an account to which most of the generated records were imported', async () => {
    const generate = 'generate: { customers: 1, eventsPerCustomer: 14 }';
    const generated = await createMockServer({ dataset: writeFixture(generate) });
    const [changed, given, untouched] = [open(generated), open(generated), open(generated)];
    const [, last, ...others] = changed.account.events.list();
    for (const { id } of others) changed.account.events.remove(id);
    expect((await changed.control.delete(`/events/${last?.id}`)).status).toBe(200);
    given.account.importState(changed.account.exportState());
    expect(given.account.fingerprint()).toBe(changed.account.fingerprint());
    expect(given.account.fingerprint()).not.toBe(untouched.account.fingerprint());
  });

  test('is another whenever anything is', async () => {
    const ways: Way[] = [
      nothing,
      deleteBoth,
      async (_account, { control: { service } }) => service.delete(`/contracts/${first}`),
      async (_account, { control: { service } }) => service.delete(`/contracts/${second}`),
      ({ contracts }) => contracts.remove(first),
      ({ contracts }) => contracts.patch(first, { deletedAt: STAMPS[0] }),
      ({ customers }) => customers.put({ id: 'a', ...stamped(0) }),
      ({ customers }) => customers.put({ id: 'a', ...stamped(1) }),
      ({ customers }) => customers.put({ id: 'b', ...stamped(0) }),
      ({ events }) => events.put({ id: 'a', ...stamped(0) }),
      ({ contracts }) => contracts.put({ id: 'a', ...stamped(0) }),
      ({ customers }) => customers.put({ id: 'a', name: '', ...stamped(0) }),
      ({ customers }) => customers.put({ id: 'a', aliases: [], ...stamped(0) }),
      ({ customers }) => customers.put({ id: 'a', aliases: ['x', 'y'], ...stamped(0) }),
      ({ customers }) => customers.put({ id: 'a', aliases: ['y', 'x'], ...stamped(0) }),
      ({ customers }) => customers.put({ id: 'a', address: { city: 'x' }, ...stamped(0) }),
      ({ customers }) => customers.put({ id: 'a', address: { state: 'x' }, ...stamped(0) }),
      ({ measurements }) => measurements.patch('a', { value: 2.5 }),
      ({ measurements }) => measurements.patch('a', { value: -2 }),
      ({ measurements }) => measurements.patch('a', { usageDate: { day: 3 } }),
      (account) => account.importState({}),
    ];
    const fingerprints = [];
    for (const way of ways) fingerprints.push(await fingerprintOf(way));
    expect(new Set(fingerprints).size).toBe(ways.length);
  });

  const STAMPS = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'] as const;
  function stamped(nth: 0 | 1) {
    return { createdAt: STAMPS[nth], updatedAt: STAMPS[nth] };
  }
});
