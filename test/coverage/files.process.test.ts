import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Coverage, createMockServer } from '../../src/index.js';
import { parseCoverage } from '../../src/mock/coverage/coverage.js';
import { clientOf } from '../support/client.js';
import { runCommand, useCommands } from '../support/command.js';
import { newFolder, writeFixture } from '../support/fixture.js';

const CONTRACT = '/contracts/65b000000000000000000001';
const startCommand = useCommands('--log-level', 'silent');

function read(file: string): Coverage {
  return parseCoverage(readFileSync(file, 'utf8'));
}

function countIn({ counts }: Coverage, of: string, row: string): number | undefined {
  return counts[`${of}: ${row}`];
}

/** The coverage file of a mock that has deleted this many contracts. */
async function deletedFile(times: number): Promise<string> {
  const coverage = join(newFolder(), 'coverage.json');
  const server = await createMockServer({ coverage });
  for (let nth = 0; nth < times; nth += 1) await clientOf(server).delete(CONTRACT);
  await server.stop();
  return coverage;
}

async function coverage(...args: readonly string[]) {
  const command = runCommand(['coverage', ...args]);
  return { exitCode: await command.ended(), stdout: command.stdout(), stderr: command.stderr() };
}

describe('--coverage', () => {
  test('is written as soon as something is touched, and counts what came until it is asked or stopped', async () => {
    const file = join(newFolder(), 'coverage.json');
    const { command, url } = await startCommand(['--coverage', file]);
    const headers = { Authorization: 'Bearer t' };
    expect(countIn(read(file), 'deleteContract', 'called')).toBe(0);
    await fetch(url + CONTRACT, { method: 'DELETE', headers });
    expect(countIn(read(file), 'deleteContract', 'called')).toBe(1);
    for (let nth = 0; nth < 5; nth += 1) await fetch(url + CONTRACT, { method: 'DELETE', headers });
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.length).toBeLessThan(6);
    for (const line of lines) expect(line.length).toBeLessThan(4_096);
    const asked = (await (await fetch(`${url}/__control/coverage`)).json()) as Coverage;
    expect(read(file)).toEqual(asked);
    await fetch(url + CONTRACT, { method: 'DELETE', headers });
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    expect(countIn(read(file), 'deleteContract', 'called')).toBe(7);
  });

  test('adds up the steps of a job that names its run', async () => {
    const file = join(newFolder(), 'coverage.json');
    const client = `const { USAGE_BILLING_MOCK_URL: url } = process.env;
      await fetch(url + '/measurements', { headers: { Authorization: 'Bearer t' } });`;
    const line = [process.execPath, '--input-type=module', '--eval', client];
    const counts: unknown[] = [];
    for (const run of ['job-1', 'job-1', 'job-2']) {
      const env = { USAGE_BILLING_MOCK_RUN: run };
      const step = runCommand(['exec', '--coverage', file, '--', ...line], env);
      expect([await step.ended(), step.stderr()]).toEqual([0, '']);
      counts.push(countIn(read(file), 'listMeasurements', 'called'));
    }
    expect(counts).toEqual([1, 2, 1]);
  });

  test('replaces the file of an earlier run, and keeps nothing of it', async () => {
    const file = join(newFolder(), 'coverage.json');
    for (const path of ['/measurements', '/customers/nobody']) {
      const { command, url } = await startCommand(['--coverage', file]);
      await fetch(url + path, { headers: { Authorization: 'Bearer t' } });
      command.kill('SIGTERM');
      await command.ended();
    }
    expect(countIn(read(file), 'getCustomer', 'called')).toBe(1);
    expect(countIn(read(file), 'listMeasurements', 'called')).toBe(0);
    expect(readdirSync(dirname(file))).toEqual(['coverage.json']);
  });

  test('adds up what servers of one process have written, each once', async () => {
    const file = join(newFolder(), 'coverage.json');
    const servers = [
      await createMockServer({ coverage: file }),
      await createMockServer({ coverage: file }),
    ];
    for (const server of servers) {
      await clientOf(server).delete(CONTRACT);
      server.coverage();
      await clientOf(server).delete(CONTRACT);
    }
    for (const server of [...servers, ...servers]) await server.stop();
    expect(countIn(read(file), 'deleteContract', 'called')).toBe(4);
  });

  test('loses no count where processes of one run write at the same time', async () => {
    const file = await deletedFile(1);
    const env = { USAGE_BILLING_MOCK_RUN: 'one-run' };
    const started = await Promise.all(
      Array.from({ length: 4 }, () => startCommand(['--coverage', file], env)),
    );
    for (const [nth, { url }] of started.entries()) {
      for (let call = 0; call <= nth; call += 1) {
        await fetch(`${url}/customers/nobody`, { headers: { Authorization: 'Bearer t' } });
      }
    }
    for (const { command } of started) command.kill('SIGTERM');
    await Promise.all(started.map(({ command }) => command.ended()));
    expect(countIn(read(file), 'getCustomer', 'status 404')).toBe(1 + 2 + 3 + 4);
    expect(countIn(read(file), 'deleteContract', 'called')).toBe(0);
    expect(readdirSync(dirname(file))).toEqual(['coverage.json']);
  });

  test('has what a killed process touched, but may lack counts since its last new row', async () => {
    const file = join(newFolder(), 'coverage.json');
    const env = { USAGE_BILLING_MOCK_RUN: 'one-run' };
    for (const expected of [1, 2]) {
      const { command, url } = await startCommand(['--coverage', file], env);
      await fetch(url + CONTRACT, { method: 'DELETE', headers: { Authorization: 'Bearer t' } });
      command.kill('SIGKILL');
      await command.ended();
      expect(countIn(read(file), 'deleteContract', 'called')).toBe(expected);
      // Left by a mock that was killed while writing.
      appendFileSync(file, '\n{"version":"0","run":"x","cou');
    }
  });

  test('leaves out what a mock of an earlier run still writes', async () => {
    const file = await deletedFile(1);
    const { run, ...line } = JSON.parse(readFileSync(file, 'utf8').trim().split('\n')[0] ?? '');
    const counts = { 'deleteContract: called': 5 };
    appendFileSync(file, `\n${JSON.stringify({ ...line, run: `not-${run}`, counts })}`);
    expect(countIn(read(file), 'deleteContract', 'called')).toBe(1);
  });

  test.each([
    [
      'notes',
      /^Cannot write the coverage file '.*': it was not written by --coverage\. Use another path/,
    ],
    ['{ "name": "an-app" }', /it was not written by --coverage/],
    ['the sum of files', /it was not written by --coverage/],
    ['a link', /it is a link/],
  ])('is refused in place of another file: %s', async (content, sentence) => {
    const written = await deletedFile(1);
    const sum = async () => (await coverage(written, '--format', 'json')).stdout;
    const file = writeFixture(content === 'the sum of files' ? await sum() : content, 'own.json');
    const link = join(newFolder(), 'link.json');
    symlinkSync(written, link);
    const given = content === 'a link' ? link : file;
    const before = readFileSync(given, 'utf8');
    await expect(createMockServer({ coverage: given })).rejects.toThrow(sentence);
    expect(readFileSync(given, 'utf8')).toBe(before);
  });

  test('is written in place of an empty file', async () => {
    const file = writeFixture('', 'empty.json');
    await (await createMockServer({ coverage: file })).stop();
    expect(countIn(read(file), 'deleteContract', 'called')).toBe(0);
  });

  test('has what was counted while it could not be written', async () => {
    const file = join(newFolder(), 'coverage.json');
    const server = await createMockServer({ coverage: file, logLevel: 'silent' });
    rmSync(dirname(file), { recursive: true });
    await clientOf(server).delete(CONTRACT);
    mkdirSync(dirname(file));
    await server.stop();
    expect(countIn(read(file), 'deleteContract', 'called')).toBe(1);
  });

  test('is refused where no file can be', async () => {
    const file = join(newFolder(), 'missing', 'coverage.json');
    await expect(createMockServer({ coverage: file })).rejects.toThrow(
      `Cannot write the coverage file '${file}': its folder does not exist.`,
    );
  });
});

