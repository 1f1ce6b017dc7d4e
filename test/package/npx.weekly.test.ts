import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { packInto } from '../../scripts/pack-into.mjs';
import { until } from '../support/fetching.js';
import { fixtureFolder, newFolder } from '../support/fixture.js';
import { groupEnded, run, startProgram } from '../support/programs.js';

const project = join(fixtureFolder, 'project');
const env = { PATH: process.env.PATH, HOME: process.env.HOME };

beforeAll(async () => {
  mkdirSync(project);
  const scripts = { mock: 'usage-billing-mock' };
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, scripts }));
  const tarball = packInto(project);
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: project, env });
});

/** Runs a line in the project as CI does: in the background, in its own process group. */
function inBackground(line: string): { readonly group: number } {
  return { group: startProgram('sh', ['-c', line], { cwd: project, env, stdio: 'ignore' }).pid };
}

/** Starts the mock with a line of shell, and waits until it serves. */
async function started(line: string) {
  const file = join(newFolder(), 'ready.json');
  const { group } = inBackground(`exec ${line} --port 0 --ready-file ${file}`);
  await until(() => existsSync(file));
  const { url } = JSON.parse(readFileSync(file, 'utf8'));
  expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  return { group, url };
}

describe('the installed command, started in the background', () => {
  test.each([
    ['npx usage-billing-mock', 'npx', 'SIGTERM', (group: number) => group],
    ['npx usage-billing-mock', 'its group', 'SIGTERM', (group: number) => -group],
    ['npx usage-billing-mock', 'its group', 'SIGINT', (group: number) => -group],
    ['npm run mock --', 'npm', 'SIGTERM', (group: number) => group],
  ] as const)(
    'by %s leaves nothing behind when %s gets %s',
    async (line, _whom, signal, target) => {
      const { group, url } = await started(line);
      process.kill(target(group), signal);
      await groupEnded(group);
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
  );

  test('goes on when the shell that has started it ends', async () => {
    const file = join(newFolder(), 'ready.json');
    const { group } = inBackground(`npx usage-billing-mock --port 0 --ready-file ${file} & exit`);
    await until(() => existsSync(file));
    const { url, pid } = JSON.parse(readFileSync(file, 'utf8'));
    // Longer than the mock takes to notice that npx has ended.
    await passed(600);
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
    process.kill(pid, 'SIGTERM');
    await groupEnded(group);
  });

  test('by the helper for the shell leaves nothing behind', async () => {
    cpSync('examples/shell', project, { recursive: true });
    const { group } = inBackground(
      'sh -c ". ./billing-mock.sh; mock_start; echo \\$mock_url >url" && sh test-tour.sh && echo passed >tour',
    );
    await groupEnded(group);
    expect(readFileSync(join(project, 'tour'), 'utf8')).toBe('passed\n');
    const url = readFileSync(join(project, 'url'), 'utf8').trim();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
