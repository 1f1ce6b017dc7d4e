import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { parse } from 'yaml';
import { COMMAND_OPTIONS, OPTIONS, variableOf } from '../../src/host/options/option-table.js';
import { createCertificate, hasProgram } from '../support/certificates.js';
import { useCommands } from '../support/command.js';
import { newFolder } from '../support/fixture.js';
import { blocksOf, textOf } from '../support/pages.js';
import { run, startProgram } from '../support/programs.js';

const start = useCommands('--log-level', 'silent');
const [testTls, tlsNote] = hasProgram('openssl') ? [test, ''] : [test.skip, ' (no openssl here)'];
// Only root may become another user and mount a folder once more.
const isRoot = process.getuid?.() === 0 && hasProgram('unshare') && hasProgram('setpriv');
const [testAsOther, otherNote] = isRoot ? [test, ''] : [test.skip, ' (needs root on Linux)'];
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
    for (const line of all('RUN')) {
      const own = line.replace(/^--mount=\S+ /, '').replace('-o 1000', `-o ${process.getuid?.()}`);
      await run('sh', ['-c', own], { cwd: newFolder(), env: shell });
    }
    const { stdout } = await run('usage-billing-mock', ['--version'], { env: { PATH } });
    expect(stdout).toBe(`${manifest.version}\n`);
    const installed = join(prefix, 'lib/node_modules/usage-billing-mock');
    const kept = join(installed, 'dist/compiled');
    expect(readdirSync(kept).length > 0).toBe('enableCompileCache' in module);
    const { stdout: writable } = await run('find', [
      installed,
      '-not',
      '-type',
      'l',
      '-perm',
      '/o=w',
    ]);
    expect(writable).toBe('');
  });

  test('is not built if the mock does not answer', async () => {
    const folder = newFolder();
    const [, check = ''] = all('RUN');
    const started = run('sh', ['-c', check], { env: { PATH: `${folder}:${process.env.PATH}` } });
    await expect(started).rejects.toThrow('usage-billing-mock');
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
    const withoutControl = await start(['--no-control'], env);
    expect(checkHealth(new URL(withoutControl.url).port)).toBe(0);
  });

  test('asks every second while the mock starts, and then every thirty', () => {
    const flags = all('HEALTHCHECK').join().match(/--\S+/g);
    expect(flags).toEqual(expect.arrayContaining(['--start-interval=1s', '--interval=30s']));
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
    expect(all('USER').at(-1)).toMatch(/^[1-9]\d*$/);
  });

  testAsOther(
    `runs as docs/command-line.md tells Kubernetes, as any user without a home${otherNote}`,
    async () => {
      const [, deployment = ''] = blocksOf('docs/command-line.md', 'yaml');
      const [mock] = parse(deployment).spec.template.spec.containers;
      const { runAsNonRoot, readOnlyRootFilesystem } = mock.securityContext;
      expect([runAsNonRoot, readOnlyRootFilesystem]).toEqual([true, true]);
      expect(mock.ports).toEqual([{ containerPort: Number(env.USAGE_BILLING_MOCK_PORT) }]);
      const [{ name, valueFrom }] = mock.env;
      expect(textOf('docs/command-line.md')).toContain(
        `secret generic ${valueFrom.secretKeyRef.name} --from-literal=${valueFrom.secretKeyRef.key}=`,
      );

      const folder = newFolder();
      chmodSync(folder, 0o755);
      for (const part of ['dist', 'fixtures', 'openapi.yaml', 'package.json'])
        cpSync(part, join(folder, part), { recursive: true });
      const asOther =
        'setpriv --reuid 12345 --regid 0 --clear-groups --no-new-privs --bounding-set -all';
      const mount = 'mount --bind "$0" /mnt && mount -o remount,ro,bind /mnt && cd /mnt';
      const program = startProgram(
        'unshare',
        [
          '--mount',
          'sh',
          '-c',
          `${mount} && exec ${asOther} "$1" dist/cli.cjs`,
          folder,
          process.execPath,
        ],
        { env: { ...env, PATH: process.env.PATH, USAGE_BILLING_MOCK_PORT: '0', [name]: 'secret' } },
      );
      await program.printed('\n');
      const url = program.stdout().trim().split(' ').at(-1)?.replace('0.0.0.0', '127.0.0.1');
      const statusOf = async (path: string, headers = {}) =>
        (await fetch(`${url}${path}`, { headers: { Authorization: 'Bearer a', ...headers } }))
          .status;
      for (const { httpGet } of [mock.readinessProbe, mock.livenessProbe]) {
        expect(httpGet.port).toBe(mock.ports[0].containerPort);
        expect(await statusOf(httpGet.path)).toBe(200);
      }
      expect(await statusOf('/measurements')).toBe(200);
      expect(await statusOf('/__control/account')).toBe(403);
      expect(await statusOf('/__control/account', { 'X-Control-Token': 'secret' })).toBe(200);
      expect(spawnSync('touch', [`/proc/${program.pid}/root/mnt/written`]).status).toBe(1);
      program.kill('SIGTERM');
      expect(await program.ended()).toBe(0);
    },
  );
});
