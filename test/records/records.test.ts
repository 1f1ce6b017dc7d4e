import {
  createMockServer,
  InvalidInputError,
  type Records,
  type ResourceName,
  UnknownIdError,
} from '../../src/index.js';
import { type Control, controlOf } from '../support/control.js';
import { writeFixture } from '../support/fixture.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const STAMP = '2026-01-01T00:00:00.000Z';

/** The records of one collection in a new account. */
function open(name: ResourceName) {
  const control = controlOf(server);
  return { control, records: server.account(control.token)[name] as Records<ResourceName> };
}

type Opened = ReturnType<typeof open>;

interface Sample {
  readonly name: ResourceName;
  /** A record of the dataset. */
  readonly known: string;
  readonly record: object;
  readonly patch: object;
  readonly patched: object;
  /** A body with mistakes, and each of them in words. */
  readonly wrong: object;
  readonly words: readonly string[];
  /** What the service's own operations show of the record 'x'. */
  readonly served: (control: Control) => Promise<object | undefined>;
}

const SAMPLES: readonly Sample[] = [
  {
    name: 'customers',
    known: 'written',
    record: { name: 'Initech', aliases: ['initech'], address: { country: 'US', city: 'Austin' } },
    patch: { name: 'Initrode', aliases: null, address: { city: null, state: 'TX' } },
    patched: { name: 'Initrode', address: { country: 'US', state: 'TX' } },
    wrong: { name: 3, contacts: [{ email: 'nobody' }], shoeSize: 44 },
    words: ['expected a string', 'expected a value in the format email', 'Unknown member'],
    served: async ({ service }) => (await service.get('/customers/x')).body.customer,
  },
  {
    name: 'contracts',
    known: 'written-contract-1',
    record: { customerId: 'written', name: 'Initech 2026', startDate: STAMP },
    patch: { name: null, endDate: '2026-12-31T00:00:00.000Z' },
    patched: { customerId: 'written', startDate: STAMP, endDate: '2026-12-31T00:00:00.000Z' },
    wrong: { products: [{ pricing: { price: 'free' } }], startDate: 'soon', nmae: 'x' },
    words: ['expected a number', 'expected a value in the format date-time', 'Unknown member'],
    served: async ({ service }) => {
      const { deletedAt, ...contract } = (await service.delete('/contracts/x')).body.contract;
      return contract;
    },
  },
  {
    name: 'measurements',
    known: 'year-alone',
    record: { customerId: 'written', usageDate: { year: 2026, month: 1, day: 31 }, value: 12 },
    patch: { value: 13, customerId: null, usageDate: { day: null } },
    patched: { usageDate: { year: 2026, month: 1 }, value: 13 },
    wrong: { value: 'much', usageDate: { hour: 1 }, meterId: [] },
    words: ['expected a number', 'Unknown member', 'expected a string'],
    served: async ({ service }) => {
      const { measurements } = (await service.get('/measurements?limit=1000')).body;
      return measurements.find(({ id }: { id: string }) => id === 'x');
    },
  },
  {
    name: 'events',
    known: 'written-event-1',
    record: { customerAlias: 'written-alias', ref: 'tps-report', data: { units: '3', kind: 'a' } },
    patch: { customerAlias: null, data: { units: '4', kind: null } },
    patched: { ref: 'tps-report', data: { units: '4' } },
    wrong: { ref: {}, timestamp: 'soon', dta: {} },
    words: ['expected a string', 'expected a value in the format date-time', 'Unknown member'],
    served: async ({ service }) => {
      const [event] = (await service.deleteEvents(['tps-report'])).body.events;
      const { deletedAt, ...before } = event;
      return before;
    },
  },
];

/** The whole account, which a refusal must not change. */
function stateOf({ control }: Opened): unknown {
  const account = server.account(control.token);
  return [account.exportState(), account.fingerprint()];
}

test('a patch that has an object in the place of a text is refused with that object', async () => {
  const control = controlOf(server);
  await control.put('/customers/x', { name: 'Initech' });
  const { body } = await control.patch('/customers/x', { name: { first: 'I' } });
  expect(body.errors).toEqual([
    expect.objectContaining({ pointer: '/name', received: { first: 'I' } }),
  ]);
});

test('an account has four collections: any other is an unknown path', async () => {
  const control = controlOf(server);
  for (const path of ['/invoices', '/%63ustomers', '/{collection}', '/invoices/1']) {
    const { status, body } = await control.get(path);
    expect([path, status, body.type.split(':').at(-1)]).toEqual([path, 404, 'unknown-path']);
    expect(body.detail).toContain(
      'Expected one that GET /__control/control.openapi.json describes.',
    );
  }
  const { body } = await control.delete('/customers');
  expect(body.detail).toBe(
    '/__control/customers was called with DELETE; expected GET (listRecords) or POST (createRecord). The control plane has no other operation at this path.',
  );
});

test('a collection takes no id of something else', async () => {
  const control = controlOf(server);
  const taken = await control.post('/snapshots', { id: 'c1' });
  expect(taken.status).toBe(201);
  expect((await control.delete('/snapshots/c1')).body).toEqual({ id: 'c1' });
  expect((await control.get('/requests/count')).status).toBe(405);
  expect((await control.post('/accounts/reset')).status).toBe(200);
});

