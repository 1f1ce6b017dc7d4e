import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../../src/command-line/program.js';
import { LEDGER } from '../../src/core/decisions/ledger.js';
import { runCommand, useCommands } from '../support/command.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';

const start = useCommands();

const authorized = { headers: { Authorization: 'Bearer t' } };

describe('the command', () => {
  test('writes one line to standard output, and only when it can be called', async () => {
    const { command, url } = await start();
    expect((await fetch(`${url}/measurements`, authorized)).status).toBe(200);
    expect(command.stdout()).toBe(`usage-billing-mock ready on ${url}\n`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await command.logged('Stop with Ctrl+C.');
    const lines = command.stderr().split('\n');
    expect(lines).toContain(`  URL      ${url}`);
    expect(command.stderr()).toContain('for example my-token');
    expect(lines.filter((line) => line.startsWith('curl '))).toHaveLength(3);
    expect(command.stderr()).not.toMatch(/every address|requires/);
  });

  test('reads or refuses bodies by their types, though it is built without what nothing reaches', async () => {
    const { url } = await start();
    for (const [type, encoding, expected] of [
      ['application/json', 'utf8', 200],
      ['application/json; charset=utf-16le', 'utf16le', 415],
      ['application/json; charset=shift_jis', 'latin1', 415],
      ['multipart/form-data; boundary=x', 'utf8', 415],
    ] as const) {
      const { status } = await fetch(`${url}/events/delete-by-refs`, {
        method: 'POST',
        headers: { ...authorized.headers, 'Content-Type': type },
        body: Buffer.from('{"refs":["acme-2026-03-31-001"]}', encoding),
      });
      expect([type, status]).toEqual([type, expected]);
    }
  });

  test('logs a line for every request, with the reason of a refusal, never the token', async () => {
    const { command, url } = await start();
    const headers = { Authorization: 'Bearer very-secret' };
    await fetch(`${url}/measurements?limit=2`, { headers });
    await fetch(`${url}/measurements?limit=0`, { headers });
    await fetch(`${url}/customers/name/`, { headers });
    const unknown = await fetch(`${url}/invoices`, { headers });
    expect(await unknown.text()).toContain('Expected one of ');
    await fetch(`${url}/measurements`, { headers, method: 'PUT' });
    await fetch(`${url}/customers/name/a%0Ab%1B%5B31mc`, { headers });
    command.kill('SIGTERM');
    await command.ended();
    const [, log = ''] = command.stderr().split('Stop with Ctrl+C.\n');
    // The response lists what is known; the log does not.
    expect(log.trim().split('\n')).toEqual([
      expect.stringMatching(/^[\d:.]{12} 200 GET \/measurements\?limit=2 [\d.]+ ms$/),
      expect.stringMatching(/ 400 GET \/measurements\?limit=0 .* invalid-request: .*at least 1/),
      expect.stringMatching(/ 404 GET \/customers\/name\/ .* unknown-path: .*Did you mean '.*'\?$/),
      expect.stringMatching(/: There is no path '\/invoices'\.$/),
      expect.stringMatching(/: \/measurements was called with PUT; expected GET \(\w+\)\.$/),
      expect.stringContaining("'a\\u000ab\\u001b[31mc'"),
    ]);
    const written = command.stderr() + command.stdout();
    expect(written).not.toContain('very-secret');
    // It has no colours off a terminal.
    expect(written).not.toContain('\u001b[');
  });

  test('says that it listens on every address, and that a token that was given is required', async () => {
    const { command } = await start(['--host', '0.0.0.0', '--control-token', 'given']);
    expect(command.stderr()).toMatch(/^ {2}URL +\S+\n +on every address of this machine$/m);
    expect(command.stderr()).toMatch(/^ {2}Control +\S+\n +requires the given token in/m);
  });

  test('shows a control token that it has made, though silent, unless the ready file has it', async () => {
    const silent = ['--log-level', 'silent', '--host', '0.0.0.0'];
    const made = await start(silent);
    expect(made.command.stderr()).toMatch(/^X-Control-Token: [\w-]{20,}\n$/);
    const told = await start([...silent, '--ready-file', join(fixtureFolder, 'told.json')]);
    expect(told.command.stderr()).toBe('');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('ends with exit code 0 on %s', async (signal) => {
    const { command, url } = await start();
    await (await fetch(`${url}/measurements`, authorized)).text();
    command.kill(signal);
    expect(await command.ended()).toBe(0);
  });

  test('prints its version and its help', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const versionCommand = runCommand(['--version']);
    expect(await versionCommand.ended()).toBe(0);
    expect(versionCommand.stdout()).toBe(`${version}\n`);
    const help = runCommand(['--help']);
    expect(await help.ended()).toBe(0);
    expect(help.stdout()).toContain('--dataset <name|file>');
    expect(help.stdout()).toContain('USAGE_BILLING_MOCK_DATASET');
  });
});

function helpOf(command: Command, columns: number): string {
  let help = '';
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ getOutHelpWidth: () => columns, writeOut }).outputHelp();
  return help;
}

