import { createMockServer, type MockServer } from '../../src/index.js';
import { outputOf, runTests, writeProject } from '../support/runner.js';

interface Listed {
  readonly name: string;
  readonly test: {
    readonly outcome: string;
    readonly file: string;
    readonly title: string;
    readonly message?: string;
  };
}

async function accountsOf({ url }: MockServer, query: string) {
  const response = await fetch(`${url}/__control/accounts?${query}`);
  return (await response.json()) as { accounts: readonly Listed[]; failed: number };
}

async function testsOf(server: MockServer): Promise<string[]> {
  const { accounts } = await accountsOf(server, 'closed=true');
  const marked = accounts.flatMap(({ test }) => test ?? []);
  return marked.map(({ outcome, file, title }) => `${outcome} ${file} ${title}`).sort();
}

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

const PASSED = ['reads 1', 'reads 2', 'a group › is flaky', 'a group › is expected to fail'];
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

  test('knows how each try of a test ended, and which tests have failed until a rerun is green', async () => {
    const { code, output } = await runTests('playwright', projectOf({}, false), '--workers=2');
    expect([code, output.match(/\d+ (?:failed|flaky|passed)/g)]).toEqual([
      1,
      ['2 failed', '1 flaky', '3 passed'],
    ]);
    expect(await testsOf(server)).toEqual(
      [
        'failed tests/client.spec.js a group › is flaky',
        ...DELETES.map((title) => `failed tests/client.spec.js ${title}`),
        ...PASSED.map((title) => `passed tests/client.spec.js ${title}`),
      ].sort(),
    );
    const { accounts, failed } = await accountsOf(server, 'failed=true');
    expect(accounts[0]?.test.message).toContain('Expected: 200');
    expect(failed).toBe(2);
    // Of those that passed, the accounts were closed.
    expect(server.tokens()).toHaveLength(3);

    await outputOf(runTests('playwright', projectOf({}, true), '-g', '契約を削除する 1'));
    expect(await accountsOf(server, 'failed=true')).toMatchObject({
      accounts: [{ test: { title: DELETES[1] } }],
      failed: 1,
    });
    await outputOf(runTests('playwright', projectOf({}, true)));
    expect(await accountsOf(server, 'failed=true')).toMatchObject({ accounts: [], failed: 0 });
  });

  test('tells projects and repeats of one test apart', async () => {
    const projects = [{ name: 'wide' }, { name: 'narrow' }];
    const folder = projectOf({ projects, repeatEach: 2 }, false);
    await outputOf(runTests('playwright', folder, '-g', 'reads 1'));
    expect(await testsOf(server)).toEqual([
      'passed tests/client.spec.js [narrow] reads 1',
      'passed tests/client.spec.js [narrow] reads 1 (repeat 1)',
      'passed tests/client.spec.js [wide] reads 1',
      'passed tests/client.spec.js [wide] reads 1 (repeat 1)',
    ]);
  });
});
