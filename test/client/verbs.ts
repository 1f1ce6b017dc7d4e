import type { AccountControl, StubRequest } from '../../src/index.js';
import type { Remote, RemoteServer } from '../../src/mock/client/connect-mock-server.js';

/** What every step acts on: the client, or the library, which returns values without promises. */
export interface Verbs {
  readonly account: Remote<AccountControl>;
  readonly server: Omit<RemoteServer, 'url'>;
  /** Sends a request to the service. */
  readonly request: (path: string, method?: string, token?: string) => Promise<number>;
}

/** A call, and what it is about. */
export type Step = readonly [about: string, act: (verbs: Verbs) => unknown];

const COLLECTIONS = ['customers', 'contracts', 'measurements', 'events'] as const;
const CONTRACT = '65b000000000000000000001';

/** A value that the types refuse, but callers in JavaScript can pass. */
// biome-ignore lint/suspicious/noExplicitAny: every type is meant
const odd = (value: unknown): any => value;

/** Removes times: the server's clock cannot be frozen, so they are the machine's. */
function timeless(value: unknown): unknown {
  const times = ['at', 'startedDateTime', 'time', 'durationMs', 'wait'];
  return JSON.parse(JSON.stringify(value), (name, member) =>
    times.includes(name) ? undefined : member,
  );
}

const ODD_IDS = ['...', ' ', 'a/b', 'a%2Fb', '?x#y', '漢字'];

/** A nested member that a patch removes by being undefined. */
const NESTED_STEPS: Step[] = [
  [
    'customers: put with a nested member',
    ({ account }) => account.customers.put({ id: 'n1', address: { city: 'Rome', country: 'IT' } }),
  ],
  [
    'customers: patch with a nested undefined',
    ({ account }) => account.customers.patch('n1', { address: { city: undefined } }),
  ],
];

function recordSteps(name: (typeof COLLECTIONS)[number]): Step[] {
  return [
    [`${name}: a record that there is`, async ({ account }) => (await account[name].list())[0]],
    [`${name}: all records`, ({ account }) => account[name].list()],
    [`${name}: put`, ({ account }) => account[name].put(odd({ ...RECORDS[name], id: 'x1' }))],
    [`${name}: get`, ({ account }) => account[name].get('x1')],
    [`${name}: get what is not there`, ({ account }) => account[name].get('nobody')],
    [
      `${name}: put in place of it`,
      ({ account }) => account[name].put(odd({ ...RECORDS[name], id: 'x1' })),
    ],
    [`${name}: add without an id`, ({ account }) => account[name].add(RECORDS[name])],
    [`${name}: add with an id`, ({ account }) => account[name].add({ ...RECORDS[name], id: 'x2' })],
    [
      `${name}: add with an id that is there`,
      ({ account }) => account[name].add(odd({ id: 'x1' })),
    ],
    [
      `${name}: patch`,
      ({ account }) => account[name].patch('x1', { updatedAt: '2031-01-01T00:00:00.000Z' }),
    ],
    [
      `${name}: patch, removing a member`,
      ({ account }) => account[name].patch('x2', { deletedAt: null }),
    ],
    [
      `${name}: patch with undefined`,
      ({ account }) => account[name].patch('x2', { createdAt: undefined }),
    ],
    [`${name}: patch another id`, ({ account }) => account[name].patch('x2', { id: 'x3' })],
    [
      `${name}: patch a member that there is not`,
      ({ account }) => account[name].patch('x2', { nmae: 1 }),
    ],
    [`${name}: patch nobody`, ({ account }) => account[name].patch('nobody', {})],
    [`${name}: remove`, ({ account }) => account[name].remove('x2')],
    [`${name}: remove again`, ({ account }) => account[name].remove('x2')],
    [`${name}: all records after that`, ({ account }) => account[name].list()],
    ...ODD_IDS.flatMap((id): Step[] => [
      [
        `${name}: put with the id ${JSON.stringify(id)}`,
        ({ account }) => account[name].put(odd({ id })),
      ],
      [`${name}: get the id ${JSON.stringify(id)}`, ({ account }) => account[name].get(id)],
      [`${name}: patch the id ${JSON.stringify(id)}`, ({ account }) => account[name].patch(id, {})],
      [`${name}: remove the id ${JSON.stringify(id)}`, ({ account }) => account[name].remove(id)],
    ]),
    ...[{ id: 'x', nmae: 'y' }, { id: 'x', createdAt: 'now' }, { id: '' }].map(
      (record): Step => [
        `${name}: put ${JSON.stringify(record)}`,
        ({ account }) => account[name].put(odd(record)),
      ],
    ),
  ];
}

