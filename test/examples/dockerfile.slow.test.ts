import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { COMMAND_OPTIONS, OPTIONS, variableOf } from '../../src/options/option-table.js';
import { createCertificate, hasProgram } from '../support/certificates.js';
import { useCommands } from '../support/command.js';
import { newFolder } from '../support/fixture.js';

const start = useCommands('--log-level', 'silent');
const [testTls, tlsNote] = hasProgram('openssl') ? [test, ''] : [test.skip, ' (no openssl here)'];
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The instructions of each stage, such as `['USER', 'node']`. */
const stages = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .map((stage) => [...stage.matchAll(/^([A-Z]+) +(.*)$/gm)].map(([, name, rest]) => [name, rest]));

/** What the instructions of this name say, in the image unless told another stage. */
function all(name: string, stage = stages.at(-1) ?? []): string[] {
  return stage.filter(([found]) => found === name).map(([, rest = '']) => rest);
}

const env = Object.fromEntries(
  all('ENV').flatMap((rest) => rest.split(/ +/).map((pair) => pair.split('='))),
);

/** Runs the command of HEALTHCHECK in an image that listens at this port, with these variables. */
function checkHealth(port: string, given: Record<string, string> = {}): number | null {
  const [, words = '[]'] = /CMD (\[.*\])$/.exec(all('HEALTHCHECK').join()) ?? [];
  const [file, ...args]: string[] = JSON.parse(words);
  const variables = { ...env, PATH: process.env.PATH, USAGE_BILLING_MOCK_PORT: port, ...given };
  return spawnSync(file ?? '', args, { env: variables }).status;
}

/** A folder that has what .dockerignore lets through. */
function copyContext(): string {
  const folder = newFolder();
  const lines = readFileSync('.dockerignore', 'utf8').trim().split('\n');
  const [first, ...kept] = lines.filter((line) => !line.startsWith('#'));
  expect(first).toBe('*');
  for (const line of kept) {
    expect(line).toMatch(/^![\w./-]+$/);
    cpSync(line.slice(1), join(folder, line.slice(1)), { recursive: true });
  }
  return folder;
}

/** The paths of the files that the package has, if it is made of this folder as it was built. */
function packed(folder: string): string[] {
  const packing = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [made] = JSON.parse(
    execFileSync('npm', packing, { cwd: folder, stdio: 'pipe' }).toString(),
  );
  const paths: string[] = made.files
    .map(({ path }: { path: string }) => path)
    // npm lists no packages where they are only linked to, as here.
    .filter((path: string) => path !== 'dist/sbom.cdx.json');
  // The name of a part that two entries share has a sum in it.
  return paths.map((path) => path.replace(/-[\w-]{8}\./, '.')).sort();
}

describe('the Dockerfile', () => {
  test('builds the whole package from what .dockerignore lets through', () => {
    const context = copyContext();
    for (const rest of all('COPY', stages[0])) {
      for (const source of rest.split(/ +/).slice(0, -1)) {
        expect([source, existsSync(join(context, source))]).toEqual([source, true]);
      }
    }
    symlinkSync(resolve('node_modules'), join(context, 'node_modules'));
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: context });
    expect(packed(context)).toEqual(packed('.'));
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

  test('has a Node that the package runs on', () => {
    const [, lowest = ''] = /^>=(\d+)/.exec(manifest.engines.node) ?? [];
    for (const stage of stages) {
      const [, version] = /^node:(\d+)-/.exec(all('FROM', stage).join()) ?? [];
      expect(Number(version)).toBeGreaterThanOrEqual(Number(lowest));
    }
  });
});
