import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createMockServer } from '../../src/index.js';
import { createCertificate, hasProgram } from '../support/certificates.js';
import { newFolder, writeFixture } from '../support/fixture.js';
import { startProgram } from '../support/programs.js';

interface Example {
  readonly language: string;
  readonly folder: string;
  /** The required programs, each with arguments that succeed if it is installed. */
  readonly tools: readonly (readonly string[])[];
  readonly command: readonly [string, ...string[]];
  /** What the example prints if a second delete finds the contract. */
  readonly complaint: RegExp;
}

const EXAMPLES: Example[] = [
  {
    language: 'Python',
    folder: 'examples/python',
    tools: [['python3', '--version']],
    command: ['python3', '-B', '-m', 'unittest'],
    complaint: /FAIL: test_delete_contract_once.*200 != 404.*FAILED \(failures=1\)/s,
  },
  {
    language: 'Python, run by pytest',
    folder: 'examples/python',
    tools: [['python3', '-m', 'pytest', '--version']],
    command: ['python3', '-B', '-m', 'pytest', '-p', 'no:cacheprovider'],
    complaint: /test_delete_contract_once.*200 != 404.*1 failed, 5 passed/s,
  },
  {
    language: 'Go',
    folder: 'examples/go',
    tools: [['go', 'version']],
    command: ['go', 'test', '-count=1', './...'],
    complaint:
      /--- FAIL: TestDeleteContractOnce.*\n.*got \[200 200 200\], expected \[200 404 200\]/,
  },
  {
    language: 'the shell',
    folder: 'examples/shell',
    tools: [
      ['sh', '-c', ':'],
      ['curl', '--version'],
    ],
    command: ['sh', '-c', 'sh test-tour.sh && sh test-billing.sh'],
    complaint: /^not ok - a deleted contract is not found: expected 404, got 200$/m,
  },
];

// Writes its process id, so that the test can see that it has ended.
const NOTES = writeFixture(
  "require('node:fs').writeFileSync(__filename + '.pid', String(process.pid));",
  'notes.cjs',
);
const MOCK = `node --require ${NOTES} ../../dist/cli.cjs`;

/** Runs a command in the folder of an example. */
async function runThere({ folder }: Example, command: Example['command'], variables: object) {
  const { PATH, HOME } = process.env;
  const [file, ...args] = command;
  const example = startProgram(file, args, { cwd: folder, env: { PATH, HOME, ...variables } });
  return { status: await example.ended(), output: example.output() };
}

