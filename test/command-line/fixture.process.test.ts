import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BillingClient } from '../../examples/typescript/billing-client.js';
import { createMockServer } from '../../src/index.js';
import { recordingOf } from '../support/billing-recording.js';
import { startService, stopService, TOKEN } from '../support/billing-service.js';
import { runCommand } from '../support/command.js';
import { newFolder, writeFixture } from '../support/fixture.js';

const RECORDING = 'test/settle/recordings/playwright-embed.har';
const ACME = '65a000000000000000000001';

async function fixture(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const running = runCommand(['fixture', ...args], env);
  const exitCode = await running.ended();
  return { exitCode, stdout: running.stdout(), stderr: running.stderr() };
}

async function load(dataset: string) {
  return (await createMockServer({ dataset })).account('t');
}

describe('usage-billing-mock fixture', () => {
  test('writes what the mock loads, and says what it replaced and with which key', async () => {
    const out = join(newFolder(), 'mine.yaml');
    const { exitCode, stdout, stderr } = await fixture(['--har', RECORDING, '--out', out]);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toContain('Wrote 1 customer, 1 contract, 4 measurements, 1 event.');
    expect(stderr).toContain('Replaced: /customers/name, /customers/aliases, ');
    expect(stderr).toContain('Kept: ids, timestamps, /customers/address/country, ');
    const [, key = ''] = /The key was (\S+):/.exec(stderr) ?? [];
    const account = await load(out);
    expect(account.customers.get(ACME)?.name).not.toContain('Acme');
    const again = await fixture(['--har', RECORDING, '--key', key]);
    expect(again.stdout).toBe(readFileSync(out, 'utf8'));
  });

  test('keeps members that are named, and says which of them kept nothing', async () => {
    const keep = ['--keep', '/customers/name', '--keep', '/customers/adress'];
    const { stdout, stderr } = await fixture(['--har', RECORDING, ...keep]);
    expect(stdout).toContain('name: Acme Corporation');
    expect(stderr).toContain(
      "--keep /customers/adress matched nothing. Did you mean '/customers/address'?",
    );
    expect(stderr).not.toContain('--keep /customers/name');
    const refused = await fixture(['--har', RECORDING, '--keep', 'customers.name']);
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain(
      '--keep is "customers.name"; expected a pointer such as /customers/address/city',
    );
  });

  test('writes every record of a large account, as the library does', async () => {
    const dataset = writeFixture('generate: { customers: 160, eventsPerCustomer: 160 }');
    const server = await createMockServer({ dataset });
    const account = server.account('t');
    account.faults.add({ kind: 'reset' });
    const args = ['--from', await server.start(), '--whole', '--key', 'k', '--format', 'json'];
    const { stdout } = await fixture(args, { USAGE_BILLING_TOKEN: 't' });
    const expected = account.fixture({ whole: true, key: 'k' });
    await server.stop();
    expect(expected.events).toHaveLength(25_600);
    const { digest, ...written } = JSON.parse(stdout);
    expect(written).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  test('warns of ids that look like personal data', async () => {
    const dataset = writeFixture('{ customers: [{ id: jane@acme.example }, { id: c2 }] }');
    const server = await createMockServer({ dataset });
    const args = ['--from', await server.start(), '--whole'];
    const env = { USAGE_BILLING_TOKEN: 't' };
    const { stderr } = await fixture(args, env);
    expect(stderr).toContain(
      'Ids that look like personal data were kept: /customers/id. Replace all ids with --new-ids.',
    );
    expect((await fixture([...args, '--new-ids'], env)).stderr).not.toContain('look like');
    await server.stop();
  });

  test('takes records from bodies that Playwright attached, and says what the recording lacks', async () => {
    const attached = 'test/settle/recordings/playwright-attach.har';
    const { exitCode, stderr } = await fixture(['--har', attached]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('contain no customers');
    const folder = newFolder();
    const path = join(folder, 'attached.har');
    copyFileSync(attached, path);
    const customer = { id: ACME, name: 'Acme Corporation' };
    // The customer was asked for by its id and by its name.
    writeFileSync(
      join(folder, 'ff364dd11ca76f4d557c8f2520ae2e3470fa70e8.json'),
      JSON.stringify({ customer }),
    );
    const told = await fixture(['--har', path, '--keep-names']);
    expect(parse(told.stdout).customers).toEqual([customer]);
    expect(told.stderr).toContain(
      'Gaps in the recording: response body in another file (6), request body in another file (1), no response (1).',
    );
  });

  test('refuses a recorded number that a fixture would change', async () => {
    const file = join(newFolder(), 'numbers.har');
    const recording = readFileSync(RECORDING, 'utf8');
    const changed = recording.replaceAll(
      '\\"value\\":',
      '\\"erp\\":1234567890123456789,\\"value\\":',
    );
    writeFileSync(file, changed);
    const { exitCode, stdout, stderr } = await fixture(['--har', file]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      'The recording has a response of listMeasurements with 1234567890123456789 at /measurements/0/erp; expected a finite number that a double holds. Write it as a string, or as 1234567890123456800.',
    );
  });

  test('says what it replaced with --keep-names, with and without --new-ids', async () => {
    const args = ['--har', RECORDING, '--keep-names'];
    const { stdout, stderr } = await fixture(args);
    expect(stderr).toContain('Nothing was replaced.');
    expect(stderr).not.toContain('The key was');
    const withIds = await fixture([...args, '--new-ids']);
    expect(withIds.stderr).toMatch(
      /Only ids were replaced\.[\s\S]*The key was \S+: pass it with --key/,
    );
    for (const shown of [stdout, withIds.stdout]) expect(shown).toContain('name: Acme Corporation');
    expect([stdout.includes(ACME), withIds.stdout.includes(ACME)]).toEqual([true, false]);
  });

  test('splits it into files that extend each other', async () => {
    const folder = newFolder();
    const args = [
      '--har',
      RECORDING,
      '--out',
      join(folder, 'mine.json'),
      '--split',
      '--keep-names',
    ];
    expect((await fixture(args)).exitCode).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([
      'mine.contracts.json',
      'mine.customers.json',
      'mine.events.json',
      'mine.json',
      'mine.measurements.json',
    ]);
    const account = await load(join(folder, 'mine.json'));
    expect(account.customers.get(ACME)?.name).toBe('Acme Corporation');
    expect(account.measurements.list()).toHaveLength(4);
  });

  test.each([['default'], ['a file']])('saves an account over %s', async (dataset) => {
    const file = writeFixture('customers: [{ id: a }]');
    const server = await createMockServer({ dataset: dataset === 'default' ? dataset : file });
    const account = server.account('its-token');
    account.customers.put({ id: 'c1', name: 'Initech' });
    const out = join(newFolder(), 'situation.yaml');
    const url = await server.start();
    const args = ['--from', url, '--token-env', 'MY_TOKEN', '--keep-names', '--out', out];
    const { exitCode, stderr } = await fixture(args, { MY_TOKEN: 'its-token' });
    await server.stop();
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Wrote 1 customer,')]);
    expect(readFileSync(out, 'utf8')).toMatch(
      dataset === 'default' ? /^extends: default$/m : /^extends: \.\.\//m,
    );
    expect((await load(out)).fingerprint()).toBe(account.fingerprint());
  });

  test('refuses the changes of an account over a file that is elsewhere', async () => {
    const dataset = writeFixture('customers: [{ id: a }]');
    const server = await createMockServer({ dataset });
    const args = ['--from', await server.start()];
    const env = { USAGE_BILLING_TOKEN: 'its-token' };
    rmSync(dataset);
    const refused = await fixture(args, env);
    const whole = await fixture([...args, '--whole', '--format', 'json'], env);
    await server.stop();
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/not on this machine; expected a dataset that is\. Add --whole/);
    expect(JSON.parse(whole.stdout)).toMatchObject({ exact: true, customers: [{ id: 'a' }] });
  });

  test.each<[string, string[]]>([
    ['mine.yaml', []],
    ['mine.json', ['--split']],
  ])('replaces %s %j as long as nobody changes it', async (name, flags) => {
    const folder = newFolder();
    const out = join(folder, name);
    const args = ['--har', RECORDING, '--out', out, '--keep-names', ...flags];
    await fixture(args);
    expect((await fixture(args)).exitCode).toBe(0);
    const edited = join(folder, readdirSync(folder).find((file) => file.includes('cust')) ?? name);
    const text = readFileSync(edited, 'utf8').replace('Acme Corporation', 'Acme Ltd');
    writeFileSync(edited, text);
    const refused = await fixture(args);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--force')]);
    expect(readFileSync(edited, 'utf8')).toBe(text);
    expect((await fixture([...args, '--force'])).exitCode).toBe(0);
    expect((await load(out)).customers.get(ACME)?.name).toBe('Acme Corporation');
  });

  test('replaces no file that it did not write', async () => {
    const out = writeFixture('exact: true');
    const { exitCode, stderr } = await fixture(['--har', RECORDING, '--out', out]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--force')]);
    expect(readFileSync(out, 'utf8')).toBe('exact: true');
  });

  test.each<[string[], RegExp]>([
    [[], /no source; expected --har .* or --from/],
    [['--har', RECORDING, '--from', 'http://127.0.0.1:1'], /'--from <url>' cannot be used with/],
    [['--har', RECORDING, '--split'], /expected --out/],
    [['--har', RECORDING, '--key', ''], /--key is empty/],
    [['--har', RECORDING, '--out', 'mine.json', '--format', 'yaml'], /expected \.yaml/],
    [['--from', 'http://127.0.0.1:1'], /The token is missing/],
  ])('refuses %j in a sentence', async (args, sentence) => {
    const { exitCode, stdout, stderr } = await fixture(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('writes nothing of half a file', async () => {
    const folder = newFolder();
    const recording = join(folder, 'bad.har');
    writeFileSync(recording, readFileSync(RECORDING, 'utf8').slice(0, 5_000));
    const { exitCode, stderr } = await fixture([
      ...['--har', recording],
      ...['--out', join(folder, 'a.yaml')],
    ]);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/ends after 5,?000 characters/)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['bad.har']);
  });
});

/** What the example client and `fetch` see of a service, without the times of deletions. */
async function seenByClient(url: string, refs: readonly string[]) {
  const client = new BillingClient(url, TOKEN);
  const measurements: unknown[] = [];
  for await (const measurement of client.measurements(10)) measurements.push(measurement);
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
  const call = async <Body>(path: string, init = {}): Promise<Body> =>
    (await (await fetch(url + path, { headers, ...init })).json()) as Body;
  const contract = await client.deleteContract('con-1');
  const again = await client.deleteContract('con-1').catch(({ status }) => status);
  const { events } = await call<{ events: object[] }>('/events/delete-by-refs', {
    method: 'POST',
    body: JSON.stringify({ refs }),
  });
  const unstamped = (record: object | undefined) => ({ ...record, deletedAt: 0, updatedAt: 0 });
  return {
    measurements,
    contract: unstamped(contract),
    again,
    customer: await call('/customers/cus_7Kq2mZ0'),
    events: events.map(unstamped),
  };
}

describe('the example client, over a fixture of an independent service', () => {
  async function overFixture(flags: readonly string[], refs: readonly string[]) {
    const service = await startService({ sort: 'oldest' });
    const real = await seenByClient(service.url, refs);
    const folder = newFolder();
    const [recording, out] = [join(folder, 'session.har'), join(folder, 'mine.yaml')];
    writeFileSync(recording, recordingOf(service));
    await stopService(service);
    expect((await fixture(['--har', recording, '--out', out, ...flags])).exitCode).toBe(0);
    const server = await createMockServer({ dataset: out });
    const events = server.account(TOKEN).events.list();
    const mocked = await seenByClient(
      await server.start(),
      flags.length > 0 ? refs : events.map(({ ref }) => ref ?? ''),
    );
    await server.stop();
    return { real, mocked };
  }

  test('sees the same with --keep-names', async () => {
    const { real, mocked } = await overFixture(['--keep-names'], ['ref-b', 'ref-c']);
    expect(real.measurements).toHaveLength(37);
    expect(mocked).toEqual(real);
  });

  test('sees the same but for names without it', async () => {
    const { real, mocked } = await overFixture([], ['ref-a']);
    expect(mocked.measurements).toEqual(real.measurements);
    expect(mocked.again).toBe(real.again);
    expect(mocked.contract).toMatchObject({ id: 'con-1', customerId: 'cus_7Kq2mZ0' });
    expect(mocked.events).toHaveLength(1);
    expect(JSON.stringify(mocked)).not.toMatch(/Étoile|\bRobin\b|ada@|SF-100|alias-0|ref-a|region/);
  });
});
