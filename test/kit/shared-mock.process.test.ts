import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { createCertificate } from '../support/certificates.js';
import { until } from '../support/fetching.js';
import { type Program, run } from '../support/programs.js';
import {
  type Runner as AnyRunner,
  mocksOf,
  outputOf,
  runTests,
  startRun,
  TELL,
  writeProject,
  written,
} from '../support/runner.js';

/** Playwright has its own test files. */
type Runner = Exclude<AnyRunner, 'playwright'>;

const RUNNERS: readonly Runner[] = ['jest', 'vitest', 'jest of ES modules'];

/** The first lines of a test file, and the configuration of its project. */
const KITS: Record<Runner, { imports: string; files: Record<string, string | object> }> = {
  jest: {
    imports: "const { useMockServer } = require('usage-billing-mock/jest');",
    files: {
      'package.json': {
        jest: { transform: {}, globalSetup: 'usage-billing-mock/jest/global-setup' },
      },
    },
  },
  'jest of ES modules': {
    imports: "import { useMockServer } from 'usage-billing-mock/jest';",
    files: {
      'package.json': {
        type: 'module',
        jest: { transform: {}, globalSetup: 'usage-billing-mock/jest/global-setup' },
      },
    },
  },
  vitest: {
    imports:
      "import { expect, test } from 'vitest';\nimport { useMockServer } from 'usage-billing-mock/vitest';",
    files: {
      'package.json': { type: 'module' },
      'vitest.config.js':
        "export default { test: { globalSetup: 'usage-billing-mock/vitest/global-setup', disableConsoleIntercept: true } };",
    },
  },
};

/** A project with test files, each given without its imports. */
function projectOf(
  runner: Runner,
  tests: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string | object>> = {},
): string {
  const { imports, files } = KITS[runner];
  const complete = Object.entries(tests).map(([name, text]) => [name, `${imports}\n${text}`]);
  return writeProject({ ...files, ...Object.fromEntries(complete), ...others });
}

const ONE = `
${TELL}
const mock = useMockServer();
test('a contract is deleted', async () => {
  tell('url', mock.url);
  tell('token', mock.token);
  const headers = { Authorization: 'Bearer ' + mock.token };
  const path = '/contracts/65b000000000000000000001';
  const response = await fetch(mock.url + path, { method: 'DELETE', headers });
  await expect(response).toMatchContract('deleteContract');
  expect((await mock.fetch(path, { method: 'DELETE', headers })).status).toBe(404);
  await expect(mock).toHaveReceivedTimes('deleteContract', 2);
});
const file = () => mock.token.split('/')[2];
test('what reached no account is in the story', async () => {
  // Like fake timers, until the end.
  Date.now = () => 0;
  await fetch(mock.url + '/before/' + file());
  expect(await mock.story()).toContain(
    'Requests that reached no account meanwhile, perhaps from another worker\\n',
  );
  expect(await mock.story()).toContain('GET /before/' + file() + ' -> 404');
});
test('what came before is not in the story', async () => {
  await fetch(mock.url + '/now/' + file());
  expect(await mock.story()).toContain('GET /now/' + file() + ' -> 404');
  expect(await mock.story()).not.toContain('GET /before/' + file());
});
test.each([1, 2])('names of tests may be alike', async () => {
  tell('token', mock.token);
  tell('token', mock.newToken());
  await expect(mock).not.toHaveReceived('deleteContract');
});
`;

