import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createMockServer } from '../../src/index.js';
import { runCommand, runCommandAfter, useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { newFolder } from '../support/fixture.js';

const start = useCommands('--log-level', 'warn');
const ID = '65b000000000000000000001';
const CONTRACT = `/contracts/${ID}`;

/** The path of a file that does not exist, in an empty folder. */
function newFile(): string {
  return join(newFolder(), 'state.json');
}

async function call(url: string, token: string, method: string, path: string, body?: object) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

/** The state that an earlier mock has written. */
async function writtenFile(): Promise<string> {
  const stateFile = newFile();
  const server = await createMockServer({ stateFile });
  server.account('t').contracts.patch(ID, { deletedAt: '2030-01-02T03:04:05.000Z' });
  await server.stop();
  return stateFile;
}

async function refusalOf(file: string): Promise<string> {
  const command = runCommand(['--port', '0', '--state-file', file]);
  expect(await command.ended()).toBe(2);
  expect(command.stdout()).toBe('');
  return command.stderr();
}

const UNSHARE = ['--pid', '--fork', '--kill-child'];
const isUnshared = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;
const HASTENED = { NODE_OPTIONS: `--require ${resolve('test/chaos/hastened-saves.cjs')}` };

describe('the command with --state-file', () => {
  test('writes when it is stopped what the next reads', async () => {
    const file = newFile();
    const { command, url } = await start(['--state-file', file]);
    expect(await call(url, 't', 'DELETE', CONTRACT)).toBe(200);
    expect(await call(url, 't', 'PUT', '/__control/customers/c', { id: 'c' })).toBe(200);
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    const next = await start([], { USAGE_BILLING_MOCK_STATE_FILE: file });
    expect(await call(next.url, 'other', 'DELETE', CONTRACT)).toBe(200);
    expect(await call(next.url, 't', 'DELETE', CONTRACT)).toBe(404);
    expect(await call(next.url, 't', 'GET', '/customers/c')).toBe(200);
  });

  test('refuses a file that another command uses, and takes it once that was killed', async () => {
    const file = newFile();
    const { command } = await start(['--state-file', file]);
    expect(await refusalOf(file)).toMatch(
      new RegExp(
        `^usage-billing-mock: The state file '${file}' is in use by another mock, process ${command.pid} on [^\n]+\n$`,
      ),
    );
    command.kill('SIGKILL');
    await command.ended();
    await start(['--state-file', file]);
  });

  (isUnshared ? test : test.skip)(
    `reads as process 1 what process 1 saved before it was killed${isUnshared ? '' : ' (skipped: unshare is not allowed)'}`,
    async () => {
      const file = newFile();
      const startAsProcess1 = () =>
        start(['--state-file', file], HASTENED, (args, env) =>
          runCommandAfter(':', args, env, ['unshare', ...UNSHARE, 'sh']),
        );
      const { command, url } = await startAsProcess1();
      expect(await call(url, 't', 'DELETE', CONTRACT)).toBe(200);
      await until(() => existsSync(file));
      expect(JSON.parse(readFileSync(`${file}.lock`, 'utf8')).pid).toBe(1);
      command.kill('SIGKILL');
      await command.ended();
      const next = await startAsProcess1();
      expect(await call(next.url, 't', 'DELETE', CONTRACT)).toBe(404);
    },
  );
});

test('a state file that was changed by hand says how accounts are', async () => {
  const file = await writtenFile();
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('"deletedAt":"');
  writeFileSync(file, text.replace(/,"deletedAt":"[^"]+"/, ''));
  const { url } = await start(['--state-file', file]);
  expect(await call(url, 't', 'DELETE', CONTRACT)).toBe(200);
});

describe('a state file that cannot be used', () => {
  test.each<[string, (text: string) => string, RegExp]>([
    [
      'of a later format',
      (text) => text.replace('"format":1,"dataset"', '"format":2,"dataset"'),
      /^The state file '[^\n]+ cannot be used: it has the format 2; expected 1\. Use another file, or delete this one\.$/,
    ],
    [
      'in which a value was changed to a wrong one',
      (text) => text.replace('"exact":true', '"exact":null'),
      /cannot be used: 'accounts\/0\/fixture\/exact' is null; expected true or false\. Use another file, or delete this one\.$/,
    ],
    [
      'whose accounts are no list',
      (text) => text.replace(/"accounts":.*/s, '"accounts":1}'),
      /cannot be used: it is damaged, or no saved state; expected what an earlier mock wrote\. Use another file, or delete this one\.$/,
    ],
    [
      'that lacks its end',
      (text) => text.slice(0, -40),
      /cannot be used: it is damaged, or no saved state; expected what an earlier mock wrote\. Use another file, or delete this one\.$/,
    ],
    ['that is empty', () => '', /it is damaged, or no saved state;/],
    [
      'that is JSON of something else',
      () => '{"customers":[]}',
      /it is damaged, or no saved state;/,
    ],
  ])('%s is refused in one sentence, and stays', async (_, change, words) => {
    const stateFile = await writtenFile();
    const text = change(readFileSync(stateFile, 'utf8'));
    writeFileSync(stateFile, text);
    await expect(createMockServer({ stateFile })).rejects.toThrow(words);
    expect(readFileSync(stateFile, 'utf8')).toBe(text);
    expect(readdirSync(dirname(stateFile))).toEqual(['state.json']);
  });

  test('ends the start with exit code 2 and one sentence', async () => {
    const file = newFile();
    writeFileSync(file, '');
    expect(await refusalOf(file)).toBe(
      `usage-billing-mock: The state file '${file}' cannot be used: it is damaged, or no saved state; expected what an earlier mock wrote. Use another file, or delete this one.\n`,
    );
  });

  test.each<[string, (file: string) => void, string]>([
    [
      'a link',
      (file) => {
        writeFileSync(`${file}.target`, '');
        symlinkSync(`${file}.target`, file);
      },
      'cannot be read: it is a link. Use another path, or remove it.',
    ],
    [
      'a folder',
      (file) => mkdirSync(file),
      'cannot be read: it is a folder. Use another path, or remove it.',
    ],
    [
      'a pipe',
      (file) => execFileSync('mkfifo', [file]),
      'cannot be read: it is not a regular file. Use another path, or remove it.',
    ],
  ])('because it is %s is refused', async (_what, create, words) => {
    const stateFile = newFile();
    create(stateFile);
    await expect(createMockServer({ stateFile })).rejects.toThrow(
      `The state file '${stateFile}' ${words}`,
    );
  });

  test.each([
    ['does not exist', '/nowhere/state.json', 'its folder does not exist'],
    ['is a file', '/etc/hosts/state.json', 'its folder does not exist'],
    ['cannot be written', '/proc/state.json', "Cannot write the state file '/proc/state.json': "],
  ])('because its folder %s is refused', async (_what, stateFile, reason) => {
    await expect(createMockServer({ stateFile })).rejects.toThrow(reason);
  });
});
