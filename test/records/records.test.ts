import {
  createMockServer,
  FixtureError,
  InvalidInputError,
  type Records,
  type ResourceName,
  UnknownIdError,
} from '../../src/index.js';
import { type Control, controlOf } from '../support/control.js';
import { writeFixture } from '../support/fixture.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const STAMP = '2026-01-01T00:00:00.000Z';

/** A record as it was answered, or the kind of the problem and its words. */
interface Outcome {
  readonly record?: object;
  readonly refused?: string;
  readonly words?: string;
}

/** The records of one collection, whatever the door. */
interface Door {
  readonly control: Control;
  create(record: object): Promise<Outcome>;
  read(id: string): Promise<Outcome>;
  put(id: string, record: object): Promise<Outcome>;
  patch(id: string, changes: object): Promise<Outcome>;
  remove(id: string): Promise<Outcome>;
}

function overHttp(name: ResourceName): Door {
  const control = controlOf(server);
  const one = (id: string) => `/${name}/${encodeURIComponent(id)}`;
  async function outcomeOf(call: ReturnType<Control['get']>): Promise<Outcome> {
    const { ok, body } = await call;
    return ok ? { record: body } : { refused: body.type.split(':').at(-1), words: body.detail };
  }
  return {
    control,
    create: (record) => outcomeOf(control.post(`/${name}`, record)),
    read: (id) => outcomeOf(control.get(one(id))),
    put: (id, record) => outcomeOf(control.put(one(id), record)),
    patch: (id, changes) => outcomeOf(control.patch(one(id), changes)),
    remove: (id) => outcomeOf(control.delete(one(id))),
  };
}

function throughTheLibrary(name: ResourceName): Door {
  const control = controlOf(server);
  const records = server.account(control.token)[name] as Records<ResourceName>;
  async function outcomeOf(act: () => object | undefined | false): Promise<Outcome> {
    try {
      const record = act();
      return record ? { record } : { refused: 'unknown-identifier' };
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof InvalidInputError) return { refused: 'invalid-request', words: message };
      if (error instanceof UnknownIdError) return { refused: 'unknown-identifier', words: message };
      throw error;
    }
  }
  return {
    control,
    create: (record) => outcomeOf(() => records.add(record)),
    read: (id) => outcomeOf(() => records.get(id)),
    put: (id, record) => outcomeOf(() => records.put({ id, ...record })),
    patch: (id, changes) => outcomeOf(() => records.patch(id, changes)),
    remove: (id) =>
      outcomeOf(() => {
        const record = records.get(id);
        return records.remove(id) && record;
      }),
  };
}

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
  /** What the service's own operations answer of the record 'x'. */
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
    words: [
      'expected a string',
      'expected a value in the format email',
      'expected no member of this name',
    ],
    served: async ({ service }) => (await service.get('/customers/x')).body.customer,
  },
  {
    name: 'contracts',
    known: 'written-contract-1',
    record: { customerId: 'written', name: 'Initech 2026', startDate: STAMP },
    patch: { name: null, endDate: '2026-12-31T00:00:00.000Z' },
    patched: { customerId: 'written', startDate: STAMP, endDate: '2026-12-31T00:00:00.000Z' },
    wrong: { products: [{ pricing: { price: 'free' } }], startDate: 'soon', nmae: 'x' },
    words: [
      'expected a number',
      'expected a value in the format date-time',
      'expected no member of this name',
    ],
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
    words: ['expected a number', 'expected no member of this name', 'expected a string'],
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
    words: [
      'expected a string',
      'expected a value in the format date-time',
      'expected no member of this name',
    ],
    served: async ({ service }) => {
      const [event] = (await service.deleteEvents(['tps-report'])).body.events;
      const { deletedAt, ...before } = event;
      return before;
    },
  },
];

const CASES = SAMPLES.flatMap((sample) => [
  [sample.name, 'over HTTP', sample, overHttp] as const,
  [sample.name, 'through the library', sample, throughTheLibrary] as const,
]);

