import { createMockServer, type FaultRequest, InvalidInputError } from '../../src/index.js';
import { FAULT_KINDS } from '../../src/mock/accounts/fault-kinds.js';
import { controlOf } from '../support/control.js';
import { writeFixture } from '../support/fixture.js';

const server = await createMockServer();

describe('the library refuses what HTTP refuses, and changes nothing', () => {
  const account = server.account('library');
  const before = account.fingerprint();

  test.each<[string, () => unknown, string]>([
    ['a snapshot of no name', () => account.snapshot({} as never), 'expected a string'],
    [
      'a filter of no date',
      () => account.journal.list({ since: 'q' }),
      'a value in the format date-time',
    ],
    ['no decisions', () => account.decisions.change(null as never), 'expected an object such as'],
    ['no patch', () => account.customers.patch('x', null as never), 'There is no record'],
    [
      'a patch that is none',
      () => account.customers.patch('65a000000000000000000001', 1 as never),
      'expected an object',
    ],
    ['no record to add', () => account.customers.add(null as never), 'expected an object'],
    ['no record to put', () => account.customers.put(undefined as never), 'expected an object'],
    [
      'a day that no calendar has',
      () => account.clock.freeze('2026-02-30T00:00:00Z'),
      'an instant such as',
    ],
    ['no date', () => account.clock.freeze(new Date('never')), 'an instant such as'],
    ['no fault', () => account.faults.add(null as never), 'expected an object'],
  ])('%s', (_words, act, expected) => {
    expect(act).toThrow(expected);
    expect(account.fingerprint()).toBe(before);
    expect(account.faults.list()).toEqual([]);
    expect(account.clock.isFrozen).toBe(false);
  });

  test('a fault with members that are undefined is as if they were left out', () => {
    const own = server.account('undefined-members');
    const request = { kind: 'reset', times: undefined, skip: undefined, phase: undefined };
    expect(own.faults.add(request as unknown as FaultRequest)).toMatchObject({
      phase: 'before',
      skip: 0,
      times: 1,
    });
  });

  test('an error of the library says that it is one of input', () => {
    expect(() => account.snapshot('')).toThrow(InvalidInputError);
  });
});

describe('decisions.inForce', () => {
  test('cannot be written into, by one account or for all', () => {
    const { inForce } = server.account('writer').decisions;
    expect(Reflect.set(inForce, 'repeat-delete', 'gone')).toBe(false);
    server.account('writer').decisions.change({ 'last-page': 'trailing-empty-page' });
    const switched = server.account('writer').decisions.inForce;
    expect(Reflect.set(switched, 'repeat-delete', 'gone')).toBe(false);
    expect(server.account('other').decisions.inForce['repeat-delete']).toBe('not-found');
  });
});

describe('GET /__control/requests', () => {
  test('has with of=server those that reached no account, and explains them', async () => {
    const control = controlOf(server);
    await control.service.get('/nowhere-at-all');
    const { requests } = (await control.get('/requests?of=server&path=/nowhere-at-all')).body;
    expect(requests).toHaveLength(1);
    const explained = await control.get(`/requests/${requests[0].id}/explain?of=server`);
    expect(explained.body.explanation[0]).toContain('matches no operation');
    expect(explained.body.explanation[1]).toContain("There is no path '/nowhere-at-all'");
  });

  test('refuses a number that is none, and says where it stood', async () => {
    const { status, body } = await controlOf(server).get('/requests/x/explain');
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        in: 'path',
        pointer: '/requestId',
        expected: 'a whole number in digits',
        received: 'x',
        detail: 'Send a number such as 1.',
      },
    ]);
  });
});

test.each([null, [], 7])('POST /__control/requests/wait refuses the body %j', async (given) => {
  const { status, body } = await controlOf(server).post('/requests/wait', given as never);
  expect(status).toBe(400);
  expect(body.detail).toContain('expected an object');
});

test.each([
  ['a text', 'x'.repeat(100_000)],
  ['a list', Array.from({ length: 60_000 }, () => ({}))],
])('PUT /__control/scenario quotes the beginning of %s that is no name', async (_what, name) => {
  const { status, body } = await controlOf(server).put('/scenario', { name });
  expect(status).toBe(404);
  expect(body.detail.length).toBeLessThan(400);
});

