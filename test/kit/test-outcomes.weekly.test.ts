import { createMockServer, type MockServer } from '../../src/index.js';
import { outputOf, type Runner, runTests, writeProject, written } from '../support/runner.js';

interface Test {
  readonly outcome: string;
  readonly file: string;
  readonly title: string;
  readonly run: string;
  readonly durationMs: number;
  readonly message?: string;
}

const inShort = (tests: readonly Test[]) =>
  tests.map(({ outcome, file, title }) => `${outcome} ${file} ${title}`).sort();

async function testsOf(server: MockServer): Promise<readonly Test[]> {
  const response = await fetch(`${server.url}/__control/tests`);
  return ((await response.json()) as { tests: readonly Test[] }).tests;
}

const runsOf = (tests: readonly Test[]) => [...new Set(tests.map(({ run }) => run))];

/** Tests of which two fail unless the variable IS_FIXED is set, and a flaky one. */
const SPEC = `
import { expect, test } from 'usage-billing-mock/playwright';
const status = async ({ url, token }, path) =>
  (await fetch(url + path, { headers: { Authorization: 'Bearer ' + token } })).status;
for (const nth of [1, 2]) {
  test('reads ' + nth, async ({ billing }) => {
    expect(await status(billing, '/measurements')).toBe(200);
  });
  test('契約を削除する ' + nth, async ({ billing }) => {
    expect(await status(billing, process.env.IS_FIXED ? '/measurements' : '/customers/c1')).toBe(200);
  });
}
test.describe('a group', () => {
  test.describe.configure({ retries: 1 });
  test('is flaky', async ({ billing }, { retry }) => {
    expect(retry).toBe(1);
  });
  test('is expected to fail', async ({ billing }) => {
    test.fail();
    expect(1).toBe(2);
  });
  test('is skipped', async ({ billing }) => test.skip());
});
`;

const TITLES = ['reads 1', 'reads 2', 'a group › is flaky', 'a group › is expected to fail'];
const DELETES = ['契約を削除する 1', '契約を削除する 2'];

describe('a mock of which Playwright is told the URL', () => {
  let server: MockServer;
  let url: string;
  beforeEach(async () => {
    server = await createMockServer();
    url = await server.start();
  });
  afterEach(() => server.stop());

  const projectOf = (config: object, fixed: boolean) =>
    writeProject({
      'package.json': { type: 'module' },
      'playwright.config.js': `export default ${JSON.stringify({ use: { billingOptions: { url } }, ...config })};`,
      'tests/client.spec.js': SPEC.replaceAll('process.env.IS_FIXED', String(fixed)),
    });

  test('knows one run, whose failing tests restarted its worker, until a rerun is green', async () => {
    const { code, output } = await runTests('playwright', projectOf({}, false), '--workers=2');
    expect([code, output.match(/\d+ (?:failed|flaky|passed)/g)]).toEqual([
      1,
      ['2 failed', '1 flaky', '3 passed'],
    ]);
    const tests = await testsOf(server);
    expect(inShort(tests)).toEqual(
      [
        ...DELETES.map((title) => `failed tests/client.spec.js ${title}`),
        ...TITLES.map((title) => `passed tests/client.spec.js ${title}`),
      ].sort(),
    );
    expect(runsOf(tests)).toEqual([expect.stringMatching(/^run-[0-9a-f]{8}$/)]);
    expect(tests.every(({ durationMs }) => Number.isInteger(durationMs))).toBe(true);
    expect(tests[0]?.message).toContain('Expected: 200');
    // Of those that passed, the accounts were closed.
    expect(server.tokens()).toHaveLength(3);

    const again = runTests('playwright', projectOf({}, true), '-g', '契約を削除する 1');
    await outputOf(again);
    const [stillFailed] = await testsOf(server);
    expect(stillFailed).toMatchObject({ outcome: 'failed', title: DELETES[1] });
    await outputOf(runTests('playwright', projectOf({}, true)));
    const green = await testsOf(server);
    expect(new Set(green.map(({ outcome }) => outcome))).toEqual(new Set(['passed']));
    expect([green.length, runsOf(green).length]).toEqual([6, 1]);
    expect(runsOf(green)).not.toEqual(runsOf(tests));
  });

  test('tells projects and repeats of one test apart', async () => {
    const projects = [{ name: 'wide' }, { name: 'narrow' }];
    const folder = projectOf({ projects, repeatEach: 2 }, false);
    await outputOf(runTests('playwright', folder, '-g', 'reads 1'));
    expect(inShort(await testsOf(server))).toEqual([
      'passed tests/client.spec.js [narrow] reads 1',
      'passed tests/client.spec.js [narrow] reads 1 (repeat 1)',
      'passed tests/client.spec.js [wide] reads 1',
      'passed tests/client.spec.js [wide] reads 1 (repeat 1)',
    ]);
  });
});

