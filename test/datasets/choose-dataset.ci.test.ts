import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { SHIPPED_DATASETS } from '../../src/core/datasets/shipped-datasets.js';
import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { newFolder, writeFixture } from '../support/fixture.js';

const server = await createMockServer();

const CHOSEN = ['default', 'demo', 'edge-cases', 'empty'];

/** The fingerprint of an untouched account over each dataset, by its name. */
const fingerprints = new Map(
  await Promise.all(
    CHOSEN.map(async (dataset) => {
      const account = (await createMockServer({ dataset })).account('t');
      return [dataset, account.fingerprint()] as const;
    }),
  ),
);

let tokens = 0;

function open() {
  tokens += 1;
  const token = `choosing-${tokens}`;
  return { account: server.account(token), control: controlOf(server, token) };
}

test('the names are those of the files of the package', () => {
  const files = readdirSync('fixtures').filter((file) => file.endsWith('.yaml'));
  expect(files.map((file) => parse(file).name)).toEqual([...SHIPPED_DATASETS]);
});

describe('PUT /state with the name of a shipped dataset as `extends`', () => {
  test.each(CHOSEN)('gives the account the records of %s', async (name) => {
    const { account, control } = open();
    account.customers.put({ id: 'own' });
    const { status, body } = await control.put('/state', { extends: name });
    expect([status, body.fingerprint]).toEqual([200, fingerprints.get(name)]);
    expect(account.changes()).toEqual([]);
    const { body: list } = await control.get('/accounts');
    expect(list.accounts).toContainEqual(expect.objectContaining({ datasetName: name }));
  });

  test('adds the records beside it, and is saved with them', async () => {
    const { account, control } = open();
    await control.put('/state', { extends: 'edge-cases', customers: [{ id: 'c1', name: 'Acme' }] });
    expect(account.changes()).toEqual([{ collection: 'customers', id: 'c1', change: 'added' }]);
    const saved = account.fixture({ keepNames: true });
    expect(saved).toMatchObject({ extends: 'edge-cases', customers: [{ id: 'c1' }] });
    const { account: other, control: second } = open();
    expect((await second.put('/state', saved)).status).toBe(200);
    expect(other.fingerprint()).toBe(account.fingerprint());
  });

  test('is undone by a snapshot and by a reset', async () => {
    const { account, control } = open();
    account.customers.put({ id: 'own' });
    account.snapshot('before');
    const before = account.fingerprint();
    await control.put('/state', { extends: 'demo' });
    account.restore('before');
    expect([account.fingerprint(), account.customers.get('own')?.id]).toEqual([before, 'own']);
    await control.put('/state', { extends: 'empty' });
    account.reset();
    expect(account.fingerprint()).toBe(fingerprints.get('default'));
  });

  test('can be taken back by choosing the own dataset', async () => {
    const { account, control } = open();
    await control.put('/state', { extends: 'empty' });
    await control.put('/state', { extends: 'default' });
    expect(account.fingerprint()).toBe(fingerprints.get('default'));
    expect(account.changes()).toEqual([]);
  });

  test('is read by the service, however large it is', async () => {
    const { control } = open();
    await control.put('/state', { extends: 'large' });
    const first = await control.service.get('/measurements?limit=1000');
    expect(first.body.measurements).toHaveLength(1000);
  });
});

test.each(['empty', 'demo'])('an account over %s outlives its mock', async (name) => {
  const stateFile = join(newFolder(), 'state.json');
  const first = await createMockServer({ stateFile });
  await controlOf(first, 't').put('/state', { extends: name, customers: [{ id: 'own' }] });
  const before = first.account('t').fingerprint();
  await first.stop();
  const second = await createMockServer({ stateFile });
  expect(second.account('t').fingerprint()).toBe(before);
  second.account('t').reset();
  expect(second.account('t').fingerprint()).toBe(fingerprints.get('default'));
});

test('an account takes back what it saved over its own dataset', async () => {
  const dataset = writeFixture('customers: [{ id: c1 }]');
  const account = (await createMockServer({ dataset })).account('t');
  account.importState({ extends: 'empty' });
  const own = account.fixture({ keepNames: true });
  account.reset();
  account.customers.put({ id: 'c2' });
  const saved = account.fixture({ keepNames: true });
  account.importState(own);
  account.importState(saved);
  expect(account.customers.list().map(({ id }) => id)).toEqual(['c1', 'c2']);
});

test('the library chooses a dataset whose records need not be generated', () => {
  const { account } = open();
  account.importState({ extends: 'empty' });
  expect(account.fingerprint()).toBe(fingerprints.get('empty'));
});

test('the library says how to get one whose generator is not loaded', async () => {
  const account = (await createMockServer()).account('t');
  const before = account.fingerprint();
  expect(() => account.importState({ extends: 'large' })).toThrow(
    /'extends' is "large"; expected a dataset whose records need not be generated first\. Start the mock with it/,
  );
  expect(account.fingerprint()).toBe(before);
});