const INSTANT = 'an instant such as 2030-01-02T03:04:05.000Z, in a year from 0000 to 9999 in UTC';

test.each<['put' | 'post', string, object, string, string]>([
  ['post', '/faults', { kind: 1 }, '/kind', `one of ${FAULT_KINDS.join(', ')}`],
  ['post', '/faults', { kind: 'delay', delayMs: 1e9 }, '/delayMs', 'at most 3600000'],
  ['post', '/faults', { kind: 'reset', phase: 'x' }, '/phase', 'one of before, after'],
  ['post', '/snapshots', { id: 'x'.repeat(201) }, '/id', 'at most 200 characters'],
  ['put', '/clock', {}, '', 'at least 1 member of frozenAt, frozenNow, advanceMs, real'],
  ['put', '/clock', { frozenAt: 'x' }, '/frozenAt', INSTANT],
  ['put', '/state', { events: [{ data: { a: 1 } }] }, '/events/0/data/a', 'a string'],
  ['put', '/state', { customers: {} }, '/customers', 'an array'],
])('%s %s with %j says what is expected', async (method, path, body, pointer, expected) => {
  const response = await controlOf(server)[method](path, body);
  expect(response.status).toBe(400);
  expect(response.body.errors).toContainEqual(
    expect.objectContaining({ in: 'body', pointer, expected }),
  );
});

test('a state of more records than errors are told of is taken whole', async () => {
  const control = controlOf(server);
  const measurements = Array.from({ length: 10_500 }, (_, nth) => ({ id: `m${nth}`, value: nth }));
  const { status, body } = await control.put('/state', { measurements });
  expect(status).toBe(200);
  expect(body).toMatchObject({ customers: 0, measurements: 10_500 });
  const last = server.account(control.token).measurements.get('m10499');
  expect(last?.value).toBe(10_499);
});

describe('a name that is nearly right is told the right one', () => {
  const HTTP: readonly ['put' | 'patch' | 'post', string, object, string][] = [
    ['patch', '/customers/65a000000000000000000001', { externalID: 'x' }, 'externalId'],
    ['post', '/contracts', { customer: 'c1' }, 'customerId'],
    ['put', '/state', { events: [{ id: 'e', reff: 'x' }] }, 'ref'],
    ['patch', '/decisions', { 'repeat-delet': 'gone' }, 'repeat-delete'],
    ['put', '/clock', { advance: 5 }, 'advanceMs'],
    ['post', '/snapshots', { ID: 'x' }, 'id'],
  ];

  test.each(HTTP)('by %s %s for %j', async (method, path, body, name) => {
    const response = await controlOf(server)[method](path, body);
    expect(response.status).toBe(400);
    const details = response.body.errors.map(({ detail }: { detail: string }) => detail);
    expect(details).toContain(`Did you mean '${name}'?`);
    expect(response.body.detail).toContain(`Did you mean '${name}'?`);
  });

  const account = server.account('near-names');
  test.each<[string, () => unknown, string]>([
    ['a record', () => account.customers.put({ id: 'c', nmae: 'x' } as never), 'name'],
    ['a patch', () => account.events.add({ custommerAlias: 'x' } as never), 'customerAlias'],
    ['a state', () => account.importState({ contract: [] } as never), 'contracts'],
    ['a decision', () => account.decisions.change({ 'last-pag': 'exact' } as never), 'last-page'],
  ])('by the library for %s', (_what, act, name) => {
    expect(act).toThrow(`Did you mean '${name}'?`);
  });

  test('by a fixture', async () => {
    const refused = createMockServer({ accounts: { t: { dataste: 'empty' } as never } });
    await expect(refused).rejects.toThrow("Did you mean 'dataset'?");
    const file = writeFixture('custumers: []\n');
    await expect(createMockServer({ dataset: file })).rejects.toThrow("Did you mean 'customers'?");
  });
});

