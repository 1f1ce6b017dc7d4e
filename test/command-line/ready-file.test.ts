import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { fixtureFolder } from '../support/fixture.js';

const start = useCommands('--log-level', 'silent');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What the file says; nothing while it is not there. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

describe('the ready file', () => {
  test('tells where the mock is, as whom to call it, and what to stop', async () => {
    const file = join(fixtureFolder, 'ready.json');
    const { command, url } = await start(['--ready-file', file]);
    const ready = JSON.parse(readFileSync(file, 'utf8'));
    expect(ready).toEqual({ url, token: 'my-token', pid: expect.any(Number), version });
    const headers = { Authorization: `Bearer ${ready.token}` };
    expect((await fetch(`${ready.url}/measurements`, { headers })).status).toBe(200);
    process.kill(ready.pid, 'SIGTERM');
    expect(await command.ended()).toBe(0);
  });

  test('goes when the mock ends', async () => {
    const file = join(fixtureFolder, 'gone.json');
    const { command } = await start([], { USAGE_BILLING_MOCK_READY_FILE: file });
    expect(existsSync(file)).toBe(true);
    command.kill('SIGTERM');
    await command.ended();
    expect(existsSync(file)).toBe(false);
  });

  test('has the control token where one is demanded', async () => {
    const file = join(fixtureFolder, 'control.json');
    await start(['--ready-file', file, '--control-token', 'secret']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ controlToken: 'secret' });
  });

  test('of an earlier mock is never taken for that of a new one', async () => {
    const file = join(fixtureFolder, 'stale.json');
    writeFileSync(file, '{"url":"http://stale"}');
    const command = runCommand(['--port', '0', '--ready-file', file]);
    await until(() => !textOf(file).includes('stale'));
    const url = await command.ready();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url });
    command.kill('SIGTERM');
    await command.ended();
  });

  test('that cannot be written is refused with exit code 2 and a sentence', async () => {
    const file = join(fixtureFolder, 'no-folder', 'ready.json');
    const command = runCommand(['--port', '0', '--ready-file', file]);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).toContain('Cannot write the ready file: ENOENT');
    expect(command.stdout()).toBe('');
  });
});