const RECORDS = {
  customers: { name: 'Initech', aliases: ['initech'] },
  contracts: { customerId: 'x1', name: 'Initech 2030' },
  measurements: { customerId: 'x1', value: 12, usageDate: { year: 2030, month: 1, day: 31 } },
  events: { customerAlias: 'initech', ref: 'tps', data: { units: '3' } },
};

const JOURNAL: Step[] = [
  [
    'requests',
    async ({ request }) => [
      await request(`/contracts/${CONTRACT}`, 'DELETE'),
      await request(`/contracts/${CONTRACT}`, 'DELETE'),
      await request('/customers/name/M%C3%BCller%20%26%20S%C3%B6hne?x=1'),
      await request('/measurements?limit=5000'),
    ],
  ],
  ['journal: all', ({ account }) => account.journal.list()],
  ['journal: an empty filter', ({ account }) => account.journal.list({})],
  ['journal: count', ({ account }) => account.journal.count()],
  ['journal: evicted', ({ account }) => account.journal.evicted],
  ['journal: archive', ({ account }) => account.journal.toHar()],
  ['journal: part of the archive', ({ account }) => account.journal.toHar({ status: 404 })],
  ['journal: explained', ({ account }) => account.journal.explain(2)],
  ['going back to before a request', ({ account }) => account.rewind(2)],
  ['going back past a change of the records', ({ account }) => account.rewind(1)],
  ['going back to before a request that is gone', ({ account }) => account.rewind(99)],
  ...[
    { operationId: 'deleteContract', status: 404 },
    { path: '/customers/name/M%C3%BCller%20%26%20S%C3%B6hne' },
    { path: '/a?b&c=d#e' },
    { since: '2030-01-01T00:00:00+00:00' },
    { since: '2031-01-01T00:00:00.000Z' },
    { since: 'yesterday' },
    { status: 404.5 },
    { status: undefined },
    { operationId: 'deleteContrat' },
    { pth: '/' },
  ].flatMap((filter): Step[] => [
    [`journal: list ${JSON.stringify(filter)}`, ({ account }) => account.journal.list(odd(filter))],
    [
      `journal: count ${JSON.stringify(filter)}`,
      ({ account }) => account.journal.count(odd(filter)),
    ],
    [
      `journal: archive ${JSON.stringify(filter)}`,
      ({ account }) => account.journal.toHar(odd(filter)),
    ],
    [
      `journal: wait ${JSON.stringify(filter)}`,
      ({ account }) => account.journal.waitFor(odd(filter), { count: 1, timeoutMs: 1 }),
    ],
    [
      `the server's journal: list ${JSON.stringify(filter)}`,
      async ({ server }) => timeless(await server.journal.list(odd(filter))),
    ],
  ]),
  ['journal: nothing to explain', ({ account }) => account.journal.explain(99)],
  ...[{ count: 0 }, { count: 1.5 }, { timeoutMs: -1 }, { timeoutMs: 1e9 }, { cuont: 1 }, {}].map(
    (options): Step => [
      `journal: wait with ${JSON.stringify(options)}`,
      ({ account }) => account.journal.waitFor(undefined, odd(options)),
    ],
  ),
  [
    'requests of nobody',
    async ({ request }) => [await request('/nowhere'), await request('/measurements', 'GET', '')],
  ],
  ["the server's journal", async ({ server }) => timeless(await server.journal.list())],
  ["the server's journal: count", ({ server }) => server.journal.count({ status: 401 })],
  ["the server's journal: archive", async ({ server }) => timeless(await server.journal.toHar())],
  ["the server's journal: evicted", ({ server }) => server.journal.evicted],
  ["the server's journal: wait", async ({ server }) => timeless(await server.journal.waitFor())],
  ["the server's journal: explained", ({ server }) => server.journal.explain(1)],
  ["the server's journal: nothing explained", ({ server }) => server.journal.explain(77)],
  ["the server's journal: cleared", ({ server }) => server.journal.clear()],
  ["the server's journal: after that", async ({ server }) => timeless(await server.journal.list())],
  ['journal: cleared', ({ account }) => account.journal.clear()],
  ['journal: cleared again', ({ account }) => account.journal.clear()],
  [
    'more requests than it keeps',
    async ({ request }) => {
      for (let nth = 0; nth < 12; nth += 1) await request('/customers/x1');
    },
  ],
  ['journal: evicted by these', ({ account }) => account.journal.evicted],
];

