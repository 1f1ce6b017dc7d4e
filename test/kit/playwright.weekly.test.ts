import { stripVTControlCharacters } from 'node:util';
import { createMockServer } from '../../src/index.js';
import { writeFixture } from '../support/fixture.js';
import { outputOf, runTests, TELL, writeProject, written } from '../support/runner.js';

const CUSTOMER = '65a000000000000000000001';

const IMPORTS = `
import { expect, test } from 'usage-billing-mock/playwright';
${TELL}
const getCustomer = ({ url, token }, id = '${CUSTOMER}') =>
  fetch(url + '/customers/' + id, { headers: { Authorization: 'Bearer ' + token } });
`;

function projectOf(tests: Readonly<Record<string, string>>): string {
  const complete = Object.entries(tests).map(([name, text]) => [name, `${IMPORTS}\n${text}`]);
  return writeProject({ 'package.json': { type: 'module' }, ...Object.fromEntries(complete) });
}

interface Report {
  readonly suites: readonly { readonly specs: readonly Spec[] }[];
}

interface Spec {
  readonly title: string;
  readonly tests: readonly { readonly results: readonly Result[] }[];
}

interface Result {
  readonly errors: readonly { readonly message: string }[];
  readonly attachments: readonly { readonly name: string; readonly body?: string }[];
}

/** The errors and attachments that Playwright reports for a project's tests, by title. */
async function reported(folder: string) {
  const { output } = await runTests('playwright', folder, '--reporter=json');
  const { suites }: Report = JSON.parse(output.slice(output.indexOf('{\n')));
  return Object.fromEntries(
    suites
      .flatMap(({ specs }) => specs)
      .map(({ title, tests }) => {
        const results = tests.flatMap((each) => each.results);
        const errors = results.flatMap((result) => result.errors.map(({ message }) => message));
        const attachments = results.flatMap((result) =>
          result.attachments.map(({ name, body = '' }) => [
            name,
            Buffer.from(body, 'base64').toString(),
          ]),
        );
        return [title, { errors, attachments: Object.fromEntries(attachments) }];
      }),
  );
}

