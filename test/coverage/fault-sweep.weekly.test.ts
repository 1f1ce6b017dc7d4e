import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, writeFixture } from '../support/fixture.js';
import { client, matrix } from '../support/matrix.js';

/** A client that reads a customer, and tries again in the cases that its author thought of. */
const CLIENT = client(
  `
  const ask = async () => {
    const response = await call('/customers/65a000000000000000000001');
    if (response.status === 429) await new Promise(() => setInterval(() => {}, 1000));
    if (response.status >= 500) return ask();
    if (response.status !== 200) process.exit(1);
    return response.json();
  };
  await ask().catch((error) => {
    if (error instanceof SyntaxError) throw error;
    return ask();
  });
`,
  { isTolerant: true },
);

describe('matrix --faults', () => {
  test('says what a client survives, where it fails and where it hangs, and how often it tried', async () => {
    const folder = newFolder();
    const [report, junit] = [join(folder, 'faults.json'), join(folder, 'faults.xml')];
    const files = ['--report', report, '--junit', junit];
    const { exitCode, stdout, stderr } = await matrix(
      ['--faults', '--no-canary', '--jobs', '2', '--timeout', '12', ...files],
      CLIENT,
    );
    expect([exitCode, stderr]).toEqual([1, stderr]);
    const { faults } = JSON.parse(readFileSync(report, 'utf8'));
    const outcomes = faults
      .filter(({ operationId }: { operationId: string }) => operationId === 'getCustomer')
      .map((one: { fault: string; outcome: string; met: number; attempts: number }) => [
        one.fault,
        `${one.outcome} ${one.attempts}/${one.met}`,
      ]);
    expect(Object.fromEntries(outcomes)).toEqual({
      'lost response': 'survived 2/1',
      reset: 'survived 2/1',
      slow: 'survived 1/1',
      500: 'survived 2/1',
      '503, Retry-After': 'survived 2/1',
      429: 'hung 1/1',
      'cut body': 'survived 2/1',
      'malformed body': 'failed 1/1',
    });
    expect(stdout).toMatch(/^getCustomer {9}lost response {5}survived {5}1 {4}2$/m);
    expect(stdout).toMatch(/^deleteContract {6}lost response {5}not touched$/m);
    expect(stdout).toMatch(/6 survived, 1 failed, 1 hung, \d+ not touched\./);
    const [table = ''] = stdout.slice(stdout.indexOf('operation ')).split('\n\n');
    for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toMatch(/name="429"[^>]*><failure message="hung: timed out after/);
    expect(xml).toMatch(/classname="faults.deleteContract" name="reset"[^>]*><skipped/);
  });

  test('shows what a run wrote, and fails for what is not accepted', async () => {
    const only = ['--only', 'getCustomer=malformed body', '--only', 'getCustomer=slow'];
    const failing = await matrix(['--faults', '--no-canary', ...only], CLIENT);
    expect(failing.exitCode).toBe(1);
    expect(failing.stdout).toMatch(
      /\n\n1 survived, 1 failed, 0 hung, 0 not touched\.\n\ngetCustomer=malformed body: the command failed in [\d.]+ s with exit code 1\.\n( {2}\| .*\n)* {2}\| .*SyntaxError/,
    );
    const accept = writeFixture('- getCustomer=malformed body\n- getCustomer=slow\n');
    const junit = join(newFolder(), 'faults.xml');
    const accepted = await matrix(
      ['--faults', '--no-canary', ...only, '--accept', accept, '--junit', junit],
      CLIENT,
    );
    expect([accepted.exitCode, accepted.stdout]).toEqual([0, expect.not.stringContaining('  | ')]);
    expect(accepted.stdout).toMatch(/malformed body {4}failed .* accepted$/m);
    expect(accepted.stdout).toMatch(/slow .* accepted \(not needed\)$/m);
    expect(readFileSync(junit, 'utf8')).toContain('<skipped message="accepted: failed');
  });

  test('knows the names of operations and faults', async () => {
    const { exitCode, stderr } = await matrix(['--faults', '--only', 'getCustomer=slwo'], CLIENT);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(
        "--only names 'getCustomer=slwo'; expected an operation, a fault, or operation=fault. Did you mean 'getCustomer=slow'?",
      ),
    ]);
  });

  test('goes with no flag about alternatives', async () => {
    const { exitCode, stderr } = await matrix(['--faults', '--only-touched'], CLIENT);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--only-touched cannot be')]);
  });
});
