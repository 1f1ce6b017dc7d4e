import { type AccountControl, createMockServer, UnknownIdError } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { fetchAs, until } from '../support/fetching.js';

const [CONTRACT, OTHER_CONTRACT] = ['written-contract-1', 'written-contract-2'] as const;
const NOW = '2030-01-02T03:04:05.000Z';
const CUSTOMER = '/customers/written';
const PATH = `/contracts/${CONTRACT}`;
const DATASET = 'test/support/records-with-scenario.yaml';
const server = await createMockServer({ dataset: DATASET });
await server.start();
afterAll(() => server.stop());

/** A new account, whose clock stands still, and what calls it. */
function openAccount(of = server) {
  const control = controlOf(of);
  const account = of.account(control.token);
  account.clock.freeze(NOW);
  return { control, account, service: control.service };
}

type Opened = ReturnType<typeof openAccount>;

type Act = (opened: Opened) => unknown;

/** All records, what differs from the dataset, and the hash of both. */
const recordsOf = (account: AccountControl): string =>
  JSON.stringify([account.exportState(), account.changes(), account.fingerprint()]);

/** An account whose first request deletes after its second, because a fault held it. */
async function overtake(of = server) {
  const { account, service } = openAccount(of);
  const { id } = account.faults.add({ kind: 'hold', operationId: 'deleteContract' });
  const held = service.delete(PATH).then();
  await until(() => account.faults.list()[0]?.fired === 1);
  await service.delete(`/contracts/${OTHER_CONTRACT}`);
  account.faults.remove(id);
  await held;
  return { account, service, overtaken: 1 };
}

function marked({ journal }: AccountControl): number[] {
  return journal.list().flatMap(({ id, undone }) => (undone ? id : []));
}

/** What stands in the way back, and how the refusal names it. */
const BARRIERS: readonly [words: string, Act][] = [
  [`'${CONTRACT}' in contracts was added, edited or removed after it`, changeByLibrary],
  [
    `'${CONTRACT}' in contracts was added, edited or removed after it`,
    ({ control }) => control.patch(PATH, {}),
  ],
  [
    "'written' in customers was added, edited or removed after it",
    ({ control }) => control.delete(CUSTOMER),
  ],
  [
    'records were imported after it',
    ({ control }) => control.put('/state', { events: [{ ref: 'shared-ref' }] }),
  ],
  ["the snapshot 'opening' was restored", ({ account }) => account.restore('opening')],
  [
    "the scenario 'quiet' was applied",
    ({ control }) => control.put('/scenario', { name: 'quiet' }),
  ],
];

function changeByLibrary({ account }: Opened): void {
  account.contracts.patch(CONTRACT, { name: 'Changed' });
}

describe('a way back', () => {
  test.each(BARRIERS)('is refused if %s, and leads to later requests', async (words, act) => {
    const opened = openAccount();
    const { account, control, service } = opened;
    await service.delete(PATH);
    await act(opened);
    const records = recordsOf(account);
    const { status, body } = await control.post('/requests/1/rewind');
    expect(status).toBe(409);
    expect(body.detail).toContain(`cannot go back to before request 1, because`);
    expect(body.detail).toContain(words);
    expect(body.detail).toContain('Go back to a later request, or restore a snapshot.');
    expect(recordsOf(account)).toBe(records);

    await service.deleteEvents(['shared-ref']);
    expect(recordsOf(account)).not.toBe(records);
    expect(account.rewind(2)).toBe(1);
    expect(recordsOf(account)).toBe(records);
  });

  test('undoes a request and what ran after it, in whichever order they were received', async () => {
    const { account, overtaken } = await overtake();
    expect(account.rewind(overtaken)).toBe(1);
    expect(marked(account)).toEqual([overtaken]);
    expect(account.changes().map(({ id }) => id)).toEqual([OTHER_CONTRACT]);

    const other = await overtake();
    expect(other.account.rewind(2)).toBe(2);
    expect(marked(other.account)).toEqual([1, 2]);
    expect(other.account.changes()).toEqual([]);
  });

  test('leads past no deletion that the journal no longer has, for what ran before it', async () => {
    const { account, service, overtaken } = await overtake(
      await createMockServer({ dataset: DATASET, journalSize: 2 }),
    );
    await service.get('/measurements');
    expect(account.journal.list().map(({ id }) => id)).toEqual([2, 3]);
    expect(() => account.rewind(2)).toThrow(
      `because the journal no longer has request ${overtaken}, which deleted records`,
    );
    expect(account.rewind(3)).toBe(0);
  });

  test('is refused to requests that the journal does not have', async () => {
    const { account, control, service } = openAccount();
    await service.delete(PATH);
    expect(() => account.rewind(2)).toThrow(UnknownIdError);
    expect((await control.post('/requests/2/rewind')).status).toBe(404);
    account.journal.clear();
    expect((await control.post('/requests/1/rewind')).status).toBe(404);
    expect(account.contracts.get(CONTRACT)?.deletedAt).toBeDefined();
  });

  test('leaves alone what was deleted by a request that was no longer kept', async () => {
    const { account, service } = openAccount();
    account.faults.add({ kind: 'delay', delayMs: 50 });
    const late = fetchAs(server, service.token, PATH, { method: 'DELETE' });
    await until(() => account.faults.list()[0]?.fired === 1);
    account.journal.clear();
    expect((await late).status).toBe(200);
    await service.deleteEvents(['shared-ref']);
    expect(account.rewind(2)).toBe(1);
    expect(account.changes().map(({ id }) => id)).toEqual([CONTRACT]);
  });

  test('stops requests that are under way', async () => {
    const { account, service } = openAccount();
    await service.delete(PATH);
    account.faults.add({ kind: 'delay', delayMs: 50 });
    const late = fetchAs(server, service.token, `/contracts/${OTHER_CONTRACT}`, {
      method: 'DELETE',
    });
    await until(() => account.faults.list()[0]?.fired === 1);
    account.rewind(1);
    expect((await late).status).toBe(409);
    expect(account.changes()).toEqual([]);
  });
});

describe('what a delete keeps to be undone', () => {
  test('is shown nowhere', async () => {
    const { account, service } = openAccount();
    account.contracts.put({ id: 'first', name: `first ${'long '.repeat(10_000)}` });
    await service.delete('/contracts/first');
    expect(JSON.stringify([account.journal.list(), account.journal.toHar()])).not.toMatch(
      /replaced|long long/,
    );
  });
});
