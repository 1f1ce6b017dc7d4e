import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createMock } from '../../src/host/server/mock-server.js';
import {
  createMockServer,
  FixtureError,
  type MockServer,
  type MockServerOptions,
  ProblemError,
  UnknownIdError,
} from '../../src/index.js';
import { connectMockServer } from '../../src/mock/client/connect-mock-server.js';
import { clientOf } from '../support/client.js';
import { type Control, controlOf } from '../support/control.js';
import { newFolder, writeFixture } from '../support/fixture.js';

const FIXTURE = `
customers: [{ id: c1, name: Initech }, { name: Without an id }]
scenarios:
  outage:
    customers: [{ id: c1, name: Initech in trouble }, { name: Newcomer }]
    contracts: [{ id: k1, customerId: c1 }]
    faults: [{ kind: status, status: 503, operationId: deleteContract }]
    stubs: [{ method: GET, path: /me, body: { name: Robin } }]
    latency: 1..2
    clock: { frozenAt: 2030-01-02T03:04:05.000Z }
    decisions: { repeat-delete: gone }
  later:
    events: [{ ref: late }]
    clock: { advanceMs: 3600000 }
`;

const serve = (options: MockServerOptions = {}, text = FIXTURE) =>
  createMockServer({ dataset: writeFixture(text), ...options });

const PARTS = ['account', 'faults', 'stubs', 'latency', 'decisions', 'clock', 'changes'];

/** All that a test can see of an account except its name, and the time of a running clock. */
async function stateOf(control: Control): Promise<object[]> {
  const parts = PARTS.map(async (part) => (await control.get(`/${part}`)).body);
  const state = await Promise.all(parts);
  // What has changed since the opening depends on how it was opened.
  return state.map(({ name: _name, changed: _changed, ...part }) =>
    part.isFrozen === false ? 'running' : part,
  );
}

/** The ways to apply a scenario. */
const DOORS: Readonly<
  Record<string, (server: MockServer, token: string, name: string) => unknown>
> = {
  HTTP: async (server, token, name) => {
    const { status, body } = await controlOf(server, token).put('/scenario', { name });
    if (status !== 200) throw new UnknownIdError(body.detail);
  },
  'the library': (server, token, name) => server.account(token).scenario(name),
  'the client': (server, token, name) =>
    connectMockServer({ url: 'http://localhost', fetch: server.fetch })
      .account(token)
      .scenario(name),
};

const apply = (server: MockServer, token: string, name: string) =>
  server.account(token).scenario(name);

describe('a scenario', () => {
  test('arranges records, faults, stubs, latency, clock and decisions for one account', async () => {
    const server = await serve();
    const control = controlOf(server);
    const other = await stateOf(controlOf(server));
    await control.service.get('/customers/c1');
    apply(server, control.token, 'outage');

    const account = server.account(control.token);
    expect(account.customers.list().map(({ name }) => name)).toEqual([
      'Initech in trouble',
      'Without an id',
      'Newcomer',
    ]);
    expect((await control.service.delete('/contracts/k1')).status).toBe(503);
    expect((await control.service.delete('/contracts/k1')).status).toBe(200);
    expect((await control.service.delete('/contracts/k1')).status).toBe(410);
    expect((await control.service.get('/me')).body).toEqual({ name: 'Robin' });
    expect(account.contracts.get('k1')?.deletedAt).toBe('2030-01-02T03:04:05.000Z');
    expect(account.latency.range).toEqual({ minMs: 1, maxMs: 2 });
    expect(account.journal.list()[0]?.path).toBe('/customers/c1');
    expect(await stateOf(controlOf(server))).toEqual(other);
  });

  test('replaces another and all that was changed since, until a reset ends it', async () => {
    const server = await serve();
    const [control, fresh] = [controlOf(server), controlOf(server)];
    const before = await stateOf(control);
    apply(server, control.token, 'outage');
    server.account(control.token).customers.put({ id: 'c2', name: 'Mine' });
    apply(server, control.token, 'later');
    apply(server, fresh.token, 'later');
    expect(await stateOf(control)).toEqual(await stateOf(fresh));
    expect(await stateOf(control)).not.toEqual(before);
    await control.post('/reset');
    expect(await stateOf(control)).toEqual(before);
  });

  test.each(Object.entries(DOORS))(
    'is applied by %s, one that there is not refused',
    async (_door, ask) => {
      const server = await serve();
      const [control, other] = [controlOf(server), controlOf(server)];
      await ask(server, control.token, 'outage');
      apply(server, other.token, 'outage');
      const before = await stateOf(control);
      expect(before).toEqual(await stateOf(other));
      const refusal = expect(async () => ask(server, control.token, 'outrage')).rejects;
      await refusal.toThrow(
        "There is no scenario 'outrage' in this dataset; expected outage, later.",
      );
      expect(await stateOf(control)).toEqual(before);
    },
  );
});