const FAULTS: Step[] = [
  ...[
    { operationId: 'deleteContract', kind: 'status', status: 503, times: 2, retryAfterS: 1 },
    { kind: 'reset', phase: 'after', times: 'always', skip: 3 },
    { kind: 'delay', delayMs: 5, path: '/login' },
    { kind: 'reset', times: undefined, operationId: undefined },
    { kind: 'status' },
    { kind: 'status', status: undefined },
    { kind: 'status', status: 99 },
    { kind: 'rest' },
    { kind: 'reset', skip: -1, times: 0, phase: 'x' },
    { kind: 'reset', path: '/x', operationId: 'getCustomer' },
    { knd: 'reset' },
    {},
  ].map(
    (fault): Step => [
      `faults: add ${JSON.stringify(fault)}`,
      ({ account }) => account.faults.add(odd(fault)),
    ],
  ),
  ['faults: all', ({ account }) => account.faults.list()],
  ...[2, 2, 99].map(
    (id): Step => [`faults: remove ${id}`, ({ account }) => account.faults.remove(id)],
  ),
  ['a request that meets one', ({ request }) => request(`/contracts/${CONTRACT}`, 'DELETE')],
  ['faults: all after that', ({ account }) => account.faults.list()],
  ['faults: cleared', ({ account }) => account.faults.clear()],
  ['faults: cleared again', ({ account }) => account.faults.clear()],
];

const stub: StubRequest = { method: 'GET', path: '/me/{id}', body: { id: '{{path.id}}' } };

const STUBS: Step[] = (['account', 'server'] as const).flatMap((owner): Step[] => {
  const stubsOf = (verbs: Verbs) => verbs[owner].stubs;
  return [
    ...[
      stub,
      stub,
      {
        method: 'POST',
        path: '/text',
        headers: { 'Content-Type': 'text/plain' },
        body: 'hello',
        status: 201,
      },
      { method: 'GET', path: '/open', needsToken: false },
      {
        method: 'GET',
        path: '/undefined',
        status: undefined,
        body: { left: undefined, out: [undefined] },
      },
      { method: 'GET', path: '/measurements' },
      { method: 'GET', path: 'me' },
      { method: 'FETCH', path: '/me2' },
      { method: 'GET', path: '/x', body: { id: '{{path.id}}' } },
      { method: 'GET', path: '/x', for: 'server' },
      { method: 'GET', path: '/x', stauts: 200 },
      { method: 'GET', path: '/x', status: 204, body: {} },
    ].map(
      (request): Step => [
        `${owner}: add the stub ${JSON.stringify(request)}`,
        (verbs) => stubsOf(verbs).add(odd(request)),
      ],
    ),
    [`${owner}: all stubs`, (verbs) => stubsOf(verbs).list()],
    ...[2, 2, 99].map(
      (id): Step => [`${owner}: remove the stub ${id}`, (verbs) => stubsOf(verbs).remove(id)],
    ),
    [`${owner}: a call of a stub`, ({ request }) => request('/me/7')],
    [`${owner}: stubs after that`, (verbs) => stubsOf(verbs).list()],
  ];
});