describe('its help', () => {
  test('is printed for a command as well', async () => {
    const command = runCommand(['help', 'decisions']);
    expect(await command.ended()).toBe(0);
    expect(command.stdout()).toContain('--json');
  });

  test('has groups of flags, an example, and what holds for all of them', () => {
    const help = helpOf(createProgram(), 80);
    const headings = help.match(/^\w[\w ]*:$/gm);
    expect(headings).toEqual([
      ...['Options:', 'Address:', 'Data and accounts:', 'Behaviour:', 'Journal and coverage:'],
      ...['Control plane:', 'Log:', 'Process:', 'Commands:', 'Examples:'],
    ]);
    expect(help).toContain('\n  usage-billing-mock exec -- npm test\n');
    expect(help).toMatch(/^A flag overrides its environment variable\. Limits: 10 MB for /m);
  });

  test.each([40, 60, 80, 120])('breaks no word in %i columns, and no line is longer', (columns) => {
    const program = createProgram();
    for (const command of [program, ...program.commands]) {
      const [usage, ...lines] = helpOf(command, columns).split('\n');
      expect(usage).toContain('Usage: usage-billing-mock');
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      const words = lines.join(' ').split(/\s+/);
      for (const { description } of command.options) {
        expect(words).toEqual(expect.arrayContaining(description.split(/\s+/)));
      }
    }
  });

  test.each([
    [60, /^ {2}--port <number>\n {4}port to listen on; 0 picks a free one$/m],
    [80, /^ {2}--port <number> +port to listen on; 0 picks a free one$/m],
  ])('in %i columns has a description where it has room', (columns, expected) => {
    const program = createProgram().configureOutput({ getOutHelpWidth: () => columns });
    expect(program.helpInformation()).toMatch(expected);
  });
});

describe('usage-billing-mock decisions', () => {
  test('prints them as a JSON array', async () => {
    const command = runCommand(['decisions', '--json']);
    expect(await command.ended()).toBe(0);
    const rows = JSON.parse(command.stdout());
    expect(rows.map(({ id }: { id: string }) => id)).toEqual(Object.keys(LEDGER));
    expect(rows).toContainEqual({
      id: 'unauthorized-status',
      section: '7',
      question: expect.any(String),
      default: 401,
      values: [
        { value: '401', meaning: '401 Unauthorized.' },
        { value: '403', meaning: '403 Forbidden.' },
      ],
      isServerWide: true,
      inForce: 401,
    });
  });
});

