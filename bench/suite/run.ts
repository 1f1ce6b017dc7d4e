// Runs the suite once, as a developer would, with two workers on all cores.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Cores } from '../harness/cores.js';
import type { SuiteRunner } from './project.js';

const run = promisify(execFile);
const MAX_MS = 120_000;

/**
 * Returns the seconds from spawn to exit, how many processes ran files, and the MB of the largest of
 * them at its end.
 */
export async function runSuite(
  cores: Cores,
  { args }: SuiteRunner,
  folder: string,
  only: string[] = [],
  variables: Record<string, string> = {},
) {
  const memory = join(folder, 'memory.txt');
  rmSync(memory, { force: true });
  const [file = process.execPath, ...rest] = [...cores.all, process.execPath, ...args, ...only];
  const env = { ...process.env, CI: 'true', BENCH_MEMORY: memory, ...variables };
  const startedAt = performance.now();
  try {
    await run(file, rest, { cwd: folder, env, timeout: MAX_MS, maxBuffer: 2 ** 26 });
  } catch (error) {
    throw new Error(complaint(error as Error & { stdout?: string; stderr?: string }));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { '': seconds, ...workersIn(memory) };
}

/** Reads the lines of the test files: the process that ran each, and its memory at the end. */
function workersIn(file: string) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const atEnd = new Map(lines.map((line) => line.split(' ', 2) as [string, string]));
  const largest = Math.max(...[...atEnd.values()].map(Number));
  return { ', workers': atEnd.size, ', worker': largest / 2 ** 20 };
}

function complaint({
  message,
  stdout = '',
  stderr = '',
}: {
  message: string;
  stdout?: string;
  stderr?: string;
}) {
  const said = `${stderr}\n${stdout}`
    .split('\n')
    .filter((line) => /error|●|✕|not found/i.test(line));
  return (said.slice(0, 3).join(' ').trim() || message).slice(0, 200);
}
