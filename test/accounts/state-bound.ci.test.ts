import { createMock } from '../../src/host/server/mock-server.js';
import { type AccountControl, ProblemError } from '../../src/index.js';
import type { Maxima } from '../../src/mock/accounts/limits.js';
import { controlOf } from '../support/control.js';
import { writeFixture } from '../support/fixture.js';

/** A server whose accounts keep less than usual. */
async function bounded(maxima: Partial<Maxima>, dataset = 'empty') {
  const { server } = await createMock({ dataset }, { maxima });
  return server;
}

function problemFrom(act: () => unknown): string {
  try {
    act();
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError);
    expect((error as ProblemError).problem).toBe('conflict');
    return (error as Error).message;
  }
}

const records = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({ id: `record-${nth}` }));

/** What a refusal says when accounts keep so many changed records, of at most ten. */
const full = (kept: number, more: number) =>
  `All accounts together keep ${kept} changed records, those in snapshots included, and this would add ${more}; expected at most 10. Reset or close accounts that you no longer need, or drop snapshots.`;

describe('when accounts have changed as many records as they may', () => {
  test('a record more gets a 409 that says how many there are and what to do', async () => {
    const server = await bounded({ records: 10 });
    const [control, other] = [controlOf(server), controlOf(server)];
    server.account(control.token).importState({ customers: records(10) });
    const { status, body } = await other.put('/customers/b', { name: 'b' });
    expect(status).toBe(409);
    expect(body.type).toBe('urn:usage-billing-mock:problem:conflict');
    expect(body.detail).toBe(full(10, 1));
    expect((await other.get('/customers/b')).status).toBe(404);
    expect((await control.patch('/customers/record-1', { name: 'new' })).status).toBe(200);
    expect((await control.delete('/customers/record-1')).status).toBe(200);
    expect((await other.put('/customers/b', { name: 'b' })).status).toBe(200);
  });

  test('the service deletes all the same, and its deletions do not count', async () => {
    const server = await bounded({ records: 10 }, 'default');
    const { token, service } = controlOf(server);
    const { events, contracts } = server.account(token);
    const before = events.list().filter(({ deletedAt, ref }) => !deletedAt && ref);
    const { status, body } = await service.deleteEvents(
      before.slice(0, 50).map(({ ref }) => `${ref}`),
    );
    expect([status, body.events.length >= 50]).toEqual([200, true]);
    const other = server.account('other');
    for (const { id } of records(10)) other.customers.put({ id });
    expect(problemFrom(() => contracts.put({ id: 'k', customerId: 'c' }))).toBe(full(10, 1));
    const open = contracts.list().find(({ deletedAt }) => !deletedAt);
    expect((await service.delete(`/contracts/${open?.id}`)).status).toBe(200);
    expect(events.remove(events.list()[0]?.id ?? '')).toBe(true);
    server.account(token).reset();
    expect(problemFrom(() => other.customers.put({ id: 'one-more' }))).toBe(full(10, 1));
  });

  test('a state that is too much is refused, and leaves the account as it was', async () => {
    const server = await bounded({ records: 10 });
    const control = controlOf(server);
    const account = server.account(control.token);
    account.customers.put({ id: 'here' });
    const before = account.exportState();
    const { status, body } = await control.put('/state', { customers: records(11) });
    expect([status, body.detail]).toEqual([409, full(1, 10)]);
    expect(problemFrom(() => account.importState({ customers: records(11) }))).toBe(full(1, 10));
    expect(account.exportState()).toEqual(before);
    account.importState({ customers: records(10) });
    expect(account.customers.list()).toHaveLength(10);
  });

  test('a snapshot gets one too, and dropping another makes room', async () => {
    const server = await bounded({ records: 10 });
    const control = controlOf(server);
    const account = server.account(control.token);
    account.importState({ customers: records(4) });
    expect((await control.post('/snapshots', { id: 'a' })).status).toBe(201);
    expect((await control.post('/snapshots', { id: 'the same' })).status).toBe(201);
    account.customers.put({ id: 'record-0', name: 'new' });
    const { status, body } = await control.post('/snapshots', { id: 'b' });
    expect([status, body.detail]).toEqual([409, full(8, 4)]);
    await control.delete('/snapshots/a');
    await control.delete('/snapshots/the same');
    expect((await control.post('/snapshots', { id: 'b' })).status).toBe(201);
  });

  test('a reset, a close, a removal, an empty state and the way back make room', async () => {
    const server = await bounded({ records: 10 });
    server.account('filling').importState({ customers: records(9) });
    const acts = [
      () => server.account('t').reset(),
      () => server.closeAccount('t'),
      () => server.account('t').customers.remove('one'),
      () => server.account('t').importState({}),
      () => server.account('t').restore('opening'),
    ];
    const put = (token: string) => server.account(token).customers.put({ id: 'one' });
    for (const act of acts) {
      put('t');
      expect(problemFrom(() => put('other'))).toBe(full(10, 1));
      act();
      put('other');
      server.closeAccount('other');
    }
  });
});

