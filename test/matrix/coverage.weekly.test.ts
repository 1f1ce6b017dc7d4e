import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from '../support/fixture.js';
import { client, matrix } from '../support/matrix.js';
import { writeProject } from '../support/runner.js';

const READER = client(
  "for (const path of ['/measurements?limit=2', '/customers/nobody']) await call(path)",
);

interface Alternative {
  readonly decision: string;
  readonly value: string;
  readonly outcome: string;
  readonly isRun: boolean;
}

async function reportOf(args: readonly string[], command: readonly string[]) {
  const folder = newFolder();
  const [report, junit] = [join(folder, 'report.json'), join(folder, 'junit.xml')];
  const end = await matrix(['--report', report, '--junit', junit, ...args], command);
  if (end.exitCode === 2) throw new Error(end.stderr);
  const { alternatives }: { alternatives: Alternative[] } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const outcomes = alternatives.map(({ decision, value, ...one }) => [`${decision}=${value}`, one]);
  return {
    ...end,
    junit: readFileSync(junit, 'utf8'),
    alternatives: Object.fromEntries(outcomes) as Record<string, Alternative>,
  };
}

describe('a matrix over a suite that never deletes', () => {
  test('says that its deletes are not touched, and not that they passed', async () => {
    const only = ['--only', 'repeat-delete', '--only', 'measurement-order', '--jobs', '2'];
    const { exitCode, stdout, junit, alternatives } = await reportOf(only, READER);
    expect([exitCode, stdout]).toEqual([1, stdout]);
    expect(alternatives['repeat-delete=gone']).toMatchObject({
      outcome: 'not touched',
      isRun: true,
    });
    expect(alternatives['measurement-order=id']).toMatchObject({ outcome: 'passed', isRun: true });
    expect(stdout).toContain('3 alternatives passed, and 3 were not touched; --only-touched skips');
    expect(stdout).toContain(
      '  repeat-delete=same-result, repeat-delete=gone, repeat-delete=conflict',
    );
    expect(junit).toMatch(/name="repeat-delete=gone"[^>]*><skipped message="not touched">/);
    expect(junit).toMatch(/name="measurement-order=id"[^>]*\/>/);
  });

  test('leaves them out with --only-touched, and says how many', async () => {
    const only = ['--only', 'repeat-delete', '--only', 'total-counts', '--only-touched'];
    const { exitCode, stdout, stderr, alternatives } = await reportOf(only, READER);
    expect([exitCode, stdout]).toEqual([0, stdout]);
    expect(alternatives['repeat-delete=gone']).toMatchObject({
      outcome: 'not touched',
      isRun: false,
    });
    expect(alternatives['total-counts=page']).toMatchObject({ outcome: 'passed', isRun: true });
    expect(stdout).toContain(
      '2 alternatives passed, and 3 were not touched; --only-touched skipped 3.',
    );
    expect(stderr).not.toContain('repeat-delete');
  });
});

// README.md shows vitest, in `test/documentation/pages.process.test.ts`.
test('a matrix over a suite of jest on useMockServer finds what it depends on', async () => {
  const code = `
const { useMockServer } = require('usage-billing-mock/jest');
const mock = useMockServer();
const call = (method, path) =>
  fetch(mock.url + path, { method, headers: { Authorization: 'Bearer ' + mock.token } });
test('a deleted contract is not found', async () => {
  await call('DELETE', '/contracts/65b000000000000000000001');
  expect((await call('DELETE', '/contracts/65b000000000000000000001')).status).toBe(404);
});
`;
  const folder = writeProject({
    'package.json': { type: 'commonjs', jest: { transform: {} } },
    'one.test.js': code,
    'two.test.js': code,
  });
  const program = resolve('node_modules/jest/bin/jest.js');
  const command = ['sh', '-c', `cd ${folder} && node ${program} --ci`];
  const { exitCode, stdout, stderr, alternatives } = await reportOf(
    ['repeat-delete=gone', 'success-status=202', 'unmatched-refs'].flatMap((one) => [
      '--only',
      one,
    ]),
    command,
  );
  expect([exitCode, stderr]).toEqual([1, stderr]);
  expect(stdout).toContain('with 4 requests');
  expect(alternatives['repeat-delete=gone']?.outcome).toBe('failed');
  expect(alternatives['success-status=202']?.outcome).toBe('passed');
  expect(alternatives['unmatched-refs=not-found']?.outcome).toBe('not touched');
});
