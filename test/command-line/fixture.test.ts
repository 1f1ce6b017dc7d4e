import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockServer } from '../../src/index.js';
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
    expect(stderr).toContain('Wrote 1 customers, 1 contracts, 4 measurements, 1 events.');
    expect(stderr).toContain('Replaced: customers.name (1), customers.aliases (2)');
    expect(stderr).toContain('Kept: ids, timestamps, customers.address.country (1)');
    const [, key = ''] = /The key was (\S+):/.exec(stderr) ?? [];
    const account = await load(out);
    expect(account.customers.get(ACME)?.name).not.toContain('Acme');
    const again = await fixture(['--har', RECORDING, '--key', key]);
    expect(again.stdout).toBe(readFileSync(out, 'utf8'));
  });

  test('splits it into files that extend each other, and may write them again', async () => {
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
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Wrote 1 customers')]);
    expect(readFileSync(out, 'utf8')).toMatch(
      dataset === 'default' ? /^extends: default$/m : /^extends: \.\.\//m,
    );
    expect((await load(out)).fingerprint()).toBe(account.fingerprint());
  });

  test('replaces no file that it did not write, unless it is forced to', async () => {
    const out = writeFixture('customers: []');
    const args = ['--har', RECORDING, '--out', out];
    const refused = await fixture(args);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--force')]);
    expect(readFileSync(out, 'utf8')).toBe('customers: []');
    expect((await fixture([...args, '--force'])).exitCode).toBe(0);
    expect((await load(out)).measurements.list()).toHaveLength(4);
  });

  test.each<[string[], RegExp]>([
    [[], /no source; expected --har .* or --from/],
    [['--har', RECORDING, '--from', 'http://127.0.0.1:1'], /two sources/],
    [['--har', RECORDING, '--whole'], /--whole does not go with --har/],
    [['--har', RECORDING, '--split'], /expected --out/],
    [['--har', RECORDING, '--key', ''], /--key is empty/],
    [['--har', RECORDING, '--out', 'mine.txt'], /expected \.yaml or \.json/],
    [['--har', RECORDING, '--out', 'mine.json', '--format', 'yaml'], /expected \.yaml/],
    [['--har', 'package.json'], /without log\.entries/],
    [['--from', 'http://127.0.0.1:1'], /The token is missing/],
  ])('refuses %j in a sentence', async (args, sentence) => {
    const { exitCode, stdout, stderr } = await fixture(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('writes nothing if a recording is only half there', async () => {
    const folder = newFolder();
    const half = join(folder, 'half.har');
    writeFileSync(half, readFileSync(RECORDING, 'utf8').slice(0, 5_000));
    const { exitCode } = await fixture(['--har', half, '--out', join(folder, 'mine.yaml')]);
    expect([exitCode, readdirSync(folder)]).toEqual([2, ['half.har']]);
  });
});