describe('its options', () => {
  test('come from the environment, unless a flag has them', async () => {
    const { url } = await start(['--dataset', 'default'], {
      USAGE_BILLING_MOCK_DATASET: 'empty',
      USAGE_BILLING_MOCK_BASE_PATH: '/v1',
    });
    expect(url).toMatch(/\/v1$/);
    const response = await fetch(`${url}/measurements`, authorized);
    expect(await response.json()).toMatchObject({ total: 6476 });
  });

  test('switch decisions by a file, over those of the fixture and under the flags', async () => {
    const dataset = writeFixture(
      'extends: default\ndecisions: { repeat-delete: gone, success-status: 202, total-counts: page }',
    );
    const decisions = writeFixture('success-status: 201\nrepeat-delete: conflict');
    const { url } = await start([
      '--dataset',
      dataset,
      '--decisions',
      decisions,
      '--decide',
      'repeat-delete=same-result',
    ]);
    const call = (path: string, method = 'GET') =>
      fetch(`${url}${path}`, { method, ...authorized });
    await call('/contracts/65b000000000000000000001', 'DELETE');
    expect((await call('/contracts/65b000000000000000000001', 'DELETE')).status).toBe(200);
    expect(await (await call('/measurements?limit=3')).json()).toMatchObject({ total: 3 });
    const deleted = await fetch(`${url}/events/delete-by-refs`, {
      method: 'POST',
      headers: { ...authorized.headers, 'Content-Type': 'application/json' },
      body: '{"refs":["x"]}',
    });
    expect(deleted.status).toBe(201);
  });

  test('switch decisions, by flags and by the environment', async () => {
    const { url } = await start(['--decide', 'repeat-delete=gone', '--decide=last-page=exact'], {
      USAGE_BILLING_MOCK_DECIDE: 'success-status=202, repeat-delete=conflict',
    });
    const remove = () =>
      fetch(`${url}/contracts/65b000000000000000000001`, { method: 'DELETE', ...authorized });
    expect((await remove()).status).toBe(202);
    expect((await remove()).status).toBe(410);
  });

  test('choose the seed', async () => {
    const page = async (args: string[], env: NodeJS.ProcessEnv = {}) => {
      const { url } = await start(args, env);
      return (await fetch(`${url}/measurements?limit=50`, authorized)).text();
    };
    const seven = await page(['--seed', '7']);
    expect(await page(['--seed', '8'])).not.toBe(seven);
    expect(await page([], { USAGE_BILLING_MOCK_SEED: '7', TZ: 'Asia/Tokyo', LANG: 'de_DE' })).toBe(
      seven,
    );
  });

  test.each([
    [['--port', '70000'], {}, 'expected a whole number from 0 to 65535.'],
    [
      ['--log-level', 'loud'],
      {},
      'expected one of silent, fatal, error, warn, info, debug, trace.',
    ],
    [
      ['--decide', 'gone'],
      {},
      '--decide is "gone"; expected id=value, such as repeat-delete=gone.',
    ],
    [['--decide', 'last-pages=exact'], {}, "Did you mean 'last-page'?"],
    [['--prot', '1'], {}, "usage-billing-mock: Unknown option '--prot' (Did you mean --port?)\n"],
    [
      ['serve'],
      {},
      "Unknown command 'serve'; expected one of exec, matrix, settle, fixture, decisions, coverage, help, no command, to serve",
    ],
    [['mine.yaml'], {}, "Did you mean '--dataset mine.yaml'?"],
    [
      ['decisions', 'all'],
      {},
      "usage-billing-mock: Too many arguments for 'decisions'. Expected 0",
    ],
    [['decisons', '--json'], {}, "Did you mean 'decisions'?"],
    [['--port', '0', 'matrx'], {}, "Did you mean 'matrix'?"],
    [['--dataset', 'nobody'], {}, "The dataset is 'nobody'; expected default"],
    [
      [],
      { USAGE_BILLING_MOCK_PROT: '80' },
      'Unknown variable USAGE_BILLING_MOCK_PROT. Did you mean',
    ],
    [[], { USAGE_BILLING_MOCK_WATCH: 'yes' }, 'USAGE_BILLING_MOCK_WATCH is "yes"; expected true'],
    [['--no-control'], { USAGE_BILLING_MOCK_CONTROL_TOKEN: 'x' }, 'does nothing with --no-control'],
    [
      [],
      { USAGE_BILLING_MOCK_PORT: '80x' },
      'USAGE_BILLING_MOCK_PORT is "80x"; expected a whole number from 0 to 65535.',
    ],
  ])('%j with %j are refused with exit code 2 and a sentence', async (args, env, sentence) => {
    const command = runCommand(args, env);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).toContain(sentence);
    expect(command.stderr()).not.toMatch(/^\s+at /m);
    expect(command.stdout()).toBe('');
  });

  test('are refused without a suggestion where none is near', async () => {
    const command = runCommand(['version']);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).not.toContain('Did you mean');
  });

  test('are not taken from what Kubernetes and Docker set for what has the same name', async () => {
    const links = {
      USAGE_BILLING_MOCK_SERVICE_HOST: '10.0.0.1',
      USAGE_BILLING_MOCK_SERVICE_PORT: '4010',
      USAGE_BILLING_MOCK_SERVICE_PORT_HTTP: '4010',
      USAGE_BILLING_MOCK_PORT: 'tcp://10.0.0.1:4010',
      USAGE_BILLING_MOCK_PORT_4010_TCP: 'tcp://10.0.0.1:4010',
      USAGE_BILLING_MOCK_PORT_4010_TCP_PROTO: 'tcp',
      USAGE_BILLING_MOCK_PORT_4010_TCP_PORT: '4010',
      USAGE_BILLING_MOCK_PORT_4010_TCP_ADDR: '10.0.0.1',
      USAGE_BILLING_MOCK_PORT_53_UDP: 'udp://10.0.0.1:53',
      USAGE_BILLING_MOCK_PORT_53_UDP_ADDR: '10.0.0.1',
      USAGE_BILLING_MOCK_EU_PORT: 'sctp://10.0.0.2:99',
      USAGE_BILLING_MOCK_EU_PORT_99_SCTP_PORT: '99',
      USAGE_BILLING_MOCK_NAME: '/web_app/usage-billing-mock',
      USAGE_BILLING_MOCK_ENV_NODE_VERSION: '24.1.0',
      USAGE_BILLING_MOCK_PORT_4010_TCP_PORT_START: '4010',
    };
    const { command, url } = await start([], links);
    expect((await fetch(`${url}/measurements`, authorized)).status).toBe(200);
    const told = command
      .stderr()
      .split('\n')
      .filter((line) => line.includes('links to a service'));
    expect(told).toHaveLength(1);
    for (const name of Object.keys(links)) expect(told[0]).toMatch(new RegExp(`\\b${name}\\b`));
    const silent = await start(['--log-level', 'warn'], links);
    expect(silent.command.stderr()).not.toContain('links to a service');
  });

  test('are not passed over for a name that only looks like a link', async () => {
    const names = ['SERVICE_HOSTS', 'PORT_80_HTTP', 'EU_PORT', 'NAME', 'ENV'];
    for (const name of names) {
      const command = runCommand([], { [`USAGE_BILLING_MOCK_${name}`]: '80' });
      expect(await command.ended()).toBe(2);
      expect(command.stderr()).toContain(`Unknown variable USAGE_BILLING_MOCK_${name}`);
    }
  });

  test('that name a fixture with a list for a name are refused without a warning', async () => {
    const command = runCommand(['--dataset', writeFixture('customers:\n  - ? [a, b]\n    : 3')]);
    expect(await command.ended()).toBe(2);
    expect(command.stderr().trim().split('\n')).toEqual([
      expect.stringContaining("Unknown member '[ a, b ]' in 'customers/0'."),
    ]);
  });

  test('that name a taken port are refused with exit code 3 and a sentence', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const command = runCommand(['--port', String(port)]);
    expect(await command.ended()).toBe(3);
    taken.close();
    expect(command.stderr()).toBe(
      `usage-billing-mock: Cannot listen on 127.0.0.1:${port}: the port is in use. Choose another with --port (port in the library), or 0 for a free one.\n`,
    );
    expect(command.stdout()).toBe('');
  });
});