describe('the fixture billing', () => {
  test('has an account for every test, named after it, on a mock of its worker', async () => {
    const text = `
      test('a customer is read', async ({ billing }) => {
        tell('url', billing.url);
        tell('token', billing.token);
        expect((await getCustomer(billing)).status).toBe(200);
        expect(await billing.journal.count()).toBe(1);
        await billing.account.customers.remove('${CUSTOMER}');
        expect((await getCustomer(billing)).status).toBe(404);
        const other = billing.newToken();
        tell('token', other);
        expect((await getCustomer({ url: billing.url, token: other })).status).toBe(200);
        expect(await billing.server.account(other).journal.count()).toBe(1);
        expect(await billing.story()).toContain('2. GET /customers/${CUSTOMER} -> 404');
      });
      for (const number of [1, 2]) {
        test.describe('a group ' + number, () => {
          test('of tests', async ({ billing }) => {
            tell('token', billing.token);
            expect(await billing.journal.count()).toBe(0);
          });
        });
      }`;
    const folder = projectOf({ 'a.spec.js': text, 'b.spec.js': text });
    const output = await outputOf(runTests('playwright', folder, '--workers=2'));
    expect(new Set(written(output, 'url')).size).toBe(2);
    const tokens = written(output, 'token');
    expect([tokens.length, new Set(tokens).size]).toEqual([8, 8]);
    for (const token of tokens) {
      expect(token).toMatch(
        /^[ab]\.spec\.js\/(a\+customer\+is\+read|a\+group\+[12]~of\+tests)\.\d\.[\w-]{12}$/,
      );
    }
  });

  test('starts one mock for its worker, and none before it is needed', async () => {
    const folder = projectOf({
      'a.spec.js': `
      import { createRequire } from 'node:module';
      const library = Object.keys(createRequire(import.meta.url).cache).filter((file) => /library/.test(file));
      for (const name of ['one', 'two']) {
        test(name, async ({ billing }) => {
          tell('url', billing.url);
          expect(library).toEqual([]);
          await expect(await getCustomer(billing)).toMatchContract('getCustomer');
          await expect(billing).toHaveReceivedTimes('getCustomer', 1);
        });
      }`,
    });
    const urls = written(await outputOf(runTests('playwright', folder)), 'url');
    expect([urls.length, new Set(urls).size]).toEqual([2, 1]);
  });

  test('uses a mock that runs already, and closes there the accounts of tests that passed', async () => {
    const server = await createMockServer({ controlToken: 'secret' });
    const url = await server.start();
    const folder = projectOf({
      'a.spec.js': `
        test.use({ billingOptions: { url: '${url}', controlToken: 'secret' } });
        test('passes', async ({ billing }) => {
          expect(billing.url).toBe('${url}');
          await expect(await getCustomer(billing)).toMatchContract('getCustomer');
          await expect(billing).toHaveReceived('getCustomer');
        });
        test('fails', async ({ billing }) => {
          await getCustomer(billing);
          await expect(billing).not.toHaveReceived('getCustomer');
        });`,
    });
    expect((await reported(folder)).fails?.errors).toHaveLength(1);
    expect(server.tokens()).toEqual([
      expect.stringMatching(/^run-.*\/a\.spec\.js\..*\/fails\.2\.[\w-]{12}$/),
    ]);
    await server.stop();
  });

  test('uses a mock on the origin of the pages, by its path', async () => {
    const server = await createMockServer({ basePath: '/billing' });
    const url = await server.start();
    const folder = projectOf({
      'a.spec.js': `
        test.use({ baseURL: '${new URL(url).origin}/app/', billingOptions: { url: '/billing' } });
        test('passes', async ({ billing }) => {
          expect(billing.url).toBe('${url}');
          expect((await getCustomer(billing)).status).toBe(200);
          await expect(billing).toHaveReceived('getCustomer');
        });`,
    });
    await outputOf(runTests('playwright', folder)).finally(server.stop);
  });

  test('serves a situation that was saved, when its file is the dataset', async () => {
    const account = (await createMockServer()).account('t');
    account.faults.add({ kind: 'status', status: 503, times: 'always' });
    const dataset = writeFixture(JSON.stringify(account.fixture()), 'situation.json');
    const folder = projectOf({
      'a.spec.js': `
      test.use({ billingOptions: { server: { dataset: '${dataset}' } } });
      test('passes', async ({ billing }) => {
        expect((await getCustomer(billing)).status).toBe(503);
      });`,
    });
    await outputOf(runTests('playwright', folder));
  });

  test('refuses wrong options, each in a sentence', async () => {
    const refusals = [
      [
        "{ intercpt: '**' }",
        "Unknown option 'intercpt' in billingOptions. Did you mean 'intercept'?",
      ],
      ["{ dataset: 'empty' }", "Server options belong in 'server'."],
      [
        "{ server: {}, url: 'http://127.0.0.1:9' }",
        "billingOptions has 'server' and 'url'; expected only one of them",
      ],
      ['{ onlyTokenOfTest: true }', "'onlyTokenOfTest' without 'intercept'"],
      [
        '{ onlyTokenOfTest: 1 }',
        "The option 'onlyTokenOfTest' in billingOptions is 1; expected true or false.",
      ],
      ["{ url: 'http://127.0.0.1:9' }", 'http://127.0.0.1:9'],
      [
        "{ url: '/billing' }",
        `The option 'url' in billingOptions is "/billing"; expected the URL of a mock, such as 'http://127.0.0.1:4010', or a path together with Playwright's option 'baseURL'.`,
      ],
    ] as const;
    const files = refusals.map(([options], nth) => [
      `${nth}.spec.js`,
      `test.use({ billingOptions: ${options} });
      test('${nth}', async ({ billing }) => {});`,
    ]);
    const report = await reported(projectOf(Object.fromEntries(files)));
    for (const [nth, [, sentence]] of refusals.entries())
      expect(report[nth]?.errors).toEqual([expect.stringContaining(sentence)]);
  });
});

