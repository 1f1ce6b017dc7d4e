import { runCommand, useCommands } from '../support/command.js';

const start = useCommands('--log-format', 'json');
const TOKEN = 'ci-17-very-secret';
const BEARER = { Authorization: `Bearer ${TOKEN}` };

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly [member: string]: unknown;
}

/** The lines of standard error, all of which must be JSON. */
function linesOf(stderr: string): Line[] {
  expect(stderr.endsWith('\n')).toBe(true);
  const lines: Line[] = stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  for (const line of lines) {
    expect(line).toMatchObject({ level: expect.any(String), msg: expect.any(String) });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  }
  return lines;
}

/** Starts the command, acts, stops it, and returns the lines of standard error. */
async function linesAfter(args: readonly string[], act: (url: string) => Promise<unknown>) {
  const { command, url } = await start(args);
  await act(url);
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
  expect(command.stderr()).not.toContain('very-secret');
  return { url, lines: linesOf(command.stderr()) };
}

/** The lines of a command that fails. */
async function linesOfFailure(
  exitCode: number,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
) {
  const command = runCommand(args, env);
  expect(await command.ended()).toBe(exitCode);
  return linesOf(command.stderr());
}

describe('with --log-format json', () => {
  test('the banner is a line of JSON', async () => {
    const flags = ['--log-level', 'fatal', '--host', '0.0.0.0'];
    const { url, lines } = await linesAfter(flags, async () => undefined);
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        msg: expect.stringMatching(/^usage-billing-mock \d+\.\d+\.\d+\S* listens on http:/),
        url,
        control: `${url}/__control`,
        page: `${url}/__control/ui`,
        controlToken: expect.stringMatching(/^[\w-]{24}$/),
        dataset: 'default',
        seed: 20260101,
        customers: expect.any(Number),
        contracts: expect.any(Number),
      },
    ]);
  });

  test('a control token that was made is too, though silent', async () => {
    const flags = ['--log-level', 'silent', '--host', '0.0.0.0'];
    const { lines } = await linesAfter(flags, async () => undefined);
    expect(lines).toMatchObject([{ controlToken: expect.stringMatching(/^[\w-]{24}$/) }]);
  });

  test('each line of a request names its account and its number in the journal', async () => {
    const { lines } = await linesAfter(['--log-level', 'trace'], async (url) => {
      await fetch(`${url}/measurements`, { headers: BEARER });
      await fetch(`${url}/measurements?limit=0`, { headers: BEARER });
      await fetch(`${url}/__control/faults`, {
        method: 'POST',
        headers: { ...BEARER, 'Content-Type': 'application/json' },
        body: '{"kind":"reset"}',
      });
      await fetch(`${url}/measurements`, { headers: BEARER }).catch(() => undefined);
      await fetch(`${url}/invoices`, { headers: BEARER });
    });
    const ofRequests = lines.filter(({ msg }) =>
      /^(answered|aborted|request \d|addFault)|invalid|\/invoices/.test(msg),
    );
    const account = 'ci-1…cret#1';
    expect(ofRequests.map((line) => [line.level, line.account, line.request])).toEqual([
      ['info', account, 1],
      ['trace', account, 1],
      ['info', account, 2],
      ['trace', account, 2],
      ['info', account, undefined],
      ['debug', account, undefined],
      ['info', account, 3],
      ['trace', account, 3],
      ['info', undefined, 1],
      ['trace', undefined, 1],
    ]);
  });

  test.each([
    [['--port', 'x', '--log-format=json'], {}],
    [['--port', 'x'], { USAGE_BILLING_MOCK_LOG_FORMAT: 'json' }],
    [['--log-format', 'json', '--dataset', 'nobody'], {}],
    [['--log-format', 'json', '--prot', '1'], {}],
    [['--log-format', 'json', '--ready-file', '/no-folder/ready.json'], {}],
    [['--log-format', 'json', 'matirx'], {}],
  ])('what ends the start is a line of JSON: %j %j', async (args, env) => {
    const [line, ...others] = await linesOfFailure(2, args, env);
    expect(line).toMatchObject({ level: 'fatal' });
    expect(line?.msg).not.toMatch(/^(usage-billing-mock|error):|\n/);
    expect(others).toEqual([]);
  });
});

test('a flag of the command that matrix runs is not a flag of the mock', async () => {
  const command = runCommand([
    'matrix',
    '--jobs',
    '0',
    '--',
    'npm',
    'test',
    '--log-format',
    'json',
  ]);
  expect(await command.ended()).toBe(2);
  expect(command.stderr()).toMatch(/^usage-billing-mock: /);
});

test('a flag overrides the format of the environment for what ends the start', async () => {
  const env = { USAGE_BILLING_MOCK_LOG_FORMAT: 'json' };
  const command = runCommand(['--port', 'x', '--log-format', 'text'], env);
  expect(await command.ended()).toBe(2);
  expect(command.stderr()).toMatch(/^usage-billing-mock: --port is/);
});
