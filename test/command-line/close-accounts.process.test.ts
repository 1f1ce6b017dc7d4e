import { useCommands } from '../support/command.js';
import { fetchAs } from '../support/fetching.js';

const start = useCommands('--dataset', 'empty', '--log-level', 'silent');

/** Starts the command with room for two accounts, and opens both. */
async function fullCommand(...args: string[]) {
  const { url } = await start(['--max-accounts', '2', ...args]);
  const open = async (token: string) => (await fetchAs({ url }, token, '/measurements')).status;
  const close = async (query: string, headers = {}) => {
    const response = await fetch(`${url}/__control/accounts${query}`, {
      method: 'DELETE',
      headers,
    });
    return [response.status, await response.text()] as const;
  };
  expect([await open('ci-17-a'), await open('ci-18-a'), await open('ci-17-b')]).toEqual([
    200, 200, 503,
  ]);
  return { open, close };
}

describe('DELETE /__control/accounts?prefix=… of a running command', () => {
  test('closes the accounts of one job alone, and makes room', async () => {
    const { open, close } = await fullCommand();
    expect(await close('?prefix=ci-17-')).toEqual([200, '{"closed":1}']);
    expect([await open('ci-17-b'), await open('ci-18-a'), await open('ci-17-a')]).toEqual([
      200, 200, 503,
    ]);
    expect(await close('?prefix=ci-')).toEqual([200, '{"closed":2}']);
  });

  test('needs the control token where one is demanded', async () => {
    const { open, close } = await fullCommand('--control-token', 'secret');
    expect(await close('?prefix=ci-17-')).toEqual([403, expect.any(String)]);
    expect(await open('new')).toBe(503);
    expect(await close('?prefix=ci-17-', { 'X-Control-Token': 'secret' })).toEqual([
      200,
      '{"closed":1}',
    ]);
    expect(await open('new')).toBe(200);
  });

  test('refuses an empty prefix and an unknown parameter, and closes none', async () => {
    const { open, close } = await fullCommand();
    for (const [query, reason] of [
      ['?prefix=', '/prefix'],
      ['?prefxi=ci-17-', "'prefix'"],
      ['', 'prefix='],
    ] as const) {
      expect(await close(query)).toEqual([400, expect.stringContaining(reason)]);
    }
    expect(await open('ci-17-b')).toBe(503);
  });
});
