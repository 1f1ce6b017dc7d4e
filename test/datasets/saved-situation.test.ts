import { STATUS_CODES } from 'node:http';
import type { Fixture } from '../../src/core/datasets/fixture/fixture.js';
import { createPortableMock } from '../../src/host/server/in-page/browser-mock.js';
import { browserPlatform } from '../../src/host/server/in-page/browser-platform.js';
import {
  type AccountControl,
  type AccountFixture,
  createMockServer,
  type FaultRequest,
} from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';
import { FAULTS } from '../support/faults.js';
import { writeFixture } from '../support/fixture.js';
import { SHIPPED } from '../support/shipped.js';

const CONTRACT = '65b000000000000000000001';
const AT = '2026-10-01T12:00:00.000Z';
const SEEN = { host: 'h', at: AT, evidence: ['GET / -> 404'] };

/** A situation with a change of every part. */
function arrange(account: AccountControl): void {
  account.customers.put({ id: 'c1', name: 'Initech' });
  account.contracts.remove(CONTRACT);
  account.faults.add({ kind: 'status', status: 503, operationId: 'getCustomer', times: 'always' });
  account.stubs.add({ method: 'GET', path: '/me', body: { name: 'Robin' } });
  account.clock.freeze('2030-01-01T00:00:00.000Z');
  account.latency.set('1..2');
  account.decisions.change({
    'repeat-delete': 'gone',
    'total-counts': { value: 'all', seen: SEEN },
  });
}

/** All that an account has, but for its journal. */
function stateOf(account: AccountControl) {
  return {
    records: account.fingerprint(),
    faults: account.faults.list(),
    stubs: account.stubs.list(),
    isFrozen: account.clock.isFrozen,
    now: account.clock.isFrozen && account.clock.now(),
    latency: account.latency.range,
    decisions: account.decisions.inForce,
    fidelity: account.decisions.fidelity(),
  };
}

/** The account as a file would have it. */
const saved = (account: AccountControl): AccountFixture =>
  JSON.parse(JSON.stringify(account.fixture({ keepNames: true })));

/** An account over the dataset, or over the saved fixture as a file. */
async function open(dataset: string | AccountFixture = 'default', token = 't') {
  const path = typeof dataset === 'string' ? dataset : writeFixture(JSON.stringify(dataset));
  const server = await createMockServer({ dataset: path });
  return { server, account: server.account(token) };
}

/** Where a saved account goes; each gives the account that then has it. */
const DOORS: readonly [words: string, (fixture: AccountFixture) => Promise<AccountControl>][] = [
  ['a mock with the file as its dataset', async (fixture) => (await open(fixture)).account],
  [
    'a mock in a page',
    async (fixture) => {
      const options = { dataset: fixture as Fixture };
      const mock = await createPortableMock(SHIPPED, options, browserPlatform(STATUS_CODES));
      return mock.account('t') as AccountControl;
    },
  ],
  [
    'another account by PUT /__control/state',
    async (fixture) => {
      const { server, account } = await open();
      account.faults.add({ kind: 'empty' });
      account.customers.put({ id: 'gone' });
      expect((await controlOf(server, 't').put('/state', fixture)).status).toBe(200);
      return account;
    },
  ],
];

/** A server with an account that is arranged, and another. */
const arranged = await (async () => {
  const { account, server } = await open();
  arrange(account);
  const other = server.account('other');
  other.latency.set(4);
  return { account, other };
})();