describe.each(SAMPLES)('the records of $name', (sample) => {
  const { name, known, record, patch, patched } = sample;

  test('a record that is added is kept with stamps of now, and served', async () => {
    const { control, records } = open(name);
    const now = '2030-01-02T03:04:05.000Z';
    server.account(control.token).clock.freeze(now);
    const kept = { id: 'x', ...record, createdAt: now, updatedAt: now };
    expect(records.add({ id: 'x', ...record })).toEqual(kept);
    expect(records.get('x')).toEqual(kept);
    expect(await sample.served(control)).toEqual(kept);
  });

  test('an id that is left out is made, and is another each time', () => {
    const { records } = open(name);
    const ids = [0, 1, 2].map(() => records.add(record).id);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(new Set(ids).size).toBe(3);
  });

  test('a record that is put is added or replaces the one with its id whole', async () => {
    const { control, records } = open(name);
    const stamps = { createdAt: STAMP, updatedAt: '2026-02-01T00:00:00.000Z' };
    records.put({ id: 'x', ...patched, ...stamps });
    const kept = { id: 'x', ...record, ...stamps };
    expect(records.put(kept)).toEqual(kept);
    expect(await sample.served(control)).toEqual(kept);
    records.put({ id: known, ...stamps });
    expect(records.get(known)).toEqual({ id: known, ...stamps });
  });

  test('a patch changes the members it names, and takes away those that are null', () => {
    const { records } = open(name);
    records.put({ id: 'x', ...record, createdAt: STAMP });
    const kept = { id: 'x', ...patched, createdAt: STAMP, updatedAt: STAMP };
    expect(records.patch('x', patch)).toEqual(kept);
    expect(records.patch('x', {})).toEqual(kept);
  });

  test('a patch cannot change the id', () => {
    const opened = open(name);
    const before = stateOf(opened);
    for (const id of ['other', null, 3]) {
      const refused = () => opened.records.patch(known, { id } as object);
      expect(refused).toThrow(InvalidInputError);
      expect(refused).toThrow(`'${known}', unchanged`);
    }
    expect(stateOf(opened)).toEqual(before);
    expect(opened.records.patch(known, { id: known })).toHaveProperty('id', known);
  });

  test('a record that is removed is gone without a tombstone', () => {
    const { records } = open(name);
    expect([records.remove(known), records.remove(known)]).toEqual([true, false]);
    expect(records.get(known)).toBeUndefined();
    expect(records.list().map(({ id }) => id)).not.toContain(known);
  });

  test('an id that no record has is refused, and nothing changes', () => {
    const opened = open(name);
    const before = stateOf(opened);
    for (const id of ['nobody', `${known} `, known.toUpperCase(), 'a/b']) {
      expect([opened.records.get(id), opened.records.remove(id)]).toEqual([undefined, false]);
      expect(() => opened.records.patch(id, {})).toThrow(UnknownIdError);
    }
    expect(stateOf(opened)).toEqual(before);
  });

  test('unknown and wrong members are refused in the words of fixtures, and nothing changes', async () => {
    const opened = open(name);
    const before = stateOf(opened);
    const dataset = writeFixture(JSON.stringify({ [name]: [sample.wrong] }));
    const refusals = [
      () => opened.records.add(sample.wrong),
      () => opened.records.put({ id: 'x', ...sample.wrong }),
      () => opened.records.patch(known, sample.wrong),
    ];
    for (const words of sample.words) {
      await expect(createMockServer({ dataset })).rejects.toThrow(words);
      for (const refused of refusals) {
        expect(refused).toThrow(InvalidInputError);
        expect(refused).toThrow(words);
      }
    }
    expect(stateOf(opened)).toEqual(before);
  });

  test('a day that no calendar has is refused as in a fixture', () => {
    const opened = open(name);
    const before = stateOf(opened);
    const refused = () => opened.records.add({ createdAt: '2026-02-30T00:00:00.000Z' });
    expect(refused).toThrow('expected a value in the format date-time');
    expect(stateOf(opened)).toEqual(before);
  });

  test('what one account writes is nothing to another', () => {
    const [{ records }, other] = [open(name), open(name)];
    const before = stateOf(other);
    records.add({ id: 'x', ...record });
    records.patch(known, patch);
    records.remove(known);
    expect(stateOf(other)).toEqual(before);
  });
});

test.each([
  ['contracts', 'written-contract-1'],
  ['events', 'written-event-1'],
] as const)(
  'a record of %s that the service has deleted has the time of that',
  async (name, id) => {
    const { control, records } = open(name);
    const record = records.get(id);
    server.account(control.token).clock.freeze('2030-01-02T03:04:05.000Z');
    await control.service.delete(`/contracts/${id}`);
    await control.service.deleteEvents(['shared-ref']);
    const tombstone = { ...record, deletedAt: '2030-01-02T03:04:05.000Z' };
    expect(records.get(id)).toEqual(tombstone);

    // Without the time of deletion, the record exists again.
    expect(records.patch(id, { deletedAt: null })).toEqual(record);
    const deleted = await control.service.delete('/contracts/written-contract-1');
    const events = await control.service.deleteEvents(['shared-ref']);
    const again = name === 'contracts' ? [deleted.body.contract] : events.body.events;
    expect(again).toContainEqual(tombstone);
  },
);