describe.each(RUNNERS)('the set-up of %s', (runner) => {
  test('gives one mock to all files, and every test an account named after it', async () => {
    const folder = projectOf(runner, { 'a.test.js': ONE, 'b.test.js': ONE });
    const output = await outputOf(runTests(runner, folder));
    expect(new Set(written(output, 'url')).size).toBe(1);
    const tokens = written(output, 'token');
    expect([tokens.length, new Set(tokens).size]).toEqual([10, 10]);
    for (const token of tokens) {
      expect(token).toMatch(
        /^run-[0-9a-f]{8}\/\d+\/[ab]\.test\.js\.[0-9a-f]{8}\/(a\+contract\+is\+deleted|names\+of\+tests\+may\+be\+alike)\.\d+\.[\w-]{12}$/,
      );
    }
    expect(mocksOf(folder)).toEqual([]);
  });

  test('lets a file have a mock of its own, and tells it why it has', async () => {
    const own = (given: string) => `
      ${TELL}
      const mock = useMockServer(${given});
      test('has it', () => { tell('url', mock.url); });
    `;
    const folder = projectOf(runner, {
      'options.test.js': own("{ dataset: 'empty' }"),
      'routes.test.js': own('{ routes: () => Response.json(1) }'),
      'own.test.js': own('{ shared: false }'),
      'shared.test.js': own(''),
      'together.test.js': own('{ shared: true }'),
    });
    const output = await outputOf(runTests(runner, folder));
    expect(new Set(written(output, 'url')).size).toBe(4);
    const lines = output.match(/^usage-billing-mock: .*$/gm);
    expect(lines?.sort()).toEqual([
      expect.stringMatching(/options\.test\.js sets dataset, so it has a mock of its own/),
      expect.stringMatching(/routes\.test\.js sets routes, so it has a mock of its own/),
    ]);
  });

  test('takes the options of a server', async () => {
    const setup = (options: string) => {
      const name = `usage-billing-mock/${runner === 'vitest' ? 'vitest' : 'jest'}/global-setup`;
      return runner === 'jest'
        ? `module.exports = require('${name}').createGlobalSetup(${options});`
        : `import { createGlobalSetup } from '${name}';\nexport default createGlobalSetup(${options});`;
    };
    const run = (options: string) =>
      runTests(
        runner,
        projectOf(
          runner,
          {
            'a.test.js': `const mock = useMockServer();
              test('has no customer', async () => {
                expect(await mock.account.customers.list()).toEqual([]);
                expect(mock.url).toMatch(/\\/v1$/);
                const headers = { Authorization: 'Bearer ' + mock.token, 'Content-Type': 'application/json' };
                const sent = { method: 'POST', headers, body: JSON.stringify({ refs: ['a'] }) };
                const path = '/v1/events/delete-by-refs';
                for (const given of [[path, sent], [new Request('http://any' + path, sent)]]) {
                  const response = await mock.fetch(...given);
                  expect([response.status, await response.json()]).toEqual([200, { events: [] }]);
                }
                await expect(mock).toHaveReceivedTimes('deleteEventsByRefs', 2, { refs: ['a'] });
              });`,
          },
          {
            'setup.js': setup(options),
            'package.json': {
              ...(runner !== 'jest' && { type: 'module' }),
              jest: { transform: {}, globalSetup: './setup.js' },
            },
            'vitest.config.js': "export default { test: { globalSetup: './setup.js' } };",
          },
        ),
      );
    await outputOf(run("{ dataset: 'empty', basePath: '/v1' }"));
    expect((await run("{ dataset: 'emty' }")).output).toContain('The shared mock did not start: ');
    expect((await run('{ datset: 1 }')).output).toContain("Did you mean 'dataset'?");
    const refused = await run('{ routes: () => undefined }');
    expect(refused.output).toContain("The option 'routes' is a function, which cannot be sent");
  });

  test('leaves no process behind when the run is killed', async () => {
    const folder = projectOf(runner, {
      'a.test.js': `${TELL}
        const mock = useMockServer();
        test('waits', async () => {
          tell('url', mock.url);
          await new Promise(() => {});
        }, 60_000);`,
    });
    const run = startRun(runner, folder);
    await until(() => written(run.output(), 'url').length > 0);
    const [url] = written(run.output(), 'url');
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
    expect(mocksOf(folder)).toHaveLength(1);
    run.kill('SIGKILL');
    await until(() => mocksOf(folder).length === 0);
    await expect(fetch(`${url}/__control/health`)).rejects.toThrow('fetch failed');
  });
});