describe('a saved account', () => {
  test.each(DOORS)('has all its parts again in %s', async (_words, load) => {
    const { account } = await open();
    arrange(account);
    const loaded = await load(saved(account));
    expect(stateOf(loaded)).toEqual(stateOf(account));
    expect(loaded.customers.get('c1')?.name).toBe('Initech');
  });

  test('is what a reset returns to, where it is the dataset', async () => {
    const { account } = await open();
    arrange(account);
    const { account: loaded } = await open(saved(account));
    const before = stateOf(loaded);
    expect(loaded.changes()).toEqual([]);
    loaded.faults.clear();
    loaded.clock.useRealTime();
    loaded.reset();
    expect(stateOf(loaded)).toEqual(before);
  });

  test('has no scenario if only records have changed, and little to say', async () => {
    const { account } = await open();
    account.customers.put({ id: 'c1', createdAt: AT });
    account.latency.set(5);
    const { scenarios, ...records } = account.fixture();
    expect(scenarios).toEqual({ opening: { latency: 5 } });
    expect(JSON.stringify(records).length).toBeLessThan(300);
    account.latency.clear();
    account.restore('opening');
    account.customers.put({ id: 'c1', createdAt: AT });
    expect(account.fixture()).toEqual(records);
  });

  test('has what is left of its faults and of the responses of its stubs', async () => {
    const { server, account } = await open();
    const { get } = clientOf(server, 't');
    account.faults.add({ kind: 'status', status: 503, operationId: 'getCustomer', times: 1 });
    account.faults.add({
      kind: 'status',
      status: 500,
      operationId: 'getCustomer',
      skip: 1,
      times: 2,
    });
    const responses = [{ status: 401 }, { status: 202 }, { status: 200 }];
    account.stubs.add({ method: 'GET', path: '/me', responses });
    const statuses = async (call: typeof get, path: string, count: number) => {
      const all: number[] = [];
      for (let nth = 0; nth < count; nth += 1) all.push((await call(path)).status);
      return all;
    };
    expect(await statuses(get, '/customers/c', 3)).toEqual([503, 404, 500]);
    expect(await statuses(get, '/me', 1)).toEqual([401]);
    const loaded = clientOf((await open(saved(account))).server, 't');
    expect(await statuses(loaded.get, '/customers/c', 2)).toEqual([500, 404]);
    expect(await statuses(loaded.get, '/me', 3)).toEqual([202, 200, 200]);
  });

  test('keeps every kind of fault, its phase, its path and what it skips', async () => {
    const { account, server } = await open('empty');
    const faults: FaultRequest[] = [
      ...FAULTS,
      { kind: 'delay', delayMs: 5, phase: 'after' },
      { kind: 'reset', path: '/me' },
      { kind: 'malformed-json', skip: 2 },
    ];
    for (const fault of faults) account.faults.add(fault);
    const other = server.account('other');
    other.importState(saved(account));
    expect(other.faults.list()).toEqual(account.faults.list());
  });

  test('over a dataset that has an opening opens without what was ended there', async () => {
    const base = await open();
    arrange(base.account);
    const { server, account } = await open(saved(base.account));
    account.faults.clear();
    account.clock.useRealTime();
    account.latency.clear();
    account.decisions.change({ 'repeat-delete': 'not-found' });
    account.stubs.clear();
    const { account: loaded } = await open(saved(account));
    expect(stateOf(loaded)).toMatchObject({ faults: [], stubs: [], isFrozen: false });
    expect(loaded.latency.range.maxMs).toBe(0);
    expect(loaded.decisions.inForce).toEqual(account.decisions.inForce);
    expect(server.account('u').faults.list()).toHaveLength(1);
  });

  test('says which collections an import has emptied, and little else', async () => {
    const { account, server } = await open();
    account.importState({ customers: [{ id: 'b' }, { id: 'a' }] });
    const fixture = saved(account);
    expect(fixture).toMatchObject({
      extends: 'default',
      removed: { customers: 'all', contracts: 'all', measurements: 'all', events: 'all' },
      customers: [{ id: 'b' }, { id: 'a' }],
    });
    expect(JSON.stringify(fixture).length).toBeLessThan(500);
    expect((await open(fixture)).account.fingerprint()).toBe(account.fingerprint());
    const other = server.account('other');
    other.importState(fixture);
    expect(other.fingerprint()).toBe(account.fingerprint());
  });

  test('opens in the scenario that is asked for, in place of its own', async () => {
    const { account } = await open();
    account.latency.set(3);
    const fixture = {
      ...saved(account),
      scenarios: { ...saved(account).scenarios, slow: { latency: 9 } },
    };
    const server = await createMockServer({ dataset: writeFixture(JSON.stringify(fixture)) });
    const latencyOf = (token: string) => server.account(token).latency.range.maxMs;
    expect([latencyOf('t'), latencyOf('token-scenario-slow')]).toEqual([3, 9]);
    server.account('t').scenario('slow');
    server.account('t').scenario('opening');
    expect(latencyOf('t')).toBe(3);
  });

  test.each<[string, object, RegExp]>([
    [
      'another dataset',
      { extends: 'mine.yaml' },
      /'extends' is "mine\.yaml"; expected "default", as the account has, or default, demo, edge-cases, empty, large\. Start a mock with this file as its dataset instead\.$/,
    ],
    ['another seed', { seed: 7 }, /'seed' is 7; expected \d+, as the dataset has/],
    ['a name that is nearly right', { extends: 'dem' }, /Did you mean 'demo'\?/],
    ['an unknown member', { generate: {} }, /Unknown member 'generate'/],
    ['another scenario', { scenarios: { outage: {} } }, /Unknown member 'outage' in 'scenarios'/],
    [
      'a wrong fault',
      { scenarios: { opening: { faults: [{ kind: 'delay' }] } } },
      /'scenarios\/opening\/faults\/0'/,
    ],
    ['a wrong removal', { removed: { customers: 'some' } }, /'removed\/customers'/],
  ])('is refused with %s, and nothing changes', (_words, change, sentence) => {
    const { account, other } = arranged;
    const before = stateOf(other);
    expect(() => other.importState({ ...saved(account), ...change })).toThrow(sentence);
    expect(stateOf(other)).toEqual(before);
  });
});
