import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { COMMAND_OPTIONS, OPTIONS, variableOf } from '../../src/host/options/option-table.js';
import { createCertificate, hasProgram } from '../support/certificates.js';
import { useCommands } from '../support/command.js';
import { newFolder } from '../support/fixture.js';
import { textOf } from '../support/pages.js';
import { run } from '../support/programs.js';

const start = useCommands('--log-level', 'silent');
const [testTls, tlsNote] = hasProgram('openssl') ? [test, ''] : [test.skip, ' (no openssl here)'];
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

const dockerfile = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '');

/** The arguments of the instructions with this name. */
function all(name: string): string[] {
  return [...dockerfile.matchAll(new RegExp(`^${name} +(.*)$`, 'gm'))].map(([, rest = '']) => rest);
}

const env = Object.fromEntries(
  all('ENV').flatMap((rest) => rest.split(/ +/).map((pair) => pair.split('='))),
);

/** Runs the command of HEALTHCHECK with these variables, as if an image listened on this port. */
function checkHealth(port: string, given: Record<string, string> = {}): number | null {
  const [, words = '[]'] = /CMD (\[.*\])$/.exec(all('HEALTHCHECK').join()) ?? [];
  const [file, ...args]: string[] = JSON.parse(words);
  const variables = { ...env, PATH: process.env.PATH, USAGE_BILLING_MOCK_PORT: port, ...given };
  return spawnSync(file ?? '', args, { env: variables }).status;
}

describe('the Dockerfile', () => {
  test('installs the packed package that docs/command-line.md gives it, and starts it once', async () => {
    const folder = newFolder();
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder]);
    execFileSync('tar', ['-xzf', `usage-billing-mock-${manifest.version}.tgz`], { cwd: folder });
    const [, path = '', tarball] =
      /^docker build .*--file (\S+) - < (\S+)$/m.exec(textOf('docs/command-line.md')) ?? [];
    expect(tarball).toBe(`usage-billing-mock-${manifest.version}.tgz`);
    expect(readFileSync(join(folder, path), 'utf8')).toBe(readFileSync('Dockerfile', 'utf8'));

    const prefix = newFolder();
    const PATH = `${join(prefix, 'bin')}:${process.env.PATH}`;
    const variables = Object.fromEntries(all('ARG').map((rest) => rest.split('=')));
    const PACKAGE = variables.PACKAGE.replace('/context', folder);
    const caches = { HOME: prefix, npm_config_cache: newFolder(), npm_config_prefix: prefix };
    const shell = { PATH, ...caches, ...env, PACKAGE, USAGE_BILLING_MOCK_PORT: '0' };
    for (const line of all('RUN'))
      await run('sh', ['-c', line.replace(/^--mount=\S+ /, '')], { cwd: newFolder(), env: shell });
    const { stdout } = await run('usage-billing-mock', ['--version'], { env: { PATH } });
    expect(stdout).toBe(`${manifest.version}\n`);
    const kept = join(prefix, 'lib/node_modules/usage-billing-mock/dist/compiled');
    expect(readdirSync(kept).length > 0).toBe('enableCompileCache' in module);
  });

  test('sets only environment variables that the command takes, to values that it takes', async () => {
    const names = Object.keys({ ...OPTIONS, ...COMMAND_OPTIONS }).map(variableOf);
    expect(names).toEqual(expect.arrayContaining(Object.keys(env)));
    const { url } = await start([], env);
    const headers = { Authorization: 'Bearer a' };
    expect((await fetch(`${url}/measurements`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/__control/account`, { headers })).status).toBe(403);
    expect(all('EXPOSE')).toEqual([env.USAGE_BILLING_MOCK_PORT]);
  });

  test('has a health check that tells a mock that can be called from none', async () => {
    const { command, url } = await start([], env);
    const { port } = new URL(url);
    expect(checkHealth(port)).toBe(0);
    command.kill('SIGTERM');
    await command.ended();
    expect(checkHealth(port)).toBe(1);
  });

  testTls(`has a health check for https as well, however it is set${tlsNote}`, async () => {
    const { tlsCert, tlsKey } = createCertificate('DNS:billing.example');
    const files = { USAGE_BILLING_MOCK_TLS_CERT: tlsCert, USAGE_BILLING_MOCK_TLS_KEY: tlsKey };
    const byVariables = await start(['--log-level', 'debug'], { ...env, ...files });
    const { port } = new URL(byVariables.url);
    expect(checkHealth(port, files)).toBe(0);
    expect(byVariables.command.stderr()).not.toContain('plain HTTP');
    byVariables.command.kill('SIGTERM');
    await byVariables.command.ended();
    expect(checkHealth(port, files)).toBe(1);

    const byFlags = await start(['--tls-cert', tlsCert, '--tls-key', tlsKey], env);
    expect(checkHealth(new URL(byFlags.url).port)).toBe(0);
  });

  test('runs the command of the package itself, not in a shell, and not as root', () => {
    const [file, ...args] = JSON.parse(all('ENTRYPOINT').join());
    expect(Object.keys(manifest.bin)).toContain(file);
    expect([args, all('CMD')]).toEqual([[], []]);
    expect(all('USER').at(-1)).toMatch(/^(?!root|0)\w+$/);
  });
});
