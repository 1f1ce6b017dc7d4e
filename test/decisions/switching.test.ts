import { createMockServer, InvalidInputError } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const CONTRACT = '/contracts/written-contract-1';

/** An account that no other test has. */
function open() {
  const control = controlOf(server);
  return { control, decisions: server.account(control.token).decisions };
}

type Opened = ReturnType<typeof open>;

/** The statuses of success in the document in force, by operation. */
async function successesOf({ control }: Opened): Promise<Record<string, string[]>> {
  const { paths } = (await control.get('/openapi.json')).body;
  const successOf = ({ responses }: { responses: object }) =>
    Object.keys(responses).filter((status) => status.startsWith('2'));
  return {
    deleteContract: successOf(paths['/contracts/{contractId}']?.delete ?? { responses: {} }),
    deleteEventsByRefs: successOf(paths['/events/delete-by-refs']?.post ?? { responses: {} }),
    getCustomer: successOf(paths['/customers/{customerId}']?.get ?? { responses: {} }),
  };
}

describe('the decisions of an account', () => {
  test('act for this account alone', async () => {
    const [door, other] = [open(), open()];
    const before = other.decisions.inForce;
    expect(before).toMatchObject({ 'repeat-delete': 'not-found', 'success-status': 200 });
    door.decisions.change({ 'repeat-delete': 'gone' });
    expect(door.decisions.inForce).toEqual({ ...before, 'repeat-delete': 'gone' });
    expect(other.decisions.inForce).toEqual(before);

    for (const { control } of [door, other]) await control.service.delete(CONTRACT);
    expect((await door.control.service.delete(CONTRACT)).status).toBe(410);
    expect((await other.control.service.delete(CONTRACT)).status).toBe(404);
  });

  test('stay but for those that are named', () => {
    const door = open();
    const before = door.decisions.inForce;
    door.decisions.change({ 'repeat-delete': 'gone', 'total-counts': 'page' });
    door.decisions.change({ 'total-counts': 'all', 'success-status': '201' as unknown as 201 });
    door.decisions.change({});
    const after = { ...before, 'repeat-delete': 'gone', 'success-status': 201 };
    expect(door.decisions.inForce).toEqual(after);
  });

  test('change the document in force, and the responses with it', async () => {
    const [door, other] = [open(), open()];
    const usual = {
      deleteContract: ['200'],
      deleteEventsByRefs: ['200'],
      getCustomer: ['200'],
    };
    expect(await successesOf(door)).toEqual(usual);
    door.decisions.change({ 'success-status': 202 });
    expect(await successesOf(door)).toEqual({
      deleteContract: ['202'],
      deleteEventsByRefs: ['202'],
      getCustomer: ['200'],
    });
    expect(await successesOf(other)).toEqual(usual);

    const { service } = door.control;
    expect((await service.delete(CONTRACT)).status).toBe(202);
    expect((await service.deleteEvents(['shared-ref'])).status).toBe(202);
    expect((await service.get('/customers/written')).status).toBe(200);
    expect((await other.control.service.delete(CONTRACT)).status).toBe(200);
  });

  test('change what a valid request is', async () => {
    const [door, other] = [open(), open()];
    door.decisions.change({
      'unknown-query-parameters': 'ignore',
      'unknown-body-members': 'reject',
      'limit-out-of-bounds': 'clamp',
    });
    const statusesOf = async ({ control: { service } }: Opened) => [
      (await service.get('/measurements?page=2')).status,
      (await service.postRefs({ refs: ['a'], more: 1 })).status,
      (await service.get('/measurements?limit=5000')).status,
    ];
    expect(await statusesOf(door)).toEqual([200, 400, 200]);
    expect(await statusesOf(other)).toEqual([400, 200, 400]);
  });

  test.each([
    ['error-body', 'message', 404, { message: expect.any(String) }],
    ['unknown-identifier-status', 400, 400, expect.objectContaining({ status: 400 })],
    ['customer-id-matches', 'external-id', 200, { customer: expect.any(Object) }],
  ] as const)('%s: %s acts from the next request on', async (id, value, status, body) => {
    const door = open();
    const path = '/customers/written-external';
    if (id !== 'customer-id-matches') {
      server.account(door.control.token).customers.remove('written');
    } else door.decisions.change({ [id]: 'id' });
    expect((await door.control.service.get(path)).body.title).toContain('Not found');
    door.decisions.change({ [id]: value });
    const response = await door.control.service.get(path);
    expect(response.status).toBe(status);
    expect(response.body).toEqual(body);
  });

  test.each([
    [
      'an unknown id',
      { 'repeat-deletes': 'gone' },
      /Unknown decision 'repeat-deletes'\. Did you mean 'repeat-delete'/,
    ],
    ['an id, suggesting the nearest', { 'repeat-deletes': 'gone' }, /mean 'repeat-delete'\?/],
    ['one letter, without a guess', { r: 'gone' }, /^(?!.*Did you mean).*'r'/s],
    ['a value, suggesting the nearest', { 'repeat-delete': 'Gone' }, /mean 'gone'\?/],
    [
      'an unknown value',
      { 'repeat-delete': 'maybe' },
      /'repeat-delete' is "maybe"; expected one of .*same-result/,
    ],
    ['a value of another type', { 'repeat-delete': ['gone'] }, /'repeat-delete'.*\["gone"\]/],
    ['nothing for a value', { 'repeat-delete': null }, /'repeat-delete'.*null/],
    ['a status that is none of its own', { 'success-status': 204 }, /'success-status'.*204/],
    ['a length without a unit', { 'cursor-lifetime': '15' }, /'cursor-lifetime'.*"15"/],
    [
      'a name of every object',
      { toString: 'x' },
      /Unknown decision 'toString'\. Remove it, or correct it to one of/,
    ],
    ['one of the whole server', { 'unknown-token': 'reject' }, /'unknown-token'.*whole server/],
    ['its usual value', { 'unauthorized-status': 401 }, /'unauthorized-status'.*whole server/],
  ])('refuse %s in words, and nothing changes', (_what, changes, words) => {
    const door = open();
    door.decisions.change({ 'total-counts': 'page' });
    const before = door.decisions.inForce;
    for (const more of [{}, { 'repeat-event-delete': 'include' }]) {
      const refused = () => door.decisions.change({ ...more, ...changes } as object);
      expect(refused).toThrow(InvalidInputError);
      expect(refused).toThrow(words);
    }
    expect(door.decisions.inForce).toEqual(before);
  });

  test('tell every mistake at once', () => {
    const changes = { 'repeat-delete': 'x', 'unknown-token': 'reject', no: 1 };
    expect(() => open().decisions.change(changes as object)).toThrow(
      /'repeat-delete'.*'unknown-token'.*'no'/,
    );
  });

  test('begin as the server was told', async () => {
    const told = await createMockServer({
      dataset: 'empty',
      decisions: { 'total-counts': 'page', 'unauthorized-status': 403 },
    });
    const control = controlOf(told);
    const before = (await control.get('/decisions')).body;
    expect(before).toMatchObject({ 'total-counts': 'page', 'unauthorized-status': 403 });
    expect(told.account(control.token).decisions.inForce).toEqual(before);
    await control.patch('/decisions', { 'total-counts': 'all' });
    await control.post('/reset');
    expect((await control.get('/decisions')).body).toEqual(before);
  });
});

