import { useCommands } from '../support/command.js';
import { sendRaw } from '../support/socket.js';

const start = useCommands('--log-format', 'json');
const authorized = { headers: { Authorization: 'Bearer very-secret' } };

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly details?: unknown;
}

/** Starts the command, acts, stops it, and returns its log line by line. */
async function logOf(
  level: string,
  args: readonly string[],
  act: (url: string) => Promise<unknown>,
): Promise<readonly Line[]> {
  const { command, url } = await start(['--log-level', level, ...args]);
  await act(url);
  command.kill('SIGTERM');
  await command.ended();
  const log = command
    .stderr()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('listens on'))
    .join('\n');
  expect(log).not.toContain('very-secret');
  return log.split('\n').map((line) => JSON.parse(line));
}

function post(url: string, body: object) {
  return fetch(url, {
    method: 'POST',
    headers: {
      ...authorized.headers,
      'Content-Type': 'application/json',
      'X-Control-Token': 'very-secret-too',
    },
    body: JSON.stringify(body),
  });
}

describe('the log', () => {
  test('does not quote what never reaches the service', async () => {
    const lines = await logOf('info', [], async (url) => {
      for (const line of [
        'GET measurements?access_token=very-secret',
        'CONNECT https://robin:very-secret@localhost',
      ]) {
        await sendRaw(url, `${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
      }
    });
    expect(lines).toMatchObject([{ problem: 'malformed-http' }, { problem: 'method-not-allowed' }]);
  });

  test('tells at the level debug what the mock was started with', async () => {
    const args = ['--control-token', 'very-secret-too', '--decide', 'repeat-delete=gone'];
    const lines = await logOf('debug', args, (url) => fetch(`${url}/measurements`, authorized));
    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'debug options in force',
      expect.stringMatching(/^debug dataset read in [\d.]+ ms$/),
      'info answered',
    ]);
    expect(lines[0]?.details).toMatchObject({
      dataset: 'default',
      journalSize: 1_000,
      controlToken: '[redacted]',
      decisions: { 'repeat-delete': 'gone' },
    });
    expect(lines[1]?.details).toEqual({
      seed: 20260101,
      customers: expect.any(Number),
      contracts: expect.any(Number),
    });
  });

  test('tells at the level trace the header fields and the body of a request, and cuts long changes', async () => {
    const lines = await logOf('trace', [], async (url) => {
      await post(`${url}/events/delete-by-refs`, { refs: ['one'] });
      await fetch(`${url}/invoices?draft=true`, authorized);
      await post(`${url}/__control/customers`, { name: 'x'.repeat(1_000) });
    });
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...{ level: 'debug', msg: 'createRecord' },
        details: expect.stringMatching(/^\{"name":"x+…$/),
      }),
    );
    expect(lines.filter(({ level }) => level === 'trace')).toMatchObject([
      {
        msg: 'request 1',
        details: {
          operationId: 'deleteEventsByRefs',
          headers: { authorization: 'Bearer [redacted]', 'content-type': 'application/json' },
          body: { refs: ['one'] },
        },
      },
      { msg: 'request 1', details: { path: '/invoices', query: 'draft=true' } },
    ]);
  });

  test('writes details as JSON on the line in the look for people', async () => {
    const { command, url } = await start(['--log-level', 'trace', '--log-format', 'text']);
    await post(`${url}/events/delete-by-refs`, { refs: ['one'] });
    command.kill('SIGTERM');
    await command.ended();
    expect(command.stderr()).toMatch(/^[\d:.]{12} debug options in force \{.*"port":0,.*\}$/m);
    expect(command.stderr()).toMatch(
      /^[\d:.]{12} trace request 1 \{.*"body":\{"refs":\["one"\]\}/m,
    );
  });
});
