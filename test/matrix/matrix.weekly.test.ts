import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { runCommand } from '../support/command.js';
import { asShown } from '../support/console-blocks.js';
import { until } from '../support/fetching.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';
import { client, matrix } from '../support/matrix.js';
import { blocksOf } from '../support/pages.js';

const EXAMPLE = ['node', '--test', '--test-reporter=spec', 'examples/matrix'];
const [REPORT = ''] = blocksOf('docs/matrix.md', 'text');

/** The report without what differs between runs. */
function steady(text: string): string {
  return text.replaceAll(/\d+\.\d+( s|ms)/g, '0$1');
}

describe('usage-billing-mock matrix', () => {
  test('finds exactly the three assumptions of the example, as its page shows', async () => {
    const file = join(fixtureFolder, 'report.json');
    const { exitCode, stdout } = await matrix(['--jobs', '2', '--report', file], EXAMPLE);
    expect(exitCode).toBe(1);
    const { alternatives } = JSON.parse(readFileSync(file, 'utf8'));
    const differing = alternatives.filter(
      ({ outcome }: { outcome: string }) => outcome === 'failed',
    );
    const decisions = differing.map(({ decision }: { decision: string }) => decision);
    expect([...new Set(decisions)]).toEqual(['success-status', 'final-cursor', 'enum-values']);
    expect(alternatives.length).toBeGreaterThan(35);
    expect(steady(stdout)).toMatch(asShown(steady(REPORT)));
  });

  test('tells of a broken run the decision, the exchange and the output', async () => {
    const file = join(fixtureFolder, 'one.json');
    const command = client(
      "const { total } = await (await call('/measurements')).json(); console.log('same'); if (total < 100) { console.log('total is', total); process.exit(3); }",
    );
    await matrix(['--only', 'total-counts=page', '--report', file], command);
    const { alternatives } = JSON.parse(readFileSync(file, 'utf8'));
    expect(alternatives).toEqual([
      expect.objectContaining({
        decision: 'total-counts',
        value: 'page',
        section: '4.4',
        outcome: 'failed',
        isAccepted: false,
        exitCode: 3,
        output: 'total is 10',
        firstOther: expect.objectContaining({ path: '/measurements', status: 200 }),
      }),
    ]);
  });

  test('shows the beginning and the end of a long output', async () => {
    const file = join(fixtureFolder, 'long.json');
    const command = client(
      `const { total } = await (await call('/measurements')).json();
      const letters = (nth) => nth.toString(2).replaceAll('0', 'a').replaceAll('1', 'b');
      const traceback = Array.from({ length: 200_000 }, (_, nth) => 'line ' + letters(nth)).join('\\n');
      if (total < 100) { console.log(traceback + '\\nKeyError: total'); process.exitCode = 1; }`,
    );
    const args = ['--only', 'total-counts=page', '--report', file, '--junit', `${file}.xml`];
    const { stdout } = await matrix(args, command);
    expect(stdout).toMatch(
      /(?: {2}\| line \w+\n){5} {2}\| …\n(?: {2}\| line \w+\n){4} {2}\| KeyError: total\n/,
    );
    expect(JSON.parse(readFileSync(file, 'utf8')).alternatives[0].output).toMatch(
      /\nKeyError: total$/,
    );
    expect(readFileSync(`${file}.xml`, 'utf8')).toContain('\nKeyError: total</failure>');
  });

  test('exits with 0 when nothing differs', async () => {
    const { exitCode, stdout } = await matrix(
      ['--only', 'measurement-order', '--only', 'total-counts'],
      client("await call('/measurements')"),
    );
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('No alternative breaks the command.'),
    ]);
    expect(stdout).toContain('under 5 alternatives');
  });

  test('exits with 0 when all that differs is accepted, and says what is accepted in vain', async () => {
    const command = client(
      "const { nextCursor } = await (await call('/measurements?limit=1000')).json(); if (nextCursor === '') process.exit(1);",
    );
    const only = ['--dataset', 'empty', '--only', 'final-cursor', '--only', 'total-counts=page'];
    expect((await matrix(only, command)).exitCode).toBe(1);
    const accept = writeFixture('- final-cursor=empty-string\n- total-counts\n');
    const { exitCode, stdout } = await matrix([...only, '--accept', accept], command);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Nothing breaks the command except what is accepted.\n');
    expect(stdout).not.toContain('No alternative');
    expect(stdout).toContain('Accepted:\n  final-cursor=empty-string');
    expect(stdout).toContain('Accepted, but breaks nothing:\n  total-counts=page');
  });

  test('stops at a baseline that fails, shows its output and says so', async () => {
    const { exitCode, stdout, stderr } = await matrix([], client("throw new Error('no luck')"));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('no luck');
    expect(stderr).toMatch(
      /The baseline, node [\s\S]*, failed in .* with exit code 1 .*Make it pass/,
    );
    expect(stdout).toBe('');
  });

  test('compares with the decisions that it was told, and takes the world that it was told', async () => {
    const command = client(
      "const { total, nextCursor } = await (await call('/measurements')).json(); if (total !== 0 || nextCursor !== '') process.exit(1);",
    );
    const { exitCode, stdout } = await matrix(
      ['--decide', 'final-cursor=empty-string', '--only', 'final-cursor'],
      command,
      { USAGE_BILLING_MOCK_DATASET: 'empty' },
    );
    expect(exitCode).toBe(1);
    expect(stdout).toContain('final-cursor=absent (section 4.4)');
  });

  test('switches the decision for every token that the command makes up', async () => {
    const command = client(
      "const { total } = await (await call('/measurements', 'made-up')).json(); if (total < 100) process.exit(1);",
    );
    const { stdout } = await matrix(['--only', 'total-counts=page'], command);
    expect(stdout).toContain('total-counts=page');
    expect(stdout).toContain('GET /measurements -> 200');
  });

  test('refuses its own token under no decision', async () => {
    const command = client("if ((await call('/measurements')).status !== 200) process.exit(1);");
    const { stdout } = await matrix(['--only', 'unknown-token'], command);
    expect(stdout).toMatch(/^Named with --only, but not touched/m);
    expect(stdout).not.toContain('depends on');
  });

  test('ends a run that takes too long, with all that it started', async () => {
    const marker = join(fixtureFolder, 'still-there');
    const grandchild = `setTimeout(() => require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''), 6500)`;
    const command = client(
      `const { nextCursor } = await (await call('/measurements?limit=1000')).json();
      import { spawn } from 'node:child_process';
      if (nextCursor === '') { spawn('node', ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' }); await new Promise(() => setTimeout(() => {}, 60_000)); }`,
    );
    const only = ['--dataset', 'empty', '--only', 'final-cursor', '--timeout', '3'];
    const startedAt = performance.now();
    const { exitCode, stdout } = await matrix(only, command);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('timed out after')]);
    await until(() => performance.now() - startedAt > 9_000);
    expect(existsSync(marker)).toBe(false);
  });

  test.each([
    ['a timeout', ['--timeout', '3'], undefined],
    ['a signal', [], 'SIGTERM'],
  ] as const)('ends at %s what the command has started in a group of its own', async (...row) => {
    const [, args, signal] = row;
    const browsers = createServer().listen(0, '127.0.0.1');
    await once(browsers, 'listening');
    const { port } = browsers.address() as AddressInfo;
    const browser = `require('node:net').connect(${port}, '127.0.0.1')`;
    const running = runCommand([
      ...['matrix', ...args, '--'],
      ...client(`
        import { spawn } from 'node:child_process';
        spawn('node', ['-e', ${JSON.stringify(browser)}], { detached: true });
        await new Promise(() => setTimeout(() => {}, 60_000));`),
    ]);
    const [connection] = (await once(browsers, 'connection')) as [Socket];
    const closed = once(connection.on('error', () => undefined).resume(), 'close');
    if (signal) running.kill(signal);
    await closed;
    expect(await running.ended()).not.toBe(0);
    browsers.close();
  });

  describe('of a command that leaves a daemon, which keeps its output open', () => {
    const daemon = (file: string) => `
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const daemon = spawn('sleep', ['60'], { stdio: 'inherit', detached: true });
      writeFileSync(${JSON.stringify(file)}, String(daemon.pid));
      daemon.unref();
      await call('/measurements?limit=1');
      console.log('that is all');`;

    test('waits for the command alone', async () => {
      const file = join(fixtureFolder, 'daemon-of-a-run');
      const startedAt = performance.now();
      const { exitCode } = await matrix(['--only', 'total-counts=page'], client(daemon(file)));
      process.kill(Number(readFileSync(file, 'utf8')));
      expect(exitCode).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(30_000);
    });

    test.each([
      [
        'a timeout',
        ['--timeout', '5'],
        undefined,
        1,
        /The baseline, node [\s\S]*, timed out after/,
      ],
      ['SIGTERM', [], 'SIGTERM', 143, /^Baseline/],
    ] as const)('is ended by %s', async (_, args, signal, exitCode, said) => {
      const file = join(fixtureFolder, `daemon-until-${signal}`);
      const startedAt = performance.now();
      const code = `${daemon(file)}\nawait new Promise(() => setTimeout(() => {}, 60_000));`;
      const running = runCommand(['matrix', ...args, '--', ...client(code)]);
      await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
      if (signal !== undefined) running.kill(signal);
      expect(await running.ended()).toBe(exitCode);
      expect(running.stderr()).toMatch(said);
      expect(performance.now() - startedAt).toBeLessThan(30_000);
    });
  });

  test('ends with exit code 2 and its output if the command calls nothing', async () => {
    const only = ['--only', 'repeat-delete'];
    const { exitCode, stdout, stderr } = await matrix(only, ['node', '-p', '"no tests found"']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('no tests found\n');
    expect(stderr).toMatch(/passed without calling a mock.*USAGE_BILLING_MOCK_URL/);
    expect(stderr).toContain('Or let it start and stop its own mock with useMockServer');
  });

  test('shows the call that is answered otherwise the second time', async () => {
    const command = client(
      `const remove = () => call('/contracts/65b000000000000000000001', undefined, 'DELETE');
      const statuses = [(await remove()).status, (await remove()).status];
      await call('/measurements');
      if (statuses.join() !== '200,404') process.exit(1);`,
    );
    const { stdout } = await matrix(['--only', 'repeat-delete=same-result'], command);
    expect(stdout).toMatch(
      /The first exchange that differs from the baseline:\n +DELETE \/contracts\/\w+ -> 200, \d+ bytes/,
    );
  });

  test('shows of several accounts the exchange of the test that failed, or ended with it', async () => {
    const inAccounts = (markFailed: string) =>
      client(
        `const { USAGE_BILLING_MOCK_URL: url } = process.env;
        const send = (token, method, path, body) => fetch(url + path, {
          method,
          headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' },
          body: body && JSON.stringify(body),
        });
        for (const name of ['contracts', 'events', 'customers'])
          await send('of-' + name, 'PUT', '/__control/account', { name });
        await send('of-contracts', 'DELETE', '/contracts/65b000000000000000000001');
        await send('of-contracts', 'GET', '/measurements');
        const { status } = await send('of-events', 'POST', '/events/delete-by-refs', { refs: ['acme-2026-03-31-001'] });
        const hasFailed = status !== 200;
        if (hasFailed) ${markFailed};
        if (!hasFailed) await send('of-events', 'GET', '/measurements');
        await send('of-customers', 'GET', '/measurements');
        if (hasFailed) process.exit(1);`,
      );
    const args = ['--only', 'success-status=202'];
    const { stdout } = await matrix(args, inAccounts('console.log("failed")'));
    expect(stdout).toMatch(
      /The first exchange of the account events#\d that differs from the baseline:\n +POST \/events\/delete-by-refs -> 202/,
    );
    const marking =
      'await send("of-events", "PUT", "/__control/account/test", { outcome: "failed", message: "202" })';
    const { stdout: marked } = await matrix(args, inAccounts(marking));
    expect(marked).toMatch(
      /The first exchange of the failed test events#\d that differs from the baseline:\n +POST /,
    );
  });

  test('shows the response that differs, though the calls come in another order', async () => {
    const command = client(
      `const isBaseline = process.env.USAGE_BILLING_MOCK_TOKEN.includes('baseline');
      for (const token of isBaseline ? ['a', 'a', 'b', 'b'] : ['b', 'a', 'a', 'b']) {
        await call('/contracts/65b000000000000000000001', token, 'DELETE');
      }
      const { total } = await (await call('/measurements')).json();
      if (total < 100) process.exit(1);`,
    );
    const { stdout } = await matrix(['--only', 'total-counts=page'], command);
    expect(stdout).toContain('from the baseline:\n    GET /measurements -> 200');
  });

  test('shows a response that differs in one value, and in no byte of its length', async () => {
    const command = client(
      `const { measurements } = await (await call('/measurements?limit=2')).json();
      await call('/customers/65a000000000000000000001');
      if (measurements[0].id !== '65c000000000000000000001') process.exit(1);`,
    );
    const { stdout } = await matrix(['--only', 'measurement-order=newest-first'], command);
    expect(stdout).toContain('from the baseline:\n    GET /measurements?limit=2 -> 200');
  });

  test('shows the page that differs, though its cursor is another in every run', async () => {
    const command = client(
      `let cursor = '';
      do {
        const page = await call('/measurements?limit=1000' + (cursor && '&cursor=' + cursor));
        cursor = (await page.json()).nextCursor;
      } while (cursor);
      if ((await call('/customers/nobody')).status !== 404) process.exit(1);`,
    );
    const { stdout } = await matrix(
      ['--decide', 'cursor-lifetime=15m', '--only', 'unknown-identifier-status'],
      command,
    );
    expect(stdout).toContain('from the baseline:\n    GET /customers/nobody -> 400');
  });

  test('says so if no response differs', async () => {
    const command = client(
      "await call('/measurements'); if (!process.env.USAGE_BILLING_MOCK_TOKEN.includes('baseline')) process.exit(1);",
    );
    const { stdout } = await matrix(['--only', 'last-page'], command);
    expect(stdout).toMatch(
      /No response differs from the baseline .*\. The last exchange:\n +GET \/measurements/,
    );
  });

  test('writes plain lines where there is no terminal', async () => {
    const { stderr } = await matrix(['--only', 'last-page'], client("await call('/measurements')"));
    expect(stderr).toMatch(/^1\/1 last-page=trailing-empty-page passed in \d/m);
    expect(stderr).not.toContain('\r');
  });

  test.each([
    ['another version', ['0.0.1'], 'of version "0.0.1"; expected "'],
    ['several versions', ['0.1.0', '0.0.1'], 'of several versions, or something else writes'],
  ])('says so if the command starts mocks of %s', async (_words, versions, sentence) => {
    const lines = versions.map((version) => `${JSON.stringify({ version, counts: {} })}\n`);
    const { exitCode, stderr } = await matrix(
      ['--only', 'total-counts=page'],
      client(
        `import { appendFileSync } from 'node:fs';
        await call('/measurements');
        const { coverage } = JSON.parse(process.env.MATRIX_OF_USAGE_BILLING_MOCK);
        appendFileSync(coverage, ${JSON.stringify(lines.join(''))});`,
      ),
    );
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(`The command starts mocks ${sentence}`),
    ]);
  });

  test('lets the command start a mock of its own', async () => {
    const { exitCode } = await matrix(
      ['--only', 'total-counts=page'],
      client(
        `import { execFileSync } from 'node:child_process';
        await call('/measurements');
        execFileSync('node', ['dist/cli.cjs', 'decisions', '--json']);`,
      ),
    );
    expect(exitCode).toBe(0);
  });

  test.each([
    [['--only', 'last-pages'], ['true'], "Did you mean 'last-page'?"],
    [['--only', 'last-page,total-counts'], ['true'], 'several, repeat --only for each.'],
    [['--only', 'last-page=exact'], ['true'], 'that the baseline does not have'],
    [['--jobs', '0'], ['true'], '--jobs is "0"; expected a whole number from 1'],
    [['--timeout', '-1'], ['true'], '--timeout is "-1"; expected a whole number from 1'],
    [['--accept', 'nowhere.yaml'], ['true'], 'nowhere.yaml'],
    [[], ['no-such-command'], "Cannot run 'no-such-command': it is not in the PATH"],
    [[], [''], 'The command is empty. Give one after --'],
    [[], [], "Missing required argument 'command'"],
  ])('refuses %j -- %j with exit code 2 and a sentence', async (args, command, sentence) => {
    const { exitCode, stdout, stderr } = await matrix(args, command);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('refuses a list of accepted ones that is no list', async () => {
    const { exitCode, stderr } = await matrix(['--accept', writeFixture('a: b\n')], ['true']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('expected a list of names')]);
  });

  test('says so before the first run if it could not write its report', async () => {
    const report = join(fixtureFolder, 'nowhere', 'report.json');
    const { exitCode, stdout, stderr } = await matrix(
      ['--only', 'last-page', '--report', report],
      client("await call('/measurements')"),
    );
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^usage-billing-mock: Cannot write '.*report\.json': its folder does not exist\..*\n$/,
    );
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is ended by %s together with its run', async (signal, exitCode) => {
    const file = join(fixtureFolder, signal);
    const command = client(
      `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(file)}, String(process.pid));
      setTimeout(() => {}, 60_000);`,
    );
    const running = runCommand(['matrix', '--', ...command]);
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    running.kill(signal);
    expect(await running.ended()).toBe(exitCode);
    expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow('ESRCH');
  });
});
