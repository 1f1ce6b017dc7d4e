import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, useCommands } from '../support/command.js';
import { newFolder } from '../support/fixture.js';
import { startProgram } from '../support/programs.js';

const start = useCommands('--dataset', 'empty');

describe('--end-with', () => {
  test('ends the command with a process that is killed', async () => {
    const other = startProgram('sleep', ['60']);
    const readyFile = join(newFolder(), 'ready.json');
    const variables = { USAGE_BILLING_MOCK_END_WITH: String(other.pid) };
    const { command, url } = await start(['--ready-file', readyFile], variables);
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
    other.kill('SIGKILL');
    expect(await command.ended()).toBe(0);
    expect(existsSync(readyFile)).toBe(false);
  });

  test('ends the command with a process that has ended before', async () => {
    const other = startProgram('true', []);
    await other.ended();
    const command = runCommand(['--port', '0', '--end-with', String(other.pid)]);
    expect(await command.ended()).toBe(0);
  });

  const isLinux = process.platform === 'linux';
  (isLinux ? test : test.skip)(
    `ends the command with a process that nobody waits for${isLinux ? '' : ' (skipped: no /proc)'}`,
    async () => {
      const parent = startProgram('sh', ['-c', 'true & echo $!; exec sleep 60']);
      await parent.printed('\n');
      const command = runCommand(['--port', '0', '--end-with', parent.stdout().trim()]);
      expect(await command.ended()).toBe(0);
    },
  );

  test('refuses what is no process id', async () => {
    const command = runCommand(['--end-with', 'me']);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).toContain('--end-with is "me"; expected a whole number from 1 to');
  });
});