const CLEAR_STUBS: Step[] = [
  ['account: stubs cleared', ({ account }) => account.stubs.clear()],
  ['server: stubs stay', ({ server }) => server.stubs.list()],
  ['server: stubs cleared', ({ server }) => server.stubs.clear()],
];

const CLOCK: Step[] = [
  ['clock: now', ({ account }) => account.clock.now()],
  ['clock: frozen', ({ account }) => account.clock.isFrozen],
  [
    'clock: running',
    async ({ account }) => {
      await account.clock.useRealTime();
      return [await account.clock.isFrozen, await account.clock.isSet];
    },
  ],
  [
    'clock: frozen at its time',
    async ({ account }) => {
      await account.clock.freeze();
      return [
        await account.clock.isFrozen,
        Math.round((await account.clock.now()).getTime() / 1e6),
      ];
    },
  ],
  ...[
    '2030-01-02T03:04:05.000Z',
    new Date('2030-01-02T03:04:05.678Z'),
    new Date('never'),
    new Date(8.64e15),
    '2030-02-30T00:00:00Z',
  ].map(
    (at): Step => [
      `clock: freeze ${JSON.stringify(at)}`,
      ({ account }) => account.clock.freeze(at),
    ],
  ),
  ['clock: now, frozen', ({ account }) => account.clock.now()],
  ...[60_000, 0, -1, Number.NaN, 8e15].map(
    (ms): Step => [`clock: advance ${ms}`, ({ account }) => account.clock.advance(ms)],
  ),
  ['clock: now, advanced', ({ account }) => account.clock.now()],
];

const LATENCY: Step[] = [
  ['latency: range', ({ account }) => account.latency.range],
  ...[3, '0..2', '5..1', 60_001, 'fast'].map(
    (latency): Step => [
      `latency: set ${JSON.stringify(latency)}`,
      ({ account }) => account.latency.set(odd(latency)),
    ],
  ),
  ['latency: range that was set', ({ account }) => account.latency.range],
  ['latency: cleared', ({ account }) => account.latency.clear()],
  ['latency: no range', ({ account }) => account.latency.range],
];

const DECISIONS: Step[] = [
  ['decisions: in force', ({ account }) => account.decisions.inForce],
  ...[
    { 'repeat-delete': 'gone', 'cursor-lifetime': '5m' },
    {
      'limit-out-of-bounds': {
        value: 'reject',
        seen: { host: 'h', at: '2030-01-01T00:00:00Z', evidence: ['x'] },
      },
    },
    { 'limit-out-of-bounds': { value: 'reject', seen: { host: '', at: 'x', evidence: [] } } },
    { 'repeat-delete': undefined },
    { 'repeat-delete': 'gon' },
    { 'repeat-delte': 'gone' },
    { 'success-status': 202 },
    { 'unknown-token': 'reject' },
    {},
  ].map(
    (changes): Step => [
      `decisions: change ${JSON.stringify(changes)}`,
      ({ account }) => account.decisions.change(odd(changes)),
    ],
  ),
  ['decisions: in force after that', ({ account }) => account.decisions.inForce],
  ['decisions: fidelity', ({ account }) => account.decisions.fidelity()],
  ['the document in force', ({ server }) => server.openapi('parity')],
];