describe.each([
  ['jest', ['--watchAll', '--runInBand']],
  ['vitest', ['--watch', '--run=false']],
] as const)('the watch mode of %s', (runner, flags) => {
  const WATCHED = `
    ${TELL}
    const mock = useMockServer();
    test('is run again', async () => {
      await mock.account.customers.put({ id: 'c1', name: 'Initech' });
      tell('token', mock.token);
      tell('url', mock.url);
    });
  `;

  async function runAgain(run: Program, folder: string, times: number): Promise<void> {
    await until(() => written(run.output(), 'url').length >= times - 1);
    await passed(500);
    // One change: another one, of content or of times, would begin another run.
    appendFileSync(join(folder, 'a.test.js'), '\n');
    await until(() => written(run.output(), 'url').length >= times);
  }

  test('keeps the mock, closes the accounts of the run before, and replaces a mock that died', async () => {
    const folder = projectOf(runner, { 'a.test.js': WATCHED });
    const run = startRun(runner, folder, ...flags);
    await runAgain(run, folder, 2);
    const [url = '', again] = written(run.output(), 'url');
    expect(again).toBe(url);
    const [first = '', second = ''] = written(run.output(), 'token');
    expect(first.split('/')[0]).not.toBe(second.split('/')[0]);
    const [opened, kept] = [await closes(url, first), await closes(url, second)];
    expect([opened, kept]).toEqual([false, true]);
    for (const pid of mocksOf(folder)) process.kill(pid);
    await runAgain(run, folder, 3);
    expect(written(run.output(), 'url')[2]).not.toBe(url);
    run.kill('SIGKILL');
    await until(() => mocksOf(folder).length === 0);
  });
});

/** Closes the token's account; returns whether there was one. */
async function closes(url: string, token: string): Promise<boolean> {
  const response = await fetch(`${url}/__control/account`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { closed: boolean }).closed;
}

test('a shared mock that no longer answers is named in a sentence', async () => {
  const folder = projectOf(
    'jest',
    { 'a.test.js': ONE },
    {
      'setup.js': `module.exports = () => {
      process.env.SHARED_USAGE_BILLING_MOCK = JSON.stringify([{ url: 'http://127.0.0.1:9', run: 'run-1', seed: 1 }]);
    };`,
      'package.json': { jest: { transform: {}, globalSetup: './setup.js' } },
    },
  );
  const { code, output } = await runTests('jest', folder);
  expect(code).toBe(1);
  expect(output).toContain(
    'The shared mock for this run, http://127.0.0.1:9, does not answer (connect ECONNREFUSED 127.0.0.1:9). Run',
  );
});

/** The ways in which jest projects name their tests. */
const OWN_TESTS = [
  [
    'the files of one folder',
    (name: string) => ({ testMatch: [`<rootDir>/${name}/**/*.test.js`] }),
  ],
  ['files by an expression', (name: string) => ({ testRegex: `/${name}/.*\\.js$` })],
  ['a folder of its own', (name: string) => ({ rootDir: name })],
] as const;

test.each(OWN_TESTS)(
  'each project of jest has the mock of its own set-up: %s',
  async (_what, own) => {
    const text = (count: number) => `${TELL}
    const { useMockServer } = require('usage-billing-mock/jest');
    const mock = useMockServer();
    test('has its records', async () => {
      tell('url', mock.url);
      expect((await mock.account.contracts.list()).length > 0).toBe(${count} > 0);
    });`;
    const setUp = (dataset: string) =>
      `module.exports = require('usage-billing-mock/jest/global-setup').createGlobalSetup({ dataset: '${dataset}' });`;
    const projectOfJest = (name: string) => ({
      displayName: name,
      transform: {},
      ...own(name),
      globalSetup: `<rootDir>/${'rootDir' in own(name) ? '..' : ''}/${name}.js`.replace('//', '/'),
    });
    const folder = writeProject({
      'empty.js': setUp('empty'),
      'full.js': setUp('default'),
      'empty/a.test.js': text(0),
      'full/a.test.js': text(1),
      'package.json': { jest: { projects: [projectOfJest('empty'), projectOfJest('full')] } },
    });
    const output = await outputOf(runTests('jest', folder));
    expect(new Set(written(output, 'url')).size).toBe(2);
  },
);