/** The set-up of a runner that writes, at its end, which tests the mock knows. */
const setUpOf = (runner: Runner) => `
import setUp from 'usage-billing-mock/${runner}/global-setup';
export const tell = async () => {
  const [{ url }] = JSON.parse(process.env.SHARED_USAGE_BILLING_MOCK);
  const { tests } = await (await fetch(url + '/__control/tests')).json();
  process.stdout.write('\\ntests=' + JSON.stringify(tests) + '\\n');
};
export default async (...given) => {
  const end = await setUp(...given);
  return async () => {
    await tell();
    end();
  };
};`;

const KITS = [
  [
    'playwright',
    `import { expect, test } from 'usage-billing-mock/playwright';
    const { describe } = test;
    const inTest = (act) => ({ billing }) => act(billing);`,
    {
      'package.json': { type: 'module' },
      'playwright.config.js': "export default { globalSetup: './set-up.js', workers: 2 };",
      'set-up.js': setUpOf('playwright'),
    },
    'a.spec.js',
  ],
  [
    'vitest',
    `import { describe, expect, test } from 'vitest';
    import { useMockServer } from 'usage-billing-mock/vitest';
    const mock = useMockServer();
    const inTest = (act) => () => act(mock);`,
    {
      'package.json': { type: 'module' },
      'vitest.config.js': "export default { test: { globalSetup: './set-up.js', maxWorkers: 2 } };",
      'set-up.js': setUpOf('vitest'),
    },
    'a.test.js',
  ],
  [
    'jest',
    `const { useMockServer } = require('usage-billing-mock/jest');
    const mock = useMockServer();
    const inTest = (act) => () => act(mock);`,
    {
      'package.json': {
        jest: {
          transform: {},
          testEnvironment: 'usage-billing-mock/jest-environment',
          globalSetup: 'usage-billing-mock/jest/global-setup',
          globalTeardown: './tell.mjs',
          maxWorkers: 2,
        },
      },
      'tell.mjs': `${setUpOf('jest')}`.replace(/export default[\s\S]*/, 'export default tell;'),
    },
    'a.test.js',
  ],
] as const;

const TESTS = `
describe('a client', () => {
  test('reads', inTest((mock) => mock.account.fingerprint()));
  describe('契約', () => {
    test('削除する, (twice)', inTest(() => { expect(1).toBe(2); }));
  });
  for (const nth of [1, 2]) alike(nth);
});`;

test.each(KITS)(
  'the mock of a run of %s knows all of its tests, as one run',
  async (runner, imports, files, file) => {
    // Playwright refuses titles that are alike.
    const alike = `const alike = (nth) => test(${runner === 'playwright' ? "'alike ' + nth" : "'alike'"}, inTest(() => { expect(nth).toBe(2); }));`;
    const other = file.replace('a.', 'b.');
    const folder = writeProject({
      ...files,
      [file]: `${imports}\n${alike}\n${TESTS}`,
      [`below/${other}`]: `${imports}\ntest('reads', inTest((mock) => mock.account.fingerprint()));`,
    });
    const { code, output } = await runTests(runner, folder);
    const [tests = '[]'] = written(output, 'tests');
    const known: readonly Test[] = JSON.parse(tests);
    const second = runner === 'playwright' ? 'alike 2' : 'alike (2)';
    const first = runner === 'playwright' ? 'alike 1' : 'alike';
    expect([code, inShort(known)]).toEqual([
      1,
      [
        `failed ${file} a client › ${first}`,
        `failed ${file} a client › 契約 › 削除する, (twice)`,
        `passed ${file} a client › ${second}`,
        `passed ${file} a client › reads`,
        `passed below/${other} reads`,
      ],
    ]);
    expect(runsOf(known)).toHaveLength(1);
  },
);