const STATE: Step[] = [
  ['fingerprint', ({ account }) => account.fingerprint()],
  ['changes', ({ account }) => account.changes()],
  ['state, out', ({ account }) => account.exportState()],
  ['fixture', ({ account }) => account.fixture({ key: 'k' })],
  ['fixture, partly', ({ account }) => account.fixture({ keep: ['/customers/name'], key: 'k' })],
  [
    'fixture, two members kept',
    ({ account }) => account.fixture({ keep: ['/customers/name', '/events/data'], key: 'k' }),
  ],
  ['fixture, whole', ({ account }) => account.fixture({ whole: true, newIds: true, key: 'k' })],
  ...[undefined, 'before', 'a/b', '🙂', '..', 'x'.repeat(201)].map(
    (id): Step => [`snapshot ${JSON.stringify(id)}`, ({ account }) => account.snapshot(id)],
  ),
  [
    'state, in',
    ({ account }) => account.importState({ customers: [odd({ id: 'c1', name: 'Only' })] }),
  ],
  ['state, out again', ({ account }) => account.exportState()],
  ...[
    { customers: [{ id: 'c1' }, { id: 'c1' }] },
    { customrs: [] },
    { events: [{ id: 'e', data: { a: 1 } }] },
    { customers: Array.from({ length: 25 }, (_, nth) => ({ id: nth })) },
  ].map(
    (state): Step => [
      `state, in: ${JSON.stringify(state).slice(0, 60)}`,
      ({ account }) => account.importState(odd(state)),
    ],
  ),
  ['nothing was changed', ({ account }) => account.fingerprint()],
  ...['nobody', 'a/b', '🙂', 'before'].map(
    (id): Step => [`restore ${JSON.stringify(id)}`, ({ account }) => account.restore(id)],
  ),
  ['a scenario that there is not', ({ account }) => account.scenario('nobody')],
  ['fingerprint after that', ({ account }) => account.fingerprint()],
  ...[
    { outcome: 'failed', message: 'expected 404' },
    { outcome: 'passed', file: 'a.test.ts', title: 'a test' },
    { outcome: 'skipped' },
    { outcome: 'passed', title: '' },
  ].map(
    (outcome): Step => [
      `mark its test as ${JSON.stringify(outcome)}`,
      ({ account }) => account.markTest(odd(outcome)),
    ],
  ),
  ...['TestRefund/twice', '', 'two\nlines', 'x'.repeat(201)].map(
    (name): Step => [`name it ${JSON.stringify(name)}`, ({ account }) => account.setName(name)],
  ),
  ['reset', ({ account }) => account.reset()],
  ['fingerprint after the reset', ({ account }) => account.fingerprint()],
];

const SERVER: Step[] = [
  ['the coverage', ({ server }) => server.coverage()],
  ['reset all', ({ server }) => server.resetAll()],
  [
    'two accounts',
    async ({ request }) => [
      await request('/measurements', 'GET', 'ci-1'),
      await request('/measurements', 'GET', 'ci-2'),
    ],
  ],
  ...[{ prefix: 'ci-' }, { prefix: 'ci-' }, { prefix: 'a b' }, { prefix: '' }, {}].map(
    (selection): Step => [
      `close ${JSON.stringify(selection)}`,
      ({ server }) => server.closeAccounts(odd(selection)),
    ],
  ),
  ...['parity', 'parity', 'a b', '', 'token-refused'].map(
    (token): Step => [
      `close the account ${JSON.stringify(token)}`,
      ({ server }) => server.closeAccount(token),
    ],
  ),
  ['the account of no token', async ({ server }) => server.account('a b').fingerprint()],
  ['a refused account', async ({ server }) => server.account('token-refused').fingerprint()],
  ['the document of a refused account', async ({ server }) => server.openapi('token-refused')],
  [
    'another account',
    ({ server }) => server.account('other').customers.get('65a000000000000000000001'),
  ],
  ['close all', ({ server }) => server.closeAllAccounts()],
  ['close all again', ({ server }) => server.closeAllAccounts()],
];

/** Every verb, with right and wrong input, in an order in which each shows what others did. */
export const STEPS: readonly Step[] = [
  ['a time that stays', ({ account }) => account.clock.freeze('2030-01-01T00:00:00.000Z')],
  ...COLLECTIONS.flatMap(recordSteps),
  ...NESTED_STEPS,
  ...JOURNAL,
  ...FAULTS,
  ...STUBS,
  ...CLEAR_STUBS,
  ...CLOCK,
  ...LATENCY,
  ...DECISIONS,
  ...STATE,
  ...SERVER,
];
