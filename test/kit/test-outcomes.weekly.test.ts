import { createMockServer, type MockServer } from '../../src/index.js';
import { outputOf, runTests, writeProject } from '../support/runner.js';

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
    const all = await testsOf(server);
    const green = all.filter(({ run }) => run === all[0]?.run);
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
