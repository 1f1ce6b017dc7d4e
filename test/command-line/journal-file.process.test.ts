import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { createMockServer, type MockServer } from '../../src/index.js';
import { runCommand, useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { newFolder, writeFixture } from '../support/fixture.js';
import { stderrOf } from '../support/stderr.js';

const start = useCommands('--log-level', 'warn');
const CONTRACT = '/contracts/65b000000000000000000001';
const TOKEN = 'ci-17-very-secret';
const BEARER = { Authorization: `Bearer ${TOKEN}` };

/** The path of a file that does not exist, in an empty folder. */
function newFile(): string {
  return join(newFolder(), 'journal.jsonl');
}

/** Puts a folder in the place of a file, so that the mock can no longer write it. */
function putFolderAt(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

interface Line {
  readonly id: number;
  readonly account?: string;
  readonly status?: number;
  readonly path: string;
  readonly [member: string]: unknown;
}

const HEADER = '{"usage-billing-mock":"journal","version":1}\n';

/** The exchanges in a file, whose lines must all be complete, below its header line. */
function linesOf(file: string): Line[] {
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/\n$/);
  expect(text.slice(0, HEADER.length)).toBe(HEADER);
  return text
    .slice(HEADER.length)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

function post(url: string, body: string, headers: object = BEARER): Promise<Response> {
  return fetch(`${url}/events/delete-by-refs`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
}

/** Creates a server with the library, acts, and stops it. */
async function withServer(
  options: NonNullable<Parameters<typeof createMockServer>[0]>,
  act: (server: MockServer) => Promise<unknown>,
): Promise<void> {
  const server = await createMockServer({ dataset: 'empty', ...options });
  try {
    await act(server);
  } finally {
    await server.stop();
  }
}

function callOf(server: MockServer, token = 't', path = '/measurements'): Promise<Response> {
  return server.fetch(path, { headers: { Authorization: `Bearer ${token}` } });
}

describe('the journal file', () => {
  test('has a line for each exchange, although the process was killed', async () => {
    const file = newFile();
    const { command, url } = await start(['--journal-file', file]);
    await fetch(`${url}${CONTRACT}?access_token=${TOKEN}`, { method: 'DELETE', headers: BEARER });
    await fetch(`${url}${CONTRACT}`, { method: 'DELETE', headers: BEARER });
    await post(url, JSON.stringify({ refs: ['a', TOKEN], password: 'hidden-one' }));
    await fetch(`${url}/invoices`, { headers: { Authorization: 'Bearer another-secret' } });
    await until(() => linesOf(file).length === 4);
    command.kill('SIGKILL');
    await command.ended();
    const [first, second, third, unknown] = linesOf(file);
    expect(first).toMatchObject({ id: 1, operationId: 'deleteContract', status: 400 });
    expect(second).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      account: 'ci-1…cret#1',
      id: 2,
      at: expect.any(String),
      method: 'DELETE',
      path: CONTRACT,
      operationId: 'deleteContract',
      parameters: { contractId: '65b000000000000000000001' },
      headers: expect.objectContaining({ authorization: 'Bearer [redacted]' }),
      status: 200,
      place: 1,
      deleted: 1,
      responseBytes: expect.any(Number),
      durationMs: expect.any(Number),
      outcome: 'answered',
    });
    expect(third).toMatchObject({ body: { refs: ['a', '[redacted]'], password: '[redacted]' } });
    expect(unknown).toMatchObject({ id: 1, path: '/invoices', status: 404 });
    expect(unknown).not.toHaveProperty('account');
    expect(readFileSync(file, 'utf8')).not.toMatch(/very-secret|another-secret|hidden-one/);
  });

  test('has calls of stubs and what they were answered, without the tokens', async () => {
    const file = newFile();
    const { url } = await start([
      ...['--journal-file', file, '--capture-bodies', '--dataset'],
      writeFixture(`stubs:
        - { method: POST, path: /login, body: { user: "{{body.user}}", token: "{{token body.user}}" } }
        - { method: GET, path: "/invoices/{id}", needsToken: true, body: "{{path.id}}" }`),
    ]);
    const form = new URLSearchParams({ user: 'robin', password: 'hidden-one' });
    await fetch(`${url}/login`, { method: 'POST', body: form });
    await fetch(`${url}/invoices/7`, { headers: BEARER });
    await until(() => linesOf(file).length === 2);
    expect(linesOf(file)).toMatchObject([
      {
        stub: { id: 1, for: 'server' },
        body: 'user=robin&password=[redacted]',
        responseBody: { user: 'robin', token: '[redacted]' },
      },
      { account: 'ci-1…cret#1', stub: { id: 2, for: 'server' }, responseBody: '7' },
    ]);
    expect(linesOf(file)[0]).not.toHaveProperty('account');
    expect(readFileSync(file, 'utf8')).not.toMatch(/very-secret|hidden-one|eyJ/);
  });

  test('has a request that was under way when the server was stopped', async () => {
    const file = newFile();
    const { command, url } = await start(['--journal-file', file]);
    await fetch(`${url}/__control/faults`, {
      method: 'POST',
      headers: { ...BEARER, 'Content-Type': 'application/json' },
      body: JSON.stringify({ kind: 'delay', delayMs: 60_000 }),
    });
    const lost = fetch(`${url}/measurements`, { headers: BEARER }).catch(() => 'lost');
    const listed = () => fetch(`${url}/__control/requests`, { headers: BEARER });
    while (!(await (await listed()).text()).includes('listMeasurements'));
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    expect(await lost).toBe('lost');
    expect(linesOf(file)).toMatchObject([{ id: 1, outcome: 'aborted', fault: 1 }]);
  });

  test('has long bodies by their length and hash', async () => {
    const file = newFile();
    await withServer({ journalFile: file }, async (server) => {
      const url = await server.start();
      await post(url, JSON.stringify({ refs: ['x'.repeat(100_000)] }));
    });
    expect(statSync(file).size).toBeLessThan(2_000);
    expect(linesOf(file)).toMatchObject([{ body: { bytes: 100_013, hash: expect.any(String) } }]);
  });

  test('can be read by its owner only, and continues that of an earlier server', async () => {
    const file = newFile();
    writeFileSync(file, `${HEADER}{"id":7}\n{"id":8`, { mode: 0o644 });
    await withServer({ journalFile: file, journalSize: 0 }, async (server) => {
      await callOf(server);
      await server.stop();
      await callOf(server);
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [header, first, cut, ...others] = readFileSync(file, 'utf8').trim().split('\n');
    expect([`${header}\n`, first, cut]).toEqual([HEADER, '{"id":7}', '{"id":8']);
    expect(others.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  });

  test('names two accounts of one token by different numbers', async () => {
    const file = newFile();
    await withServer({ journalFile: file }, async (server) => {
      await callOf(server, TOKEN);
      server.closeAccount(TOKEN);
      await callOf(server, TOKEN);
      await callOf(server, 't');
    });
    expect(linesOf(file).map(({ account, id }) => [account, id])).toEqual([
      ['ci-1…cret#1', 1],
      ['ci-1…cret#2', 1],
      ['t#3', 1],
    ]);
  });

  test('that can no longer be written is reported once, and the server continues', async () => {
    const file = newFile();
    const { command, url } = await start(['--journal-file', file, '--log-format', 'json']);
    putFolderAt(file);
    for (let nth = 0; nth < 20; nth += 1) {
      expect((await fetch(`${url}/measurements`, { headers: BEARER })).status).toBe(200);
    }
    await command.logged('journal file');
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    const told = command
      .stderr()
      .split('\n')
      .filter((line) => line.includes('journal file'));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0] ?? '')).toMatchObject({
      level: 'error',
      msg: expect.stringMatching(/^Cannot write the journal file '.*': .*requests are missing/),
    });
  });

  test('reports each time that it could not be written, once', async () => {
    const file = newFile();
    const lines = await stderrOf(() =>
      withServer({ journalFile: file, logLevel: 'error' }, async (server) => {
        for (let outage = 0; outage < 2; outage += 1) {
          putFolderAt(file);
          for (let nth = 0; nth < 3; nth += 1) await callOf(server);
          rmSync(file, { recursive: true });
          await callOf(server);
        }
      }),
    );
    expect(linesOf(file)).toHaveLength(1);
    expect(lines).toEqual(Array(2).fill(expect.stringContaining('requests are missing')));
  });

  const ANOTHER = 'its first line is not \'{"usage-billing-mock":"journal","version":1}\'';
  const others: readonly [string, string][] = [
    ['notes', 'my notes'],
    ['a package.json', '{\n  "name": "shop"\n}\n'],
    ['the journal of an earlier mock, without a first line', '{"id":7}\n'],
    ['the journal of a later mock', HEADER.replace('1', '2')],
  ];

  test.each(others)('is refused and stays as it is if it is %s', async (_what, text) => {
    const file = newFile();
    writeFileSync(file, text, { mode: 0o644 });
    await expect(createMockServer({ journalFile: file })).rejects.toThrow(
      `Cannot write the journal file '${file}': ${ANOTHER}, so this is not a journal, or one from another version of the mock. Use another path, or move the file away.`,
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(readdirSync(join(file, '..'))).toEqual([basename(file)]);
  });

  test('is refused if it is a link, and what it links to is not made', async () => {
    const file = newFile();
    symlinkSync(join(file, '..', 'other'), file);
    await expect(createMockServer({ journalFile: file })).rejects.toThrow('it is a link');
    expect(existsSync(join(file, '..', 'other'))).toBe(false);
  });

  test('ends the start with exit code 2 and a sentence where it cannot be', async () => {
    const file = newFile();
    mkdirSync(file);
    const command = runCommand(['--port', '0', '--journal-file', file]);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).toBe(
      `usage-billing-mock: Cannot write the journal file '${file}': it is a folder. Use another path, or remove it.\n`,
    );
    for (const journalFile of ['/no-folder/journal.jsonl', '/proc/journal.jsonl']) {
      await expect(createMockServer({ journalFile })).rejects.toThrow(
        `Cannot write the journal file '${journalFile}': `,
      );
    }
  });
});