describe('over HTTP alone', () => {
  test.each(SAMPLES)('an id of $name that is taken is refused with 409', async (sample) => {
    const { name, known, record } = sample;
    const door = open(name);
    const before = stateOf(door);
    const response = await door.control.post(`/${name}`, { id: known, ...record });
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      type: 'urn:usage-billing-mock:problem:conflict',
      detail: expect.stringContaining(`'${known}'`),
    });
    expect(stateOf(door)).toEqual(before);
  });

  test.each(SAMPLES)(
    '$name answer 201 to what creates, 200 to what changes',
    async ({ name, record }) => {
      const control = controlOf(server);
      const statuses = [
        (await control.post(`/${name}`, { id: 'x', ...record })).status,
        (await control.put(`/${name}/x`, record)).status,
        (await control.patch(`/${name}/x`, {})).status,
        (await control.get(`/${name}/x`)).status,
        (await control.delete(`/${name}/x`)).status,
        (await control.get(`/${name}/x`)).status,
        (await control.patch(`/${name}/x`, {})).status,
        (await control.delete(`/${name}/x`)).status,
      ];
      expect(statuses).toEqual([201, 200, 200, 200, 200, 404, 404, 404]);
    },
  );

  test.each(SAMPLES)(
    'an id of $name in the body must be that in the path',
    async ({ name, record }) => {
      const door = open(name);
      const before = stateOf(door);
      const response = await door.control.put(`/${name}/x`, { ...record, id: 'y' });
      expect(response.status).toBe(400);
      expect(response.body.detail).toContain(`'id' is "y"; expected 'x', as in the path`);
      expect(stateOf(door)).toEqual(before);
      expect((await door.control.put(`/${name}/x`, { ...record, id: 'x' })).status).toBe(200);
    },
  );

  test.each([[[]], ['text'], [3], [true], [null]])('the body %j is no record', async (body) => {
    const door = open('customers');
    const before = stateOf(door);
    const statuses = [
      (await door.control.post('/customers', body)).status,
      (await door.control.put('/customers/x', body)).status,
      (await door.control.patch('/customers/written', body)).status,
    ];
    expect(statuses).toEqual([400, 400, 400]);
    expect(stateOf(door)).toEqual(before);
  });

  test('every mistake is pointed at', async () => {
    const { body } = await controlOf(server).post('/customers', SAMPLES[0]?.wrong);
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers.sort()).toEqual(['/contacts/0/email', '/name', '/shoeSize']);
  });
});

describe('a usage date that no calendar has', () => {
  const wrong = { id: 'm1', usageDate: { year: 2026, month: 2, day: 30 } };
  const right = { id: 'm1', usageDate: { year: 2028, month: 2, day: 29 } };

  test('is refused by every door, which says what was expected', async () => {
    const { control, records } = open('measurements');
    await control.put('/measurements/m1', right).expect(200);
    for (const [call, pointer] of [
      [control.put('/measurements/m1', wrong), '/usageDate'],
      [control.post('/measurements', { ...wrong, id: 'm2' }), '/usageDate'],
      [control.patch('/measurements/m1', { usageDate: { day: 30 } }), '/usageDate'],
      [control.put('/state', { measurements: [right, wrong] }), '/measurements/1/usageDate'],
    ] as const) {
      const { status, body } = await call;
      expect(status).toBe(400);
      expect(body.errors).toContainEqual(
        expect.objectContaining({ pointer, expected: 'a day in the calendar' }),
      );
    }
    expect(() => records.put(wrong)).toThrow('a day in the calendar');
    expect(records.get('m1')).toMatchObject(right);
  });

  test('is shown how it is written if it is a text', () => {
    const text = { id: 'm1', usageDate: '2026-02-03' };
    expect(() => open('measurements').records.put(text)).toThrow(
      `'usageDate' is "2026-02-03"; expected an object such as {"year":2025,"month":12,"day":31}.`,
    );
  });

  test('is not looked for in other records, which have no such member', async () => {
    const customer = { id: 'c1', name: 'Initech', usageDate: wrong.usageDate };
    const { body } = await controlOf(server).put('/customers/c1', customer);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer: '/usageDate', expected: 'a known member' }),
    ]);
  });
});

test('a record is read as the dataset has it, whatever has changed since', async () => {
  const { contracts } = server.account('diff-token');
  const [before] = contracts.list();
  const control = controlOf(server, 'diff-token');
  const read = () => control.get(`/contracts/${before?.id}?of=dataset`);
  contracts.patch(String(before?.id), { name: 'Initech 2030' });
  expect((await read()).body).toEqual(before);
  contracts.remove(String(before?.id));
  expect((await read()).body).toEqual(before);
  contracts.put({ id: 'k-new', customerId: 'c1' });
  expect((await control.get('/contracts/k-new?of=dataset')).status).toBe(404);
});
