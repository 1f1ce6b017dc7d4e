import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from './sandbox.js';

/** What reads the code instead of running it, or is of rooms above those that are changed. */
const OTHERS =
  /^test\/(architecture|budgets|documentation|examples|kit|package|page|rigour|settle)\//;

/** What starts processes: these run the built package, which has no mutants. */
const STARTS = /from '(node:child_process|node:worker_threads|playwright-core|vite|vitest)'/;

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/from '(\.[^']+)\.js'/g)]
    .map(([, path = '']) => `${join(dirname(file), path)}.ts`)
    .filter((path) => path.startsWith('test/') && existsSync(path));
}

function startsNothing(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  return !STARTS.test(text) && importsOf(file, text).every(startsNothing);
}

/** The files of tests that a worker can run in its own process. */
export function findTestFiles(): string[] {
  return filesBelow('test')
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.slow.test.ts'))
    .filter((file) => !OTHERS.test(file) && startsNothing(file));
}