describe('usage-billing-mock coverage', () => {
  test('adds up files, in a table of at most 80 columns', async () => {
    const { exitCode, stdout, stderr } = await coverage(await deletedFile(2), await deletedFile(3));
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Coverage of 2 files: \d+ of \d+ rows, \d+%$/m);
    expect(stdout).toMatch(/^deleteContract: \d+ of \d+ rows, \d+%\n {7}5 {2}called$/m);
    expect(stdout).toMatch(/Not touched:.*fault reset/s);
    expect(stdout).toMatch(/Not reachable under these decisions:.*status 410/s);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('exits with 1 below its bound, and with 0 at it', async () => {
    const file = await deletedFile(1);
    const [, percent = ''] = /rows, (\d+)%/.exec((await coverage(file)).stdout) ?? [];
    expect((await coverage(file, '--min', percent)).exitCode).toBe(0);
    const { exitCode, stderr } = await coverage(file, '--min', String(Number(percent) + 1));
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('(--min)')]);
  });

  test('exits with 1 where a row of the baseline is lost, and says which', async () => {
    const [one, none] = [await deletedFile(1), await deletedFile(0)];
    expect((await coverage(one, '--baseline', none)).exitCode).toBe(0);
    const { exitCode, stdout, stderr } = await coverage(none, '--baseline', one);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("'deleteContract: called'")]);
    expect(stdout).toContain('Lost since the baseline:\n  deleteContract: called\n');
  });

  test('prints JSON that it reads again, and JUnit', async () => {
    const [one, none] = [await deletedFile(1), await deletedFile(0)];
    const json = (await coverage(one, one, '--format', 'json')).stdout;
    const again = JSON.parse(
      (await coverage(writeFixture(json, 'sum.json'), '--format', 'json')).stdout,
    );
    expect(again).toEqual(JSON.parse(json));
    expect(countIn(again, 'deleteContract', 'called')).toBe(2);
    const junit = (await coverage(none, '--format', 'junit', '--baseline', one)).stdout;
    expect(junit).toContain(
      '<testcase classname="coverage.deleteContract" name="called"><failure message="touched in the baseline, but no longer">',
    );
    expect(junit).toContain(
      '<testcase classname="coverage.deleteContract" name="fault reset"><skipped',
    );
  });

  test.each([
    [[], /Missing required argument 'file'/],
    [['nowhere.json'], /Cannot use 'nowhere.json': it does not exist/],
    [['package.json'], /Cannot use 'package.json': it is not a coverage file/],
    [['README.md'], /Cannot use 'README.md': it is not a coverage file/],
    [['{ "version": "9", "counts": {} }'], /written by version "9" of the mock; expected "\d/],
    [['own', '--baseline', '{ "version": "9", "counts": {} }'], /odd.json': it was written by/],
    [['{ "version": "0", "counts": { "a": -1 } }'], /expected rows written by --coverage/],
    [['{ "version": "0", "counts": { "\\u001b[2J": 1 } }'], /"\\u001b\[2J"/],
    [['own', '--min', '101'], /--min is "101"; expected a percentage from 0 to 100/],
    [['own', '--min', 'half'], /--min is "half"; expected a percentage/],
    [['own', '--format', 'xml'], /Allowed choices are text, json, junit\./],
  ])('refuses in one sentence, with 2, what cannot be used: %j', async (args, sentence) => {
    const own = await deletedFile(1);
    const files = args.map((arg) => {
      if (arg === 'own') return own;
      return arg.startsWith('{') ? writeFixture(arg, 'odd.json') : arg;
    });
    const { exitCode, stdout, stderr } = await coverage(...files);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