test('a scenario for which there is no room changes nothing', async () => {
  const text = `
scenarios:
  small: { customers: [{ id: c1, name: Small }], faults: [{ kind: empty }], latency: 5 }
  large: { latency: 7, customers: [{ name: One }, { name: Two }] }
`;
  const maxima = { records: 2 };
  const { server } = await createMock({ dataset: writeFixture(text) }, { maxima });
  server.account('other').customers.put({ id: 'other' });
  const control = controlOf(server);
  server.account(control.token).scenario('small');
  const before = await stateOf(control);
  expect(() => server.account(control.token).scenario('large')).toThrow(ProblemError);
  expect(await stateOf(control)).toEqual(before);
});

test('the control plane lists the scenarios of the dataset that the account is over', async () => {
  const server = await serve({ accounts: { 'token-empty': { dataset: 'empty' } } });
  const namesFor = async (token: string) => (await controlOf(server, token).get('/scenarios')).body;
  expect(await namesFor('any')).toEqual({ scenarios: [{ name: 'outage' }, { name: 'later' }] });
  expect(await namesFor('token-empty')).toEqual({ scenarios: [] });
});

describe('the option `scenario`', () => {
  test('is what accounts open with and a reset returns to; others do not add to it', async () => {
    const server = await serve({ scenario: 'outage' });
    const [control, plain] = [controlOf(server), controlOf(await serve())];
    const opened = await stateOf(control);
    expect(server.account(control.token).customers.get('c1')?.name).toBe('Initech in trouble');
    await control.put('/scenario', { name: 'later' });
    await plain.put('/scenario', { name: 'later' });
    expect(await stateOf(control)).toEqual(await stateOf(plain));
    await control.post('/reset');
    expect(await stateOf(control)).toEqual(opened);
  });

  test('leaves accounts over a dataset without it as they are', async () => {
    const accounts = { 'token-empty': { dataset: 'empty' }, 'token-b': { seed: 7 } };
    const server = await serve({ scenario: 'outage', accounts });
    expect(server.account('token-empty').changes()).toEqual([]);
    expect(server.account('token-b').latency.range.maxMs).toBe(2);
  });

  test('that names none stops the start with the names of those that there are', async () => {
    const refusal = expect(serve({ scenario: 'outrage' })).rejects;
    await refusal.toThrow(
      new FixtureError("There is no scenario 'outrage' in this dataset; expected outage, later."),
    );
    await expect(createMockServer({ scenario: 'x' })).rejects.toThrow('a fixture with `scenarios`');
  });
});

describe('the token token-scenario-NAME', () => {
  test('opens an account in the scenario, and a reset returns to it', async () => {
    const server = await serve({ decisions: { 'unknown-token': 'reject' }, scenario: 'later' });
    const client = clientOf(server, 'token-scenario-outage');
    expect((await client.get('/customers/c1')).body.customer.name).toBe('Initech in trouble');
    server.account('token-scenario-outage').reset();
    expect((await client.get('/customers/c1')).body.customer.name).toBe('Initech in trouble');
  });

  test('is any other token where there is no scenario of that name', async () => {
    const server = await serve({ decisions: { 'unknown-token': 'reject' } });
    expect((await clientOf(server, 'token-scenario-none').get('/customers/c1')).status).toBe(401);
    expect(server.account('token-scenario-').changes()).toEqual([]);
  });

  test('is what the fixture declares it to be', async () => {
    const refused = `${FIXTURE}\naccounts: { token-scenario-outage: { refused: true } }`;
    const server = await serve({}, refused);
    expect((await clientOf(server, 'token-scenario-outage').get('/customers/c1')).status).toBe(401);
  });
});

test('scenarios are inherited, and one of the same name replaces the inherited one', async () => {
  const base = writeFixture(FIXTURE);
  const own = { outage: { latency: 9 } };
  const server = await serve({}, JSON.stringify({ extends: base, scenarios: own }));
  const account = server.account('t');
  account.scenario('later');
  expect(account.events.list()).toMatchObject([{ ref: 'late' }]);
  account.scenario('outage');
  expect([account.latency.range.maxMs, account.faults.list()]).toEqual([9, []]);
});

test('dates of a scenario may be relative', async () => {
  const text = `
scenarios:
  month-end:
    contracts: [{ id: k1, startDate: -30d }]
    clock: { frozenAt: +9dT23:59:59.999Z }
`;
  const account = (await serve({ now: '2026-11-22' }, text)).account('t');
  account.scenario('month-end');
  expect(account.contracts.get('k1')?.startDate).toBe('2026-10-23T00:00:00.000Z');
  expect(account.clock.now().toISOString()).toBe('2026-12-01T23:59:59.999Z');
});

