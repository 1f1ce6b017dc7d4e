import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fixtureFolder } from '../support/fixture.js';
import { blocksOf } from '../support/pages.js';

const run = promisify(execFile);
const project = join(fixtureFolder, 'project');
const env = { PATH: process.env.PATH, HOME: process.env.HOME };

beforeAll(async () => {
  mkdirSync(project);
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', project]);
  const scripts = { mock: 'usage-billing-mock' };
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, scripts }));
  const tarball = join(project, stdout.trim());
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: project, env });
}, 120_000);

const groups: ChildProcess[] = [];

afterEach(() => {
  for (const { pid = 0 } of groups.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nothing is left of it.
    }
  }
});

/** Runs a line in the project as CI does: in the background, with a group of processes of its own. */
function inBackground(line: string): { readonly group: number } {
  const child = spawn('sh', ['-c', line], { cwd: project, env, detached: true, stdio: 'ignore' });
  groups.push(child);
  return { group: child.pid ?? 0 };
}

/** Starts the mock by a line of a shell, and waits until it serves. */
async function started(line: string) {
  const file = join(mkdtempSync(join(fixtureFolder, 'npx-')), 'ready.json');
  const { group } = inBackground(`exec ${line} --port 0 --ready-file ${file}`);
  while (!existsSync(file)) await passed(20);
  const { url } = JSON.parse(readFileSync(file, 'utf8'));
  expect((await fetch(`${url}/__control/health`)).status).toBe(200);
  return { group, url };
}

/** The processes of a group that have not ended. */
async function processesOf(group: number): Promise<string[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pgid=,stat=,args=']);
  const lines = stdout.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith(`${group} `) && !/^\d+ +Z/.test(line));
}

/** Waits until no process of the group is left. */
async function ended(group: number): Promise<void> {
  while ((await processesOf(group)).length > 0) await passed(20);
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
      await ended(group);
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    },
    20_000,
  );

  test('goes on when the shell that has started it ends', async () => {
    const file = join(mkdtempSync(join(fixtureFolder, 'npx-')), 'ready.json');
    const { group } = inBackground(`npx usage-billing-mock --port 0 --ready-file ${file} & exit`);
    while (!existsSync(file)) await passed(20);
    const { url, pid } = JSON.parse(readFileSync(file, 'utf8'));
    // Longer than the mock takes to see that npx has ended.
    await passed(600);
    expect((await fetch(`${url}/__control/health`)).status).toBe(200);
    process.kill(pid, 'SIGTERM');
    await ended(group);
  }, 20_000);

  test('as docs/testing.md shows it leaves nothing behind', async () => {
    const [script = ''] = blocksOf('docs/testing.md', 'sh');
    const { group } = inBackground(`{ ${script} } >answer; echo "$url" >url`);
    await ended(group);
    expect(readFileSync(join(project, 'answer'), 'utf8')).toContain('"deletedAt"');
    const url = readFileSync(join(project, 'url'), 'utf8').trim();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  }, 20_000);
});