/** What tests can make one account keep besides records, and how a refusal names it. */
const KEPT: readonly (readonly [
  what: keyof Maxima,
  refusal: string,
  keep: (account: AccountControl, nth: number) => unknown,
  drop: (account: AccountControl) => unknown,
])[] = [
  [
    'faults',
    'The account has 3 faults that can still fire, and this would add 1; expected at most 3. Remove some, or all with DELETE /__control/faults (faults.clear() in the library).',
    ({ faults }) => faults.add({ kind: 'reset' }),
    ({ faults }) => faults.remove(1),
  ],
  [
    'stubs',
    'There are 3 stubs in this list, and this would add 1; expected at most 3. Remove some, or all with DELETE /__control/stubs, or with ?for=server those of the server (stubs.clear() in the library).',
    ({ stubs }, nth) => stubs.add({ method: 'GET', path: `/a/${nth}` }),
    ({ stubs }) => stubs.remove(1),
  ],
];

test.each(KEPT)('an account has its own maximum of %s', async (what, refusal, keep, drop) => {
  const server = await bounded({ [what]: 3 });
  const account = server.account('t');
  for (let nth = 0; nth < 3; nth += 1) keep(account, nth);
  expect(problemFrom(() => keep(account, 3))).toBe(refusal);
  keep(server.account('other'), 3);
  drop(account);
  keep(account, 4);
  expect(problemFrom(() => keep(account, 5))).toBe(refusal);
});

test('a fault that has fired as often as it can no longer counts', async () => {
  const server = await bounded({ faults: 1 });
  const { token, service } = controlOf(server);
  const { faults } = server.account(token);
  faults.add({ kind: 'status', status: 503 });
  expect(problemFrom(() => faults.add({ kind: 'reset' }))).toContain('1 faults that can still');
  expect((await service.get('/measurements')).status).toBe(503);
  expect(faults.add({ kind: 'reset' }).id).toBe(2);
});

test('snapshots of an unchanged account do not count', async () => {
  const server = await bounded({ snapshots: 1 });
  const account = server.account('t');
  for (let nth = 0; nth < 5; nth += 1) account.snapshot();
  account.latency.set(1);
  account.snapshot('of changes');
  account.restore('opening');
  expect(account.snapshot()).toBe('6');
});

test('what an account opens with does not count, and is no reason to refuse a request', async () => {
  const faults = Array(6).fill({ kind: 'delay', delayMs: 1, operationId: 'getCustomer' });
  const text = `{ scenarios: { opening: { stubs: [{ method: GET, path: /me }], customers: [{ id: c }] } } }`;
  const dataset = writeFixture(text);
  const maxima = { records: 0, faults: 0, stubs: 0, snapshots: 0 };
  const { server } = await createMock({ dataset, faults }, { maxima });
  const { token, service } = controlOf(server);
  expect((await service.get('/customers/c')).status).toBe(200);
  expect(server.account(token).stubs.list()).toHaveLength(1);
  expect(problemFrom(() => server.account(token).customers.put({ id: 'd' }))).toContain(
    'at most 0',
  );
});