describe('a mistake in a scenario stops the start and says where', () => {
  test.each([
    ['records: []', "Unknown member 'records' in 'scenarios/s'."],
    ['customers: [{ nmae: A }]', "Unknown member 'nmae' in 'scenarios/s/customers/0'."],
    ['events: [{ id: a }, { id: a }]', '\'scenarios/s/events/1/id\' is "a"; expected a unique id'],
    [
      'contracts: [{ customerId: c9 }]',
      '\'scenarios/s/contracts/0/customerId\' is "c9"; expected the id of',
    ],
    [
      'faults: [{ kind: status }]',
      '\'scenarios/s/faults/0\' is {"kind":"status"}; expected the member \'status\'',
    ],
    [
      'faults: [{ kind: brake }]',
      '\'scenarios/s/faults/0/kind\' is "brake"; expected one of status, delay',
    ],
    [
      'stubs: [{ method: GET, path: me }]',
      '\'scenarios/s/stubs/0/path\' is "me"; expected a path such as',
    ],
    ['latency: 20..3', '\'scenarios/s/latency\' is "20..3"; expected milliseconds from 0 to 60000'],
    [
      'clock: { frozenAt: noon }',
      '\'scenarios/s/clock/frozenAt\' is "noon"; expected a value in the format',
    ],
    ['clock: {}', "'scenarios/s/clock' is {}; expected at least 1 member of frozenAt,"],
    [
      'decisions: { repeat-delete: 5 }',
      "'scenarios/s/decisions/repeat-delete' is 5; expected one of not-found",
    ],
    ['decisions: { unknown-token: reject }', 'Leave it out, and start the mock with --decide'],
  ])('%s', async (member, sentence) => {
    const text = `customers: [{ id: c1 }]\nscenarios:\n  s:\n    ${member}`;
    const refusal = await serve({}, text).catch((error) => error);
    expect(refusal).toBeInstanceOf(FixtureError);
    expect(refusal.message).toContain(sentence);
    expect(refusal.message).toMatch(/\.yaml:4:\d+ /);
    expect(refusal.message.split('\n')).toHaveLength(1);
  });

  test.each([
    ['scenarios: [a]', '\'scenarios\' is ["a"]; expected an object'],
    ['scenarios: { s: 5 }', "'scenarios/s' is 5; expected an object"],
    [
      'scenarios: { a b: {} }',
      '\'scenarios/a b\' is "a b"; expected what a bearer token can end with: visible ASCII',
    ],
  ])('%s', async (text, sentence) => {
    await expect(serve({}, text)).rejects.toThrow(sentence);
  });

  test('but refers to customers of its own and of what it is on top of', async () => {
    const mine = '{ customers: [{ id: c2 }], contracts: [{ customerId: c1 }, { customerId: c2 }] }';
    const server = await serve({}, `customers: [{ id: c1 }]\nscenarios: { s: ${mine} }`);
    server.account('t').scenario('s');
    expect(server.account('t').contracts.list()).toHaveLength(2);
  });
});

test('a scenario that changes is that of its accounts once --watch has read it', async () => {
  const file = writeFixture('scenarios: { s: { latency: 1 } }');
  const server = await createMockServer({ dataset: file, watch: true, scenario: 's' });
  await server.start();
  const { latency } = server.account('t');
  writeFileSync(file, 'scenarios: { s: { latency: 2 } }');
  while (latency.range.maxMs !== 2) await wait(20);
  server.account('t').reset();
  expect(latency.range.maxMs).toBe(2);
  await server.stop();
});

test('an account in a scenario is the same after a restart with a state file', async () => {
  const options = { dataset: writeFixture(FIXTURE), stateFile: join(newFolder(), 'state.json') };
  const first = await createMockServer(options);
  await first.start();
  first.account('t').scenario('outage');
  const before = await stateOf(controlOf(first, 't'));
  await first.stop();
  const second = await createMockServer(options);
  expect(await stateOf(controlOf(second, 't'))).toEqual(before);
});

test.each([
  ['outage', undefined],
  ['outage', 'later'],
  [undefined, 'outage'],
])('an account saved with the scenario %s is the same under %s', async (saved, now) => {
  const stateFile = join(newFolder(), 'state.json');
  const dataset = writeFixture(FIXTURE);
  const serveWith = async (scenario: string | undefined) => {
    const server = await createMockServer({ dataset, stateFile, ...(scenario && { scenario }) });
    return { server, state: () => stateOf(controlOf(server, 't')) };
  };
  const first = await serveWith(saved);
  first.server.account('t').clock.freeze('2031-01-01T00:00:00.000Z');
  first.server.account('t').contracts.put({ id: 'k2', customerId: 'c1' });
  const [, ...before] = await first.state();
  await first.server.stop();
  const second = await serveWith(now);
  const [, ...after] = await second.state();
  expect(after).toEqual(before);
  await second.server.stop();
});