/** All that the account has; a refusal must leave it as it is. */
function stateOf({ control }: Door): unknown {
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
      '/__control/customers, /__control/contracts, /__control/measurements, /__control/events',
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

describe.each(CASES)('the records of %s %s', (name, _words, sample, open) => {
  const { known, record, patch, patched } = sample;

  test('a record that is created is kept with stamps of now, and served', async () => {
    const door = open(name);
    server.account(door.control.token).clock.freeze('2030-01-02T03:04:05.000Z');
    const now = '2030-01-02T03:04:05.000Z';
    const kept = { id: 'x', ...record, createdAt: now, updatedAt: now };
    expect(await door.create({ id: 'x', ...record })).toEqual({ record: kept });
    expect(await door.read('x')).toEqual({ record: kept });
    expect(await sample.served(door.control)).toEqual(kept);
  });

  test('an id that is left out is made, and is another each time', async () => {
    const door = open(name);
    const ids = [];
    for (let count = 0; count < 3; count += 1) {
      const { record: kept } = await door.create(record);
      const { id } = kept as { id: string };
      expect(id).toMatch(/^[0-9a-f]{24}$/);
      expect(await door.read(id)).toEqual({ record: kept });
      ids.push(id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  test('a record that is put is added or replaces the one with its id whole', async () => {
    const door = open(name);
    const stamps = { createdAt: STAMP, updatedAt: '2026-02-01T00:00:00.000Z' };
    await door.put('x', { ...patched, ...stamps });
    const kept = { id: 'x', ...record, ...stamps };
    expect(await door.put('x', { ...record, ...stamps })).toEqual({ record: kept });
    expect(await door.read('x')).toEqual({ record: kept });
    expect(await sample.served(door.control)).toEqual(kept);
    expect(await door.put(known, stamps)).toEqual({ record: { id: known, ...stamps } });
    expect(await door.read(known)).toEqual({ record: { id: known, ...stamps } });
  });

  test('a patch changes the members it names, takes away those that are null, and is served', async () => {
    const door = open(name);
    await door.put('x', { ...record, createdAt: STAMP });
    const kept = { id: 'x', ...patched, createdAt: STAMP, updatedAt: STAMP };
    expect(await door.patch('x', patch)).toEqual({ record: kept });
    expect(await door.read('x')).toEqual({ record: kept });
    expect(await door.patch('x', {})).toEqual({ record: kept });
  });

  test('a patch cannot change the id', async () => {
    const door = open(name);
    const before = stateOf(door);
    for (const id of ['other', null, 3]) {
      const { refused } = await door.patch(known, { id });
      expect(refused).toBe('invalid-request');
    }
    expect((await door.patch(known, { id: 'other' })).words).toContain(`'${known}', unchanged`);
    expect(stateOf(door)).toEqual(before);
    expect((await door.patch(known, { id: known })).refused).toBeUndefined();
  });

  test('a record that is removed is gone without a tombstone', async () => {
    const door = open(name);
    const { record: before } = await door.read(known);
    expect(before).toMatchObject({ id: known });
    expect(await door.remove(known)).toEqual({ record: before });
    expect((await door.read(known)).refused).toBe('unknown-identifier');
    expect((await door.remove(known)).refused).toBe('unknown-identifier');
    const listed = server.account(door.control.token)[name].list();
    expect(listed.map(({ id }) => id)).not.toContain(known);
  });

  test('an id that no record has is refused, and nothing changes', async () => {
    const door = open(name);
    const before = stateOf(door);
    for (const id of ['nobody', `${known} `, known.toUpperCase(), 'a/b']) {
      expect((await door.read(id)).refused).toBe('unknown-identifier');
      expect((await door.patch(id, {})).refused).toBe('unknown-identifier');
      expect((await door.remove(id)).refused).toBe('unknown-identifier');
    }
    expect(stateOf(door)).toEqual(before);
  });

  test('an id may have any characters', async () => {
    const door = open(name);
    for (const id of ['a/b', '100%', 'ü ~', '..']) {
      const { record: kept } = await door.create({ id, createdAt: STAMP });
      expect(kept).toEqual({ id, createdAt: STAMP, updatedAt: STAMP });
      if (id === '..') continue;
      expect(await door.read(id)).toEqual({ record: kept });
      expect(await door.remove(id)).toEqual({ record: kept });
    }
  });

  test('unknown and wrong members are refused in the words of fixtures, and nothing changes', async () => {
    const door = open(name);
    const before = stateOf(door);
    const outcomes = [
      await door.create(sample.wrong),
      await door.put('x', sample.wrong),
      await door.patch(known, sample.wrong),
    ];
    const dataset = writeFixture(JSON.stringify({ [name]: [sample.wrong] }));
    const refusal = await createMockServer({ dataset }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FixtureError);
    for (const words of sample.words) {
      expect((refusal as FixtureError).message).toContain(words);
      for (const outcome of outcomes) {
        expect(outcome.refused).toBe('invalid-request');
        expect(outcome.words).toContain(words);
      }
    }
    expect(stateOf(door)).toEqual(before);
  });

  test('a day that no calendar has is refused as in a fixture', async () => {
    const door = open(name);
    const before = stateOf(door);
    const { refused, words } = await door.create({ createdAt: '2026-02-30T00:00:00.000Z' });
    expect(refused).toBe('invalid-request');
    expect(words).toContain('expected a value in the format date-time');
    expect(stateOf(door)).toEqual(before);
  });

  test('what one account writes is nothing to another', async () => {
    const [one, other] = [open(name), open(name)];
    const before = stateOf(other);
    await one.create({ id: 'x', ...record });
    await one.patch(known, patch);
    await one.remove(known);
    expect(stateOf(other)).toEqual(before);
  });
});

describe('a record that the service has deleted', () => {
  test.each([
    ['contracts', 'written-contract-1', overHttp],
    ['contracts', 'written-contract-1', throughTheLibrary],
    ['events', 'written-event-1', overHttp],
    ['events', 'written-event-1', throughTheLibrary],
  ] as const)('of %s is read with the time of its deletion', async (name, id, open) => {
    const door = open(name);
    const { record } = await door.read(id);
    server.account(door.control.token).clock.freeze('2030-01-02T03:04:05.000Z');
    await door.control.service.delete(`/contracts/${id}`);
    await door.control.service.deleteEvents(['shared-ref']);
    const tombstone = { ...record, deletedAt: '2030-01-02T03:04:05.000Z' };
    expect(await door.read(id)).toEqual({ record: tombstone });

    // Without that time it is there again.
    await door.patch(id, { deletedAt: null });
    expect(await door.read(id)).toEqual({ record });
    const deleted = await door.control.service.delete('/contracts/written-contract-1');
    const events = await door.control.service.deleteEvents(['shared-ref']);
    const again = name === 'contracts' ? [deleted.body.contract] : events.body.events;
    expect(again).toContainEqual(tombstone);
  });
});

describe('over HTTP alone', () => {
  test.each(SAMPLES)('an id of $name that is taken is refused with 409', async (sample) => {
    const { name, known, record } = sample;
    const door = overHttp(name);
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
      const door = overHttp(name);
      const before = stateOf(door);
      const response = await door.control.put(`/${name}/x`, { ...record, id: 'y' });
      expect(response.status).toBe(400);
      expect(response.body.detail).toContain(`'x', as in the path; received "y"`);
      expect(stateOf(door)).toEqual(before);
      expect((await door.control.put(`/${name}/x`, { ...record, id: 'x' })).status).toBe(200);
    },
  );

  test.each([[[]], ['text'], [3], [true], [null]])('the body %j is no record', async (body) => {
    const door = overHttp('customers');
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
