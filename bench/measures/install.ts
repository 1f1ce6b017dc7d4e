// Counts what `npm ci` installs for those who work on this project.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../harness/bench.js';
import { ROOT } from '../harness/targets.js';

export function measureInstall({ results }: Bench) {
  const folder = join(ROOT, 'node_modules');
  const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.cache'))
    .map((name) => lstatSync(join(folder, name)));
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  results.addAll('ours', { packages: Object.keys(packages).length, MB: bytes / 1e6 }, 'npm ci: ');
}