describe('the expect of the kit', () => {
  test('has the matchers, with the asymmetric ones of Playwright, soft, polled and resolved', async () => {
    const folder = projectOf({
      'a.spec.js': `
        test('matches', async ({ billing }) => {
          await expect(billing).not.toHaveReceived('getCustomer');
          const later = new Promise((resolve) => setTimeout(resolve, 300)).then(() => getCustomer(billing));
          await expect.poll(() => billing).toHaveReceived('getCustomer');
          await expect(billing).toHaveReceived('getCustomer', { customerId: expect.stringMatching(/^65/) });
          await expect(billing).not.toHaveReceived('getCustomer', { customerId: expect.stringMatching(/^66/) });
          await expect.soft(billing).toHaveReceivedTimes('getCustomer', 1, { customerId: '${CUSTOMER}' });
          await expect(later).resolves.toMatchContract('getCustomer');
          await expect(billing.account).toHaveReceived('getCustomer');
          expect(billing).toHaveProperty('url');
        });`,
    });
    await outputOf(runTests('playwright', folder));
  });

  test('retries as that of Playwright does, and lets what is expected hold for a moment', async () => {
    const folder = projectOf({
      'a.spec.js': `
        const later = (act, milliseconds = 400) => new Promise((resolve) => setTimeout(resolve, milliseconds)).then(act);
        const passed = (promise) => promise.then(() => true, () => false);
        test('fails since it comes later', async ({ billing }) => {
          const sent = later(() => getCustomer(billing), 100);
          await expect(billing).not.toHaveReceived('getCustomer').finally(() => sent);
        });
        test('fails since it comes twice', async ({ billing }) => {
          await getCustomer(billing);
          const sent = later(() => getCustomer(billing), 100);
          await expect(billing).toHaveReceivedTimes('getCustomer', 1).finally(() => sent);
        });
        test('waits as long as it is told', async ({ billing }) => {
          let sent = later(() => getCustomer(billing), 1_500);
          const short = expect.configure({ timeout: 200 });
          expect(await passed(short(billing).toHaveReceived('getCustomer'))).toBe(false);
          expect(await passed(short(billing).not.toHaveReceived('getCustomer'))).toBe(true);
          expect(await passed(expect(billing).not.toHaveReceived('getCustomer', {}, { timeout: 5_000 }))).toBe(false);
          await sent;
          sent = later(() => getCustomer(billing), 1_500);
          expect(await passed(short(billing).toHaveReceivedTimes('getCustomer', 2, { timeout: 5_000 }))).toBe(true);
          await sent;
        });`,
    });
    const { output } = await runTests('playwright', folder);
    expect(output).toMatch(/2 failed\n.*later[\s\S]*twice[\s\S]*1 passed/);
    expect(output).toContain('Expected the account not to have received getCustomer. It received');
    expect(output).toContain('getCustomer once; received 2 times. It received, latest first:');
  });

  test('fails a test whose matcher failed, awaited or not, and shows its line', async () => {
    const folder = projectOf({
      'a.spec.js': `
        const short = expect.configure({ timeout: 1_000 });
        test('is wrong', async ({ billing }) => {
          await short(billing).toHaveReceived('getCustomer');
        });
        test('is wrong and forgotten', async ({ billing }) => {
          short(billing).toHaveReceivedTimes('getCustomer', 1);
        });
        test('is wrong and forgotten without the fixture', async () => {
          expect({ status: 404 }).toMatchContract('getCustomer');
        });
        test('is wrong under not and forgotten', async ({ billing }) => {
          await getCustomer(billing);
          expect(billing).not.toHaveReceived('getCustomer');
        });
        test('is right and forgotten', async ({ billing }) => {
          expect(billing).not.toHaveReceived('getCustomer');
        });
        test('comes after those that forgot', async ({ billing }) => {
          await expect(billing).not.toHaveReceived('getCustomer');
        });`,
    });
    const report = await reported(folder);
    const lines = Object.entries(report).map(([title, { errors }]) => [
      title,
      errors.map((message) => /> \d+ \| +(.*)/.exec(stripVTControlCharacters(message))?.[1]),
    ]);
    expect(Object.fromEntries(lines)).toEqual({
      'is wrong': ["await short(billing).toHaveReceived('getCustomer');"],
      'is wrong and forgotten': ["short(billing).toHaveReceivedTimes('getCustomer', 1);"],
      'is wrong and forgotten without the fixture': [
        "expect({ status: 404 }).toMatchContract('getCustomer');",
      ],
      'is wrong under not and forgotten': ["expect(billing).not.toHaveReceived('getCustomer');"],
      'is right and forgotten': [],
      'comes after those that forgot': [],
    });
    expect(report['is wrong']?.errors[0]).toContain(
      'Expected the account to have received getCustomer. It received, latest first:',
    );
    expect(report['is wrong and forgotten']?.attachments).toHaveProperty(['billing-requests.txt']);
  });
});

