import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MUTATED = /^src\/(?:core\/(?:billing|datasets|decisions|store)|mock\/(?:accounts|service))\//;

/** These records are written by `npm run generate`. */
const GENERATED = 'src/generated/pregenerated.ts';

/** The files to mutate: those of the core at this path, or below it. */
export function mutatedFiles(path: string): string[] {
  const folder = path.replace(/\/+$/, '');
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file).replaceAll('\\', '/'))
    .filter((file) => file === folder || file.startsWith(`${folder}/`))
    .filter((file) => MUTATED.test(file) && file.endsWith('.ts') && file !== GENERATED);
}

/** The lines of the files that have changed since a commit, as `FILE:FIRST-LAST`. */
export function linesChangedSince(ref: string, files: readonly string[]): string[] {
  const args = ['diff', '--unified=0', '--no-color', '--end-of-options', ref, '--', ...files];
  const ranges: string[] = [];
  let file = '';
  for (const line of execFileSync('git', args, { encoding: 'utf8' }).split('\n')) {
    file = /^\+\+\+ b\/(.+)$/.exec(line)?.[1] ?? file;
    const [, first, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (first === undefined || count === '0') continue;
    ranges.push(`${file}:${first}-${Number(first) + Number(count) - 1}`);
  }
  return ranges;
}
