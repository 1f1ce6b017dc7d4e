import { createMockServer, type Decisions, InvalidInputError } from '../../src/index.js';
import { type Control, controlOf } from '../support/control.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const CONTRACT = '/contracts/written-contract-1';

/** The decisions of an account, whatever the door; a refusal is told in words. */
interface Door {
  readonly control: Control;
  read(): Promise<Decisions>;
  change(changes: object): Promise<string>;
  /** The document by which the account is answered. */
  document(): Promise<{ paths: Record<string, Record<string, { responses: object }>> }>;
}

function overHttp(): Door {
  const control = controlOf(server);
  return {
    control,
    read: async () => (await control.get('/decisions')).body,
    change: async (changes) => {
      const response = await control.patch('/decisions', changes);
      if (response.status === 200) {
        expect((await control.get('/decisions')).body).toEqual(response.body);
        return 'changed';
      }
      expect(response.status).toBe(400);
      return response.body.detail;
    },
    document: async () => (await control.get('/openapi.json')).body,
  };
}

function throughTheLibrary(): Door {
  const control = controlOf(server);
  const { decisions } = server.account(control.token);
  return {
    control,
    read: async () => decisions.inForce,
    change: async (changes) => {
      try {
        decisions.change(changes);
        return 'changed';
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidInputError);
        return (error as Error).message;
      }
    },
    document: async () => server.openapi(control.token) as Awaited<ReturnType<Door['document']>>,
  };
}

/** The statuses of success in the document that is in force, operation by operation. */
async function successesOf(door: Door): Promise<Record<string, string[]>> {
  const { paths } = await door.document();
  const successOf = ({ responses }: { responses: object }) =>
    Object.keys(responses).filter((status) => status.startsWith('2'));
  return {
    deleteContract: successOf(paths['/contracts/{contractId}']?.delete ?? { responses: {} }),
    deleteEventsByRefs: successOf(paths['/events/delete-by-refs']?.post ?? { responses: {} }),
    getCustomer: successOf(paths['/customers/{customerId}']?.get ?? { responses: {} }),
  };
}

describe.each([
  ['over HTTP', overHttp],
  ['through the library', throughTheLibrary],
] as const)('the decisions of an account, switched %s', (_words, open) => {
  test('act for this account alone', async () => {
    const [door, other] = [open(), open()];
    const before = await other.read();
    expect(before).toMatchObject({ 'repeat-delete': 'not-found', 'success-status': 200 });
    expect(await door.change({ 'repeat-delete': 'gone' })).toBe('changed');
    expect(await door.read()).toEqual({ ...before, 'repeat-delete': 'gone' });
    expect(await other.read()).toEqual(before);

    for (const { control } of [door, other]) await control.service.delete(CONTRACT);
    expect((await door.control.service.delete(CONTRACT)).status).toBe(410);
    expect((await other.control.service.delete(CONTRACT)).status).toBe(404);
  });

  test('stay but for those that are named', async () => {
    const door = open();
    const before = await door.read();
    await door.change({ 'repeat-delete': 'gone', 'total-counts': 'page' });
    await door.change({ 'total-counts': 'all', 'success-status': '201' });
    await door.change({});
    const after = { ...before, 'repeat-delete': 'gone', 'success-status': 201 };
    expect(await door.read()).toEqual(after);
  });

  test('change the document in force, and the responses with it', async () => {
    const [door, other] = [open(), open()];
    const usual = {
      deleteContract: ['200'],
      deleteEventsByRefs: ['200'],
      getCustomer: ['200'],
    };
    expect(await successesOf(door)).toEqual(usual);
    await door.change({ 'success-status': 202 });
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
    await door.change({
      'unknown-query-parameters': 'ignore',
      'unknown-body-members': 'reject',
      'limit-out-of-bounds': 'clamp',
    });
    const statusesOf = async ({ control: { service } }: Door) => [
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
    } else await door.change({ [id]: 'id' });
    expect((await door.control.service.get(path)).body.title).toContain('Not found');
    expect(await door.change({ [id]: value })).toBe('changed');
    const response = await door.control.service.get(path);
    expect(response.status).toBe(status);
    expect(response.body).toEqual(body);
  });

  test.each([
    ['an unknown id', { 'repeat-deletes': 'gone' }, /'repeat-deletes'.*id of a decision: success/],
    ['an id, suggesting the nearest', { 'repeat-deletes': 'gone' }, /mean 'repeat-delete'\?/],
    ['a value, suggesting the nearest', { 'repeat-delete': 'Gone' }, /mean 'gone'\?/],
    ['an unknown value', { 'repeat-delete': 'maybe' }, /'repeat-delete'.*same-result.*"maybe"/],
    ['a value of another type', { 'repeat-delete': ['gone'] }, /'repeat-delete'.*\["gone"\]/],
    ['nothing for a value', { 'repeat-delete': null }, /'repeat-delete'.*null/],
    ['a status that is none of its own', { 'success-status': 204 }, /'success-status'.*204/],
    ['a length without a unit', { 'cursor-lifetime': '15' }, /'cursor-lifetime'.*"15"/],
    ['a name of every object', { toString: 'x' }, /'toString'.*id of a decision/],
    ['one of the whole server', { 'unknown-token': 'reject' }, /'unknown-token'.*whole server/],
    ['its usual value', { 'unauthorized-status': 401 }, /'unauthorized-status'.*whole server/],
  ])('refuse %s in words, and nothing changes', async (_what, changes, words) => {
    const door = open();
    await door.change({ 'total-counts': 'page' });
    const before = await door.read();
    expect(await door.change(changes)).toMatch(words);
    expect(await door.change({ 'repeat-event-delete': 'include', ...changes })).toMatch(words);
    expect(await door.read()).toEqual(before);
  });

  test('tell every mistake at once', async () => {
    const refusal = await open().change({ 'repeat-delete': 'x', 'unknown-token': 'reject', no: 1 });
    expect(refusal).toMatch(/'repeat-delete'.*'unknown-token'.*'no'/);
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
    const { control } = overHttp();
    const { body } = await control.patch('/decisions', { 'repeat-delete': 'x', no: 1 });
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual(['/repeat-delete', '/no']);
  });

  test.each([[[]], ['gone'], [null], [3]])('refuses the body %j', async (body) => {
    const { control } = overHttp();
    expect((await control.patch('/decisions', body)).status).toBe(400);
  });
});