test('a verb that is refused shows the line of the test', async () => {
  const folder = projectOf({
    'a.spec.js': `
      const arrange = async (account) => {
        await account.customers.put({ name: 'Initech' });
      };
      test('has no id', async ({ billing }) => {
        await arrange(billing.account);
      });`,
  });
  const { output } = await runTests('playwright', folder);
  expect(output).toContain("InvalidInputError: 'id' is missing; expected");
  expect(output).toMatch(/> \d+ \| +await account\.customers\.put/);
});

test('a test has a mock of its worker with routes and other options of a server', async () => {
  const folder = projectOf({
    'a.spec.js': `
      const server = { dataset: 'empty', routes: () => Response.json({ name: 'Robin' }) };
      test.describe(() => {
        test.use({ billingOptions: { server } });
        for (const number of [1, 2]) {
          test('own ' + number, async ({ billing }) => {
            tell('own', billing.url);
            const headers = { Authorization: 'Bearer ' + billing.token };
            expect(await (await fetch(billing.url + '/me', { headers })).json()).toEqual({ name: 'Robin' });
            expect((await getCustomer(billing)).status).toBe(404);
          });
        }
      });
      test('shared', async ({ billing }) => {
        tell('shared', billing.url);
        expect((await getCustomer(billing)).status).toBe(200);
      });`,
  });
  const output = await outputOf(runTests('playwright', folder, '--workers=1'));
  const [own, ...others] = written(output, 'own');
  expect(others).toEqual([own]);
  expect(written(output, 'shared')).toEqual([expect.not.stringContaining(String(own))]);
});

test('a test that fails has in its report what its account received, as text and as HAR, and its changes', async () => {
  const folder = projectOf({
    'a.spec.js': `
      test('fails', async ({ billing }) => {
        await getCustomer(billing, 'nobody');
        await fetch(billing.url + '/nowhere');
        expect(1).toBe(2);
      });
      test('fails with changes', async ({ billing }) => {
        await billing.account.customers.put({ id: 'c1', name: 'Initech' });
        await billing.account.customers.remove('${CUSTOMER}');
        expect(1).toBe(2);
      });
      test('fails with many changes', async ({ billing }) => {
        for (let nth = 0; nth <= 200; nth += 1)
          await billing.account.customers.put({ id: 'c' + nth, name: 'Initech' });
        expect(1).toBe(2);
      });
      test('passes', async ({ billing }) => {
        await getCustomer(billing);
      });
      test.fail('fails as expected', async ({ billing }) => {
        expect(1).toBe(2);
      });`,
  });
  const report = await reported(folder);
  const { attachments = {} } = report.fails ?? {};
  expect(attachments['billing-requests.txt']).toMatch(
    /^ {2}1\. GET \/customers\/nobody -> 404[\s\S]*GET \/nowhere -> 404[\s\S]*\n\nusage-billing-mock at http:\/\/127\.0\.0\.1:\d+ \(seed \d+\): what the account 'a\.spec\.js › fails' received, latest request first$/,
  );
  const har = JSON.parse(attachments['billing-requests.har'] ?? '');
  expect(har.log.entries).toHaveLength(1);
  expect(har.log.entries[0].request.url).toContain('/customers/nobody');
  expect(Object.keys(attachments)).not.toContain('billing-changes.json');
  const { attachments: changed = {} } = report['fails with changes'] ?? {};
  expect(JSON.parse(changed['billing-changes.json'] ?? '')).toEqual([
    {
      collection: 'customers',
      id: 'c1',
      change: 'added',
      record: expect.objectContaining({ id: 'c1', name: 'Initech' }),
    },
    { collection: 'customers', id: CUSTOMER, change: 'removed' },
  ]);
  const { attachments: many = {} } = report['fails with many changes'] ?? {};
  const listed = JSON.parse(many['billing-changes.json'] ?? '');
  expect(listed.at(-2)).toHaveProperty('record');
  expect(listed.slice(200)).toEqual([{ collection: 'customers', id: 'c200', change: 'added' }]);
  const names = ['passes', 'fails as expected'].map((title) =>
    Object.keys(report[title]?.attachments ?? {}).filter((name) => name.startsWith('billing')),
  );
  expect(names).toEqual([[], []]);
});
