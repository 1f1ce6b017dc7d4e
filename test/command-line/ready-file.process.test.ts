import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { runCommand, useCommands } from '../support/command.js';
import { fixtureFolder, newFolder } from '../support/fixture.js';

const start = useCommands('--log-level', 'silent');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The path of a file that does not exist, in an empty folder. */
function newFile(): string {
  return join(newFolder(), 'ready.json');
}

/** What a killed mock leaves behind. */
function leftBehind(pid: number, others: object = {}): string {
  const content = { url: 'http://stale', token: 'my-token', ...others, pid, version: '0.0.1' };
  return `${JSON.stringify(content)}\n`;
}

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

async function refusalOf(file: string, ...args: string[]): Promise<string> {
  const command = runCommand(['--port', '0', '--ready-file', file, ...args]);
  expect(await command.ended()).toBe(2);
  expect(command.stdout()).toBe('');
  return command.stderr();
}

describe('the ready file', () => {
  test('tells where the mock is, as whom to call it, and what to stop', async () => {
    const file = newFile();
    const { command, url } = await start(['--ready-file', file]);
    const ready = JSON.parse(readFileSync(file, 'utf8'));
    expect(ready).toEqual({ url, token: 'my-token', pid: expect.any(Number), version });
    const headers = { Authorization: `Bearer ${ready.token}` };
    expect((await fetch(`${ready.url}/measurements`, { headers })).status).toBe(200);
    process.kill(ready.pid, 'SIGTERM');
    expect(await command.ended()).toBe(0);
  });

  test('has a token that works where unknown ones are refused, as the banner has', async () => {
    const file = newFile();
    const strict = [
      '--decide',
      'unknown-token=reject',
      '--log-level',
      'info',
      '--ready-file',
      file,
    ];
    const { command, url } = await start(strict);
    const { token } = JSON.parse(readFileSync(file, 'utf8'));
    expect(command.stderr()).toMatch(
      /Token +my-token, any token declared.*\n.*refused.*\(unknown-token: reject\)/,
    );
    expect(command.stderr()).toContain(`curl -H 'Authorization: Bearer ${token}'`);
    const statusOf = async (sent: string) =>
      (await fetch(`${url}/measurements`, { headers: { Authorization: `Bearer ${sent}` } })).status;
    expect([await statusOf(token), await statusOf('another')]).toEqual([200, 401]);
  });

  test('has the control token where one is demanded, and only its owner can read it', async () => {
    const file = newFile();
    // Such as mktemp makes.
    writeFileSync(file, '');
    await start(['--ready-file', file, '--control-token', 'secret']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ controlToken: 'secret' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['ready.json']);
  });

  test('of a later mock stays when an earlier one ends that wrote to the same path', async () => {
    const file = newFile();
    const earlier = await start(['--ready-file', file]);
    const later = await start(['--ready-file', file]);
    earlier.command.kill('SIGTERM');
    await earlier.command.ended();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: later.url });
  });

  test('of a mock that runs stays when another fails to start', async () => {
    const file = newFile();
    const { url } = await start(['--ready-file', file]);
    await refusalOf(file, '--dataset', 'nobody');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url });
  });

  test.each([
    ['a mock', {}],
    ['a mock with the longest control token', { controlToken: 'x'.repeat(16_000) }],
  ])('of %s that was killed is never taken for that of a new one', async (_what, others) => {
    const file = newFile();
    writeFileSync(file, leftBehind(deadPid(), others));
    await refusalOf(file, '--dataset', 'nobody');
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['notes', (file: string) => writeFileSync(file, 'my notes')],
    [
      'what another program says of itself',
      (file: string) => writeFileSync(file, '{"url":"http://a","pid":999999999}'),
    ],
    ['a folder', (file: string) => mkdirSync(file)],
    ['a link', (file: string) => symlinkSync(join(file, '..', 'ready.txt'), file)],
  ])('never takes the place of what is none: %s', async (_what, make) => {
    const file = newFile();
    make(file);
    expect(await refusalOf(file)).toContain(
      `Cannot write the ready file '${file}': it exists, but is not a ready file. Use another path, or remove the file.`,
    );
    expect(readdirSync(join(file, '..'))).toEqual(['ready.json']);
  });

  test('that cannot be written is refused with exit code 2 and a sentence', async () => {
    const file = join(fixtureFolder, 'no-folder', 'ready.json');
    const told = await refusalOf(file);
    expect(told).toContain(
      `Cannot write the ready file '${file}': its folder does not exist. Create the folder, or use another path.`,
    );
    expect(told).not.toContain('Stop with Ctrl+C');
  });
});