describe('of thousands of wrong values, the first is told, or the first 20', () => {
  const MANY = 20_000;
  const members = Object.fromEntries(
    Array.from({ length: MANY }, (_, nth) => [`no such ${nth}`, 1]),
  );
  const stub = { method: 'GET', path: '/invoices/{id}' };

  async function postTo(path: string, token: string, body: object) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await server.fetch(path, init);
    return { status: response.status, text: await response.text() };
  }

  test.each<[string, 'put' | 'post' | 'patch', string, unknown]>([
    ['items of a record', 'put', '/customers/c', { aliases: Array(MANY).fill(1) }],
    ['members of a record', 'post', '/customers', members],
    ['objects in a record', 'post', '/customers', { contacts: Array(MANY).fill({ x: 1 }) }],
    ['items of a state', 'put', '/state', { customers: [{ aliases: Array(MANY).fill(1) }] }],
    ['ids of a state', 'put', '/state', { customers: Array(MANY).fill({ id: 'one' }) }],
    ['members of a state', 'put', '/state', members],
    ['decisions', 'patch', '/decisions', members],
    [
      'members of a decision',
      'patch',
      '/decisions',
      { 'last-page': { value: 'x', seen: members } },
    ],
    ['members of a fault', 'post', '/faults', { kind: 'reset', ...members }],
    ['header fields of a stub', 'post', '/stubs', { ...stub, headers: members }],
    ['texts of a stub', 'post', '/stubs', { ...stub, body: Array(MANY).fill('{{path.name}}') }],
    ['placeholders in a text', 'post', '/stubs', { ...stub, body: '{{path.name}}'.repeat(MANY) }],
    ['braces that nothing closes', 'post', '/stubs', { ...stub, body: '{'.repeat(4 * MANY) }],
    ['members of a filter', 'post', '/requests/count', members],
  ])('%s', async (_words, method, path, body) => {
    const { status, text } = await controlOf(server)[method](path, body);
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(30_000);
    expect([1, 20]).toContain(JSON.parse(text).errors.length);
  });

  test('members of a body that no verb judges', async () => {
    const { status, text } = await controlOf(server).post('/reset', members);
    expect(status).toBe(400);
    expect(JSON.parse(text).errors).toMatchObject([{ pointer: '/no such 0' }]);
  });

  test('members of the body of an operation that refuses unknown ones', async () => {
    const control = controlOf(server);
    await control.patch('/decisions', { 'unknown-body-members': 'reject' });
    const body = { ...members, refs: ['a'] };
    const { status, text } = await postTo('/events/delete-by-refs', control.token, body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      detail: expect.stringMatching(/^1 or more values are invalid: body \/no such 0: /),
      decision: 'unknown-body-members',
    });
  });

  test('in the library too', () => {
    const put = () => server.account('many').customers.put({ id: 'c', ...members } as never);
    expect(put).toThrow(/^Unknown member 'no such 0'\. .{1,10000}$/);
  });

  test('a single mistake at the end of a long list is told by its place', async () => {
    const aliases = Array.from({ length: MANY }, (_, nth) => (nth === MANY - 2 ? nth : 'text'));
    const { text } = await controlOf(server).put('/customers/c', { aliases });
    expect(JSON.parse(text)).toMatchObject({
      detail: `'aliases/${MANY - 2}' is ${MANY - 2}; expected a string. Put it in quotes.`,
      errors: [{ pointer: `/aliases/${MANY - 2}`, received: MANY - 2 }],
    });
  });

  test('a name of millions of characters is cut in each of them', async () => {
    const body = { ...stub, body: { ['n'.repeat(1_000_000)]: Array(100).fill('{{path.name}}') } };
    const { text } = await controlOf(server).post('/stubs', body);
    expect(text.length).toBeLessThan(60_000);
    expect(JSON.parse(text).errors[0].pointer).toMatch(/^\/body\/n+…$/);
  });

  test('of the values that a stub misses', async () => {
    const control = controlOf(server);
    const body = Array.from({ length: MANY }, (_, nth) => `{{body.value${nth}}}`);
    await control.post('/stubs', { method: 'POST', path: '/many', body });
    const { status, text } = await postTo('/many', control.token, {});
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(30_000);
    expect(JSON.parse(text).detail).toMatch(/ 20 or more values are invalid; the first 20 are /);
  });
});

test('a long valid record is accepted as a whole', async () => {
  const aliases = Array.from({ length: 50_000 }, (_, nth) => `alias ${nth}`);
  const control = controlOf(server);
  const { status } = await control.put('/customers/long', { aliases });
  expect(status).toBe(200);
  expect((await control.get('/customers/long')).body.aliases).toEqual(aliases);
});
