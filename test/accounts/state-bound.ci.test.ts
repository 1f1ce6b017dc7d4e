import { type AccountControl, createMockServer, ProblemError } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { fillAllBut, fullFor } from '../support/fill-quota.js';

/** A server that may keep only so much more, and the account that has the rest. */
async function filled(left: number, dataset = 'empty') {
  const server = await createMockServer({ dataset });
  const control = controlOf(server);
  const account = server.account(control.token);
  fillAllBut(left, account);
  return { server, control, account };
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

describe('when accounts keep as much as they may', () => {
  test('a record more gets a 409 that says how much there is and what to do', async () => {
    const { server, control } = await filled(0);
    const other = controlOf(server);
    const { status, body } = await other.put('/customers/b', { name: 'b' });
    expect(status).toBe(409);
    expect(body.type).toBe('urn:usage-billing-mock:problem:conflict');
    expect(body.detail).toMatch(fullFor('this record'));
    expect(body.detail).toContain('that count 100,000 (');
    expect((await other.get('/customers/b')).status).toBe(404);
    expect((await control.patch('/customers/filling-1', { name: 'short' })).status).toBe(200);
    expect((await other.put('/customers/b', { name: 'b' })).status).toBe(200);
  });

  test('a record counts once for every kB, twice where a character is beyond Latin-1', async () => {
    const { server } = await filled(10);
    const { customers } = server.account('other');
    const most = (letter: string) => {
      let kilobytes = 0;
      const put = () => customers.put({ id: 'c', name: letter.repeat(1_024 * kilobytes + 500) });
      while (problemFrom(put) === 'none') kilobytes += 1;
      return kilobytes;
    };
    expect([most('x'), most('ж')]).toEqual([10, 5]);
  });

  test('a deletion gets one too, and has deleted nothing', async () => {
    const { control, account } = await filled(1, 'default');
    const before = account.fingerprint();
    const refs = [...account.events.list()].slice(0, 2).map(({ ref }) => ref as string);
    const { status, body } = await control.service.deleteEvents(refs);
    expect([status, body.detail]).toEqual([409, expect.stringMatching(fullFor('this record'))]);
    expect(account.fingerprint()).toBe(before);
    const { id } = account.contracts.list()[0] ?? {};
    expect((await control.delete(`/contracts/${id}`)).status).toBe(200);
    expect((await control.delete(`/customers/${account.customers.list()[0]?.id}`)).status).toBe(
      409,
    );
    expect((await control.delete('/customers/filling-1')).status).toBe(200);
  });

  test('a record that was added is deleted by the service, and removed', async () => {
    const { control, account } = await filled(1);
    account.events.put({ id: 'e', ref: 'r' });
    expect((await control.service.deleteEvents(['r'])).body.events).toHaveLength(1);
    expect(account.events.remove('e')).toBe(true);
  });

  test('a snapshot gets one too, and dropping another makes room', async () => {
    const { server } = await filled(20);
    const control = controlOf(server);
    const account = server.account(control.token);
    account.customers.put({ id: 'a', name: 'n'.repeat(5_000) });
    expect((await control.post('/snapshots', { id: 'a' })).status).toBe(201);
    account.customers.put({ id: 'a', name: 'm'.repeat(5_000) });
    const { status, body } = await control.post('/snapshots', { id: 'b' });
    expect(status).toBe(409);
    expect(body.detail).toMatch(fullFor('this snapshot'));
    expect((await control.get('/snapshots')).body).toMatchObject({ snapshots: [{ id: 'a' }] });
    expect((await control.delete('/snapshots/a')).status).toBe(200);
    expect((await control.post('/snapshots', { id: 'b' })).status).toBe(201);
  });

  test('snapshots of the same records count them once', async () => {
    const { account } = await filled(50_010);
    for (const id of ['a', 'b', 'c']) account.snapshot(id);
    account.customers.put({ id: 'more' });
    account.snapshot('d');
    account.restore('b');
    account.snapshot('a');
    expect(account.customers.get('more')).toBeUndefined();
  });

  test('a state that is too much is refused, and leaves the account as it was', async () => {
    const { server } = await filled(2_000);
    const control = controlOf(server);
    const account = server.account(control.token);
    account.customers.put({ id: 'here' });
    const before = account.exportState();
    const state = (kilobytes: number) => ({
      customers: [{ id: 'new', name: 'n'.repeat(1_024 * kilobytes) }],
    });
    const { status, body } = await control.put('/state', state(2_100));
    expect([status, body.detail]).toEqual([409, expect.stringMatching(fullFor('this state'))]);
    expect(problemFrom(() => account.importState(state(2_100)))).toMatch(fullFor('this state'));
    expect(account.exportState()).toEqual(before);
    account.importState(state(1_900));
    expect(account.customers.list()).toHaveLength(1);
  });

  test('a saved account whose stub is too much changes nothing', async () => {
    const { server } = await filled(4);
    const empty = await createMockServer({ dataset: 'empty' });
    const [full, small] = [empty.account('t'), server.account('small')];
    full.stubs.add({ method: 'GET', path: '/me', body: 'x'.repeat(5_000) });
    full.customers.put({ id: 'c1' });
    small.latency.set(4);
    const kept = () =>
      JSON.stringify([small.exportState(), small.stubs.list(), small.latency.range]);
    const before = kept();
    const saved = full.fixture({ keepNames: true });
    expect(problemFrom(() => small.importState(saved))).toMatch(fullFor('this stub'));
    expect(kept()).toBe(before);
  });

  test('a reset, a close, a removal, an empty state and the way back make room', async () => {
    const { server } = await filled(1_000);
    const acts = [
      () => server.account('t').reset(),
      () => server.closeAccount('t'),
      () => server.account('t').customers.remove('large'),
      () => server.account('t').importState({}),
      () => server.account('t').restore('opening'),
    ];
    const put = (token: string) =>
      server.account(token).customers.put({ id: 'large', name: 'n'.repeat(600 * 1_024) });
    for (let round = 0; round < 5; round += 1) {
      for (const act of acts) {
        put('t');
        expect(problemFrom(() => put('other'))).toMatch(fullFor('this record'));
        act();
        put('other');
        server.closeAccount('other');
      }
    }
  });
});

const LONG = 'a'.repeat(30_000);
const seen = {
  host: 'h',
  at: '2026-10-01T12:00:00.000Z',
  evidence: Array(20).fill('e'.repeat(500)),
};

/** What tests can make an account keep besides records. */
const KEPT: readonly (readonly [what: string, change: (account: AccountControl) => unknown])[] = [
  [
    'these decisions',
    ({ decisions }) => decisions.change({ 'total-counts': { value: 'page', seen } }),
  ],
  ['this fault', ({ faults }) => faults.add({ kind: 'respond', headers: { 'X-A': LONG } })],
  ['this fault', ({ faults }) => faults.add({ kind: 'respond', body: Array(1_000).fill([]) })],
  ['this stub', ({ stubs }) => stubs.add({ method: 'GET', path: '/a', body: LONG })],
  ['this stub', ({ stubs }) => stubs.add({ method: 'GET', path: '/a', headers: { 'X-A': LONG } })],
];

test('decisions, faults and stubs are refused when there is no room, and go with a reset or a close', async () => {
  const { server } = await filled(100);
  for (const [nth, [what, change]] of KEPT.entries()) {
    const keepMost = () => {
      for (let most = 0; ; most += 1) {
        const problem = problemFrom(() => change(server.account(`kept-${nth}-${most}`)));
        if (problem === 'none') continue;
        expect(problem).toMatch(fullFor(what));
        return most;
      }
    };
    const most = keepMost();
    expect(most).toBeGreaterThan(1);
    const own = server.tokens().filter((token) => token.startsWith('kept'));
    for (const token of own) server.account(token).reset();
    expect(keepMost()).toBe(most);
    server.closeAccounts({ prefix: 'kept' });
    expect(keepMost()).toBe(most);
    server.closeAccounts({ prefix: 'kept' });
  }
});

test('a long token counts while its account is open, and is refused when there is no room', async () => {
  const { server } = await filled(20);
  const long = (nth: number) => `t${nth}${'x'.repeat(9_000)}`;
  server.account(long(1));
  server.account(long(2));
  expect(problemFrom(() => server.account(long(3)))).toMatch(fullFor('this token'));
  server.account('short');
  server.closeAccount(long(1));
  server.account(long(3));
});
