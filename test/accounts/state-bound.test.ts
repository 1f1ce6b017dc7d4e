import {
  type AccountControl,
  createMockServer,
  type MockServer,
  ProblemError,
} from '../../src/index.js';
import { controlOf } from '../support/control.js';

const FULL = /holds \d+\.\d MB .* would take \d+\.\d MB more; expected at most 1\.0 MB in total\./;

/** A server that may hold a megabyte, and an account that holds most of it. */
async function almostFull() {
  const server = await createMockServer({ dataset: 'empty', stateBytes: 2 ** 20 });
  const control = controlOf(server);
  fill(server, control.token, 300_000);
  return { server, control, account: server.account(control.token) };
}

/** Puts a record with characters beyond Latin-1, each of which takes two bytes. */
function fill(server: MockServer, token: string, characters: number): void {
  server.account(token).customers.put({ id: 'filling', name: 'ж'.repeat(characters) });
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

describe('when accounts hold as much as they may', () => {
  test('a record more gets a 409 that says how much there is and what to do', async () => {
    const { server, control, account } = await almostFull();
    const other = controlOf(server);
    const { status, body } = await other.put('/customers/b', { name: 'ж'.repeat(300_000) });
    expect(status).toBe(409);
    expect(body.type).toBe('urn:usage-billing-mock:problem:conflict');
    expect(body.detail).toMatch(FULL);
    for (const advice of ['Drop snapshots', 'close accounts', '--state-bytes', 'stateBytes']) {
      expect(body.detail).toContain(advice);
    }
    expect((await other.get('/customers/b')).status).toBe(404);
    expect(problemFrom(() => fill(server, 'third', 300_000))).toMatch(FULL);
    expect((await control.patch('/customers/filling', { name: 'short' })).status).toBe(200);
    expect((await other.put('/customers/b', { name: 'ж'.repeat(300_000) })).status).toBe(200);
    expect(account.customers.get('filling')?.name).toBe('short');
  });

  test('a snapshot gets one too, and dropping another makes room', async () => {
    const { control, account } = await almostFull();
    account.customers.patch('filling', { name: 'ж'.repeat(150_000) });
    expect((await control.post('/snapshots', { id: 'a' })).status).toBe(201);
    account.customers.put({ id: 'b', name: 'ж'.repeat(50_000) });
    const { status, body } = await control.post('/snapshots', { id: 'b' });
    expect(status).toBe(409);
    expect(body.detail).toMatch(FULL);
    expect(account.customers.list()).toHaveLength(2);
    expect((await control.get('/snapshots')).body).toMatchObject({ snapshots: [{ id: 'a' }] });
    expect((await control.delete('/snapshots/a')).status).toBe(200);
    expect((await control.post('/snapshots', { id: 'b' })).status).toBe(201);
  });

  test('snapshots of the same records are counted once', async () => {
    const { account } = await almostFull();
    account.customers.patch('filling', { name: 'ж'.repeat(200_000) });
    for (const id of ['a', 'b', 'c']) account.snapshot(id);
    account.restore('b');
    account.snapshot('a');
    expect(account.customers.list()).toHaveLength(1);
  });

  test('a state that is too much is refused, and leaves the account as it was', async () => {
    const { control, account } = await almostFull();
    const before = account.exportState();
    const state = { customers: [{ id: 'new', name: 'ж'.repeat(600_000) }] };
    const { status, body } = await control.put('/state', state);
    expect([status, body.detail]).toEqual([409, expect.stringMatching(FULL)]);
    expect(problemFrom(() => account.importState(state))).toMatch(FULL);
    expect(account.exportState()).toEqual(before);
    account.importState({ customers: [{ id: 'new', name: 'ж'.repeat(500_000) }] });
    expect(account.customers.list()).toHaveLength(1);
  });

  test.each<[string, (server: MockServer, token: string) => unknown]>([
    ['a reset', (server, token) => server.account(token).reset()],
    ['closing an account', (server, token) => server.closeAccount(token)],
    ['removing the record', (server, token) => server.account(token).customers.remove('filling')],
    ['an empty state', (server, token) => server.account(token).importState({})],
    ['the way back', (server, token) => server.account(token).restore('empty')],
  ])('%s makes room', async (_what, act) => {
    const server = await createMockServer({ dataset: 'empty', stateBytes: 2 ** 20 });
    server.account('t').snapshot('empty');
    for (let round = 0; round < 5; round += 1) {
      fill(server, 't', 300_000);
      expect(problemFrom(() => fill(server, 'other', 300_000))).toMatch(FULL);
      act(server, 't');
      fill(server, 'other', 300_000);
      server.closeAccount('other');
    }
  });

  test('the service deletes what it is asked to, and a test removes', async () => {
    const { control, account } = await almostFull();
    for (
      let nth = 0;
      problemFrom(() => account.events.put({ id: `e-${nth}`, ref: 'r' })) === 'none';
    ) {
      nth += 1;
    }
    const { status, body } = await control.service.deleteEvents(['r']);
    expect(status).toBe(200);
    expect(body.events.length).toBeGreaterThan(100);
    expect(account.events.remove('e-1')).toBe(true);
  });
});

const LONG = 'a'.repeat(3_000);
const POINTER = '/contract/products/*/scheduling/duration/value';
const FIELDS = { 'optional-fields': `${POINTER}${`,${POINTER}`.repeat(25)}` } as const;
const seen = {
  host: 'h',
  at: '2026-10-01T12:00:00.000Z',
  evidence: Array(20).fill('e'.repeat(90)),
};

/** What tests can make an account keep besides records. */
const KEPT: readonly (readonly [what: string, change: (account: AccountControl) => unknown])[] = [
  ['these decisions', ({ decisions }) => decisions.change(FIELDS)],
  [
    'these decisions',
    ({ decisions }) => decisions.change({ 'total-counts': { value: 'page', seen } }),
  ],
  ['this fault', ({ faults }) => faults.add({ kind: 'reset', path: `/${'a'.repeat(1_000)}` })],
  ['this fault', ({ faults }) => faults.add({ kind: 'respond', headers: { 'X-A': LONG } })],
  ['this fault', ({ faults }) => faults.add({ kind: 'respond', body: Array(100).fill([]) })],
  ['this stub', ({ stubs }) => stubs.add({ method: 'GET', path: `/${'a'.repeat(1_000)}` })],
  ['this stub', ({ stubs }) => stubs.add({ method: 'GET', path: '/a', headers: { 'X-A': LONG } })],
];

test.each(KEPT)(
  '%s are refused when there is no room, and go with a reset or a close',
  async (what, change) => {
    const server = await createMockServer({ dataset: 'empty', stateBytes: 10_000 });
    const keepMost = () => {
      const names: string[] = [];
      while (names.length < 10) {
        const token = `t${names.length}`;
        const problem = problemFrom(() => change(server.account(token)));
        if (problem !== 'none') {
          expect(problem).toMatch(` and ${what} would take`);
          break;
        }
        names.push(token);
      }
      return names.length;
    };
    const most = keepMost();
    expect(most).toBeLessThan(10);
    for (const act of [server.resetAll, server.closeAllAccounts, server.closeAllAccounts]) {
      act();
      // Open accounts take some of the room.
      expect([most - 1, most]).toContain(keepMost());
    }
  },
);

test.each([0, -1, 1.5, '256'])('a bound of %j is refused', async (stateBytes) => {
  await expect(createMockServer({ stateBytes: stateBytes as number })).rejects.toThrow(
    "The option 'stateBytes' is",
  );
});
