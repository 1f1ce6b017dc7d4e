// Size and time of an installation into an empty folder, from npm's cache.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../harness/bench.js';
import type { Data } from '../harness/data.js';
import { ROOT } from '../harness/targets.js';

const OPTIONS = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error'];

/** Packs our package; says what is installed under which name. */
function packages(folder: string) {
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const output = execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' });
  const file = output.trim().split('\n').at(-1) ?? '';
  return [
    { name: 'json-server 0.17', kind: 'peer', what: 'json-server@0.17.4' },
    { name: 'ours', kind: 'ours', what: join(folder, file) },
  ];
}

/** One round; before the first, each is installed once for npm's cache alone. */
export function measureInstall({ results, data, plan }: Bench, round: number) {
  const installed = packages(data.folder);
  if (round === 0) for (const each of installed) attempt(results, each, () => install(data, each));
  for (let nth = 0; nth < plan.installs; nth += 1) {
    for (const each of installed) {
      attempt(results, each, () => {
        results.addAll(each.name, install(data, each));
      });
    }
  }
}

function attempt(results: Bench['results'], { name }: { name: string }, action: () => void) {
  try {
    action();
  } catch (error) {
    const { message } = error as Error;
    results.refuse('install', name, `could not be installed: ${message.split('\n')[0]}`);
  }
}

function install(data: Data, { what }: { what: string }) {
  const folder = mkdtempSync(join(data.folder, 'install-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  const startedAt = performance.now();
  execFileSync('npm', ['install', ...OPTIONS, what], { cwd: folder, stdio: 'ignore' });
  const seconds = (performance.now() - startedAt) / 1_000;
  const modules = join(folder, 'node_modules');
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const figures = {
    install: seconds,
    'install size':
      Number(execFileSync('du', ['-sk', modules], { encoding: 'utf8' }).split('\t')[0]) / 1_024,
    'install packages': Object.keys(lock.packages).length,
  };
  rmSync(folder, { recursive: true });
  return figures;
}