test('each project of vitest has the mock of its own set-up', async () => {
  const text = (expected: boolean) => `${TELL}${KITS.vitest.imports}
    const mock = useMockServer();
    test('has its records', async () => {
      tell('url', mock.url);
      expect((await mock.account.contracts.list()).length > 0).toBe(${expected});
    });`;
  const setUp = (dataset: string) =>
    `import { createGlobalSetup } from 'usage-billing-mock/vitest/global-setup';\nexport default createGlobalSetup({ dataset: '${dataset}' });`;
  const folder = writeProject({
    'package.json': { type: 'module' },
    'empty.js': setUp('empty'),
    'full.js': setUp('default'),
    'empty/a.test.js': text(false),
    'full/a.test.js': text(true),
    'vitest.config.js': `const projectOf = (name) => ({ test: { name, include: [name + '/**/*.test.js'], globalSetup: './' + name + '.js', disableConsoleIntercept: true } });
      export default { test: { disableConsoleIntercept: true, projects: [projectOf('full'), projectOf('empty')] } };`,
  });
  const output = await outputOf(runTests('vitest', folder));
  expect(new Set(written(output, 'url')).size).toBe(2);
});

test.each(RUNNERS)('a mock that all files share may be one of https, in %s', async (runner) => {
  const { tlsCert, tlsKey } = createCertificate('IP:127.0.0.1');
  const folder = projectOf(
    runner,
    {
      'a.test.js': `const mock = useMockServer();
        test('arranges and matches', async () => {
          expect(mock.url).toMatch(/^https:/);
          await mock.account.customers.put({ id: 'c1', name: 'Initech' });
          const headers = { Authorization: 'Bearer ' + mock.token };
          expect((await mock.fetch('/customers/c1', { headers })).status).toBe(200);
          await expect(mock).toHaveReceived('getCustomer');
        });`,
    },
    {
      'setup.js': `${runner === 'jest' ? 'const { createGlobalSetup } = require(' : 'import { createGlobalSetup } from '}'usage-billing-mock/${runner === 'vitest' ? 'vitest' : 'jest'}/global-setup'${runner === 'jest' ? ')' : ''};
        ${runner === 'jest' ? 'module.exports =' : 'export default'} createGlobalSetup(${JSON.stringify({ tlsCert, tlsKey })});`,
      'package.json': {
        ...(runner !== 'jest' && { type: 'module' }),
        jest: { transform: {}, globalSetup: './setup.js' },
      },
      'vitest.config.js': "export default { test: { globalSetup: './setup.js' } };",
    },
  );
  await outputOf(runTests(runner, folder));
});

test('a mock of https is kept from one run of a watch mode to the next', async () => {
  const files = createCertificate('IP:127.0.0.1');
  const folder = projectOf('jest', {});
  const { stdout } = await run(
    process.execPath,
    [
      '--eval',
      `const { createGlobalSetup } = require('usage-billing-mock/jest/global-setup');
      const begin = createGlobalSetup(${JSON.stringify(files)});
      const told = () => JSON.parse(process.env.SHARED_USAGE_BILLING_MOCK).map(({ url }) => url);
      begin().then(told).then(async (first) => {
        await begin();
        console.log(JSON.stringify([first, told()]));
        process.exit();
      });`,
    ],
    { cwd: folder },
  );
  const [first, second] = JSON.parse(stdout);
  expect(second).toEqual(first);
});
