import { startService, stopService, TOKEN } from '../../support/billing-service.js';
import { runCommand } from '../../support/command.js';
import { SERVICES } from './services.js';

/** Runs the command against a service of the table, without waiting between requests. */
async function settle(name: string, args: readonly string[] = []) {
  const [found] = SERVICES.filter((one) => one.name === name);
  if (!found) throw new Error(`No service '${name}'.`);
  const service = await startService(found.rules());
  try {
    const command = ['settle', '--rate', '1000', '--target', service.url, ...args];
    const running = runCommand(command, { USAGE_BILLING_TOKEN: TOKEN }, 'dist/cli.cjs');
    const exitCode = await running.ended();
    return { exitCode, stdout: running.stdout().replaceAll(/\s+/g, ' ') };
  } finally {
    await stopService(service);
  }
}

describe('usage-billing-mock settle, as its report says it,', () => {
  test.concurrent.each([
    ['locks out with 403 whoever sends an unknown token', /with a made-up token/],
    ['locks out with 401 whoever sends an unknown token', /with a made-up token/],
    ['locks out with 403 whoever sends no token', /without a token/],
  ])('exits with 4 for a service that %s, and says what caused it', async (name, cause) => {
    const { exitCode, stdout } = await settle(name);
    const [head = ''] = stdout.split('Settled');
    expect([exitCode, head]).toEqual([4, expect.stringMatching(cause)]);
  });

  test.concurrent('exits with 4 for a refused token, and says where it comes from', async () => {
    const { exitCode, stdout } = await settle('refuses the token');
    const advice = /USAGE_BILLING_TOKEN|--token-env/;
    expect([exitCode, stdout]).toEqual([4, expect.stringMatching(advice)]);
  });

  test.concurrent('waits for a service that is busy three times, and says for how long', async () => {
    const { exitCode, stdout } = await settle('is busy for three requests, and says for how long');
    expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('broken off')]);
  });

  test.concurrent.each([
    'lists nothing for a token that it does not know',
    'rounds half a limit up',
  ])('does not say that the mock then behaves the same as a service that %s', async (name) => {
    const { stdout } = await settle(name);
    expect(stdout).toContain('updated-at-on-delete');
    expect(stdout).not.toMatch(/behaves the same/);
  });
});