describe('PATCH /decisions', () => {
  test('points at every mistake', async () => {
    const { control } = open();
    const { body } = await control.patch('/decisions', { 'repeat-delete': 'x', no: 1 });
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual(['/repeat-delete', '/no']);
  });

  test.each([
    ['/measurements/*/updatedat', "Did you mean '/measurements/*/updatedAt'?"],
    ['/customer/nmae=null', "Did you mean '/customer/name'?"],
    ['/contract/deletedAt', "Did you mean '/contract/createdAt'?"],
    [
      '/nothing/like/it',
      'It must be a pointer to a field that the document lists and records may lack.',
    ],
  ])('refuses the pointer %s, which would change no record', async (pointer, detail) => {
    const { control } = open();
    const change = { 'optional-fields': `/customer/externalId,${pointer}` };
    const { status, body } = await control.patch('/decisions', change);
    const expected = 'a pointer to a field that the document lists and records may lack';
    const received = pointer.replace('=null', '');
    expect([status, body.errors]).toEqual([
      400,
      [{ in: 'body', pointer: '/optional-fields', expected, received, detail }],
    ]);
  });

  test.each([[[]], ['gone'], [null], [3]])('refuses the body %j', async (body) => {
    const { control } = open();
    expect((await control.patch('/decisions', body)).status).toBe(400);
  });
});