/** Runs an example with this command as the mock. */
async function run(example: Example, mock: string, variables: object = {}) {
  const { status, output } = await runThere(example, example.command, {
    BILLING_MOCK_COMMAND: mock,
    ...variables,
  });
  const pid = Number(readFileSync(`${NOTES}.pid`, 'utf8'));
  return { status, output, isMockRunning: isRunning(pid) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const hasOpenssl = hasProgram('openssl');

/** Flags for TLS, and the certificate to trust; none without openssl. */
function secured() {
  if (!hasOpenssl) return { flags: '', trusted: '' };
  const { tlsCert, tlsKey } = createCertificate('DNS:localhost', 'IP:127.0.0.1');
  return { flags: `--tls-cert ${tlsCert} --tls-key ${tlsKey}`, trusted: tlsCert };
}

// biome-ignore lint/suspicious/noExplicitAny: Whatever the control plane answers.
async function readJson(url: string): Promise<any> {
  return (await fetch(url)).json();
}

function missingTool({ tools }: Example): string | undefined {
  const isMissing = ([file = '', ...args]: readonly string[]) =>
    spawnSync(file, args, { stdio: 'ignore' }).status !== 0;
  return tools.find(isMissing)?.[0];
}

/** A test in each language with a title in other scripts, which fails by its helper's words. */
const IN_OTHER_SCRIPTS: Readonly<Record<string, readonly [Example['command'], string]>> = {
  Python: [
    [
      ...(['python3', '-B', '-c'] as const),
      "from billing_mock import Account; Account('test_a.py::契約を削除する[Müller]').mark_test('failed', 'no')",
    ],
    'test_a.py::契約を削除する[Müller]',
  ],
  Go: [['go', 'test', '-count=1', '-run', 'TestTitles', '.'], 'TestTitles/契約を削除する[Müller]'],
  'the shell': [
    [
      ...(['sh', '-c'] as const),
      ". ./billing-mock.sh; mock_start; mock_account '契約を削除する[Müller]'; mock_mark_test failed 'no \"200\"'",
    ],
    '契約を削除する[Müller]',
  ],
};

describe.each(EXAMPLES)('the example in $language', (example) => {
  const missing = missingTool(example);
  const runs = missing ? test.skip : test;
  const why = missing ? `, skipped: ${missing} is not installed` : '';

  runs(`passes, and stops the mock${why}`, async () => {
    const { output, ...end } = await run(example, MOCK);
    expect([end, output]).toEqual([{ status: 0, isMockRunning: false }, output]);
  });

  runs(`fails where a second delete finds the contract, and stops the mock${why}`, async () => {
    const { output, ...end } = await run(example, `${MOCK} --decide repeat-delete=same-result`);
    expect(output).toMatch(example.complaint);
    expect(end).toEqual({ status: 1, isMockRunning: false });
  });

  // Another runner of the same code.
  if (example.language.includes('pytest')) return;

  runs(
    `calls the mock at USAGE_BILLING_MOCK_URL, with an account for each test, and starts none${why}`,
    async () => {
      const server = await createMockServer({ controlToken: 'secret' });
      const { status, output } = await runThere(example, example.command, {
        BILLING_MOCK_COMMAND: 'a-command-that-nobody-has',
        USAGE_BILLING_MOCK_URL: `${await server.start()}/`,
        USAGE_BILLING_MOCK_CONTROL_TOKEN: 'secret',
      });
      await server.stop();
      expect([status, output]).toEqual([0, output]);
      expect(server.tokens()).toHaveLength(7);
    },
  );

  runs(
    `passes past any proxy, ${hasOpenssl ? 'over https ' : ''}below a base path${why}${hasOpenssl ? '' : ', without https: openssl is not installed'}`,
    async () => {
      const proxies = ['http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY'];
      const { flags, trusted } = secured();
      const { output, ...end } = await run(example, `${MOCK} --base-path /v1 ${flags}`, {
        ...Object.fromEntries(proxies.map((name) => [name, 'http://127.0.0.1:9'])),
        // The variable through which each of these languages trusts a certificate.
        SSL_CERT_FILE: trusted,
      });
      expect([end, output]).toEqual([{ status: 0, isMockRunning: false }, output]);
    },
  );

  const [command, name] = IN_OTHER_SCRIPTS[example.language] ?? [];
  (command ? runs : test.skip)(
    `names an account with the letters of every script, and says how its test ended${why}`,
    async () => {
      const folder = newFolder();
      cpSync(example.folder, folder, { recursive: true });
      writeFileSync(
        join(folder, 'titles_test.go'),
        `package billing
        import ("testing"; "billing/billingmock")
        func TestTitles(t *testing.T) {
          t.Run("契約を削除する[Müller]", func(t *testing.T) { billingmock.NewAccount(t); t.Fail() })
          t.Run("passes", func(t *testing.T) { billingmock.NewAccount(t) })
        }`,
      );
      const server = await createMockServer();
      const url = await server.start();
      const variables = { USAGE_BILLING_MOCK_URL: url };
      await runThere({ ...example, folder }, command ?? example.command, variables);
      const { accounts } = await readJson(`${url}/__control/accounts`);
      await server.stop();
      const [failed, ...passed] = accounts.toReversed();
      expect(failed).toMatchObject({
        name: `${name}#1`,
        test: { outcome: 'failed', message: expect.any(String) },
      });
      const { file, title } = failed.test;
      expect([file, title].filter((part) => name?.includes(part)).join('::')).toBe(name);
      expect(passed.map(({ test }: { test: { outcome: string } }) => test.outcome)).toEqual(
        example.language === 'Go' ? ['passed'] : [],
      );
    },
  );

  runs(`fails with the words of a mock that does not start${why}`, async () => {
    const { output, ...end } = await run(example, `${MOCK} --nonsense`);
    expect(output).toMatch(/has not become ready.*Unknown option '--nonsense'/s);
    expect(end).toEqual({ status: 1, isMockRunning: false });
  });
});

const shell = EXAMPLES.find(({ language }) => language === 'the shell') as Example;

test('the helper for the shell obeys no settings of curl', async () => {
  const home = newFolder();
  const settings = 'retry = 3\ninclude\nfail\nremote-name-all\nhttp2-prior-knowledge\n';
  writeFileSync(join(home, '.curlrc'), settings);
  const { output, ...end } = await run(shell, MOCK, { HOME: home, CURL_HOME: home });
  expect([end, output]).toEqual([{ status: 0, isMockRunning: false }, output]);
});

const [withGo, goNote] = hasProgram('go') ? [test, ''] : [test.skip, ' (skipped: no go)'];

withGo(
  `the helper in Go calls the mock whatever the tests put into net/http${goNote}`,
  async () => {
    const folder = newFolder();
    cpSync('examples/go', folder, { recursive: true });
    writeFileSync(
      join(folder, 'replaced_test.go'),
      `package billing
    import ("errors"; "net/http"; "testing"; "billing/billingmock")
    type replaced struct{}
    func (replaced) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("replaced") }
    func TestReplaced(t *testing.T) {
      http.DefaultTransport = replaced{}
      account := billingmock.NewAccount(t)
      var page billingmock.M
      account.Call("GET", "/measurements", nil, &page)
      account.AddFault(billingmock.M{"kind": "reset"})
      account.Call("GET", "/measurements", nil, &page)
    }`,
    );
    const go = EXAMPLES.find(({ language }) => language === 'Go') as Example;
    const server = await createMockServer();
    const { output } = await runThere({ ...go, folder }, ['go', 'test', '-run', 'Replaced', '.'], {
      USAGE_BILLING_MOCK_URL: await server.start(),
    });
    const [token = ''] = server.tokens();
    const statuses = server
      .account(token)
      .journal.list()
      .map(({ status }) => status);
    await server.stop();
    expect(output).toContain('connection reset by peer');
    // Not sent again by Go, which would hide the fault.
    expect(statuses).toEqual([200, undefined]);
  },
);

test('the matrix shows on which decision the example in the shell depends', async () => {
  const matrix = [resolve('dist/cli.cjs'), 'matrix', '--only', 'repeat-delete=conflict'] as const;
  const { status, output } = await runThere(
    shell,
    [process.execPath, ...matrix, '--', ...shell.command],
    { BILLING_MOCK_COMMAND: 'a-command-that-nobody-has' },
  );
  expect(output).toMatch(/The baseline passed in .* with [1-9]\d* requests\./);
  expect(output).toContain('The command depends on 1 decision:\n  repeat-delete\n');
  expect(status).toBe(1);
});
