import { readFileSync } from 'node:fs';
import { filesBelow } from './sandbox.js';

/** What reads the code instead of running it, or reaches the core only in other processes. */
const OTHERS =
  /^test\/(architecture|budgets|command-line|documentation|examples|package|page|rigour|settle)\//;

/** Slow ones that start processes; those of other rooms run in this one. */
const SLOW = /^test\/(chaos|kit)\/.*\.slow\.test\.ts$/;

/** Whether all of its tests start runners of tests, which use the built package. */
function startsRunners(file: string): boolean {
  return readFileSync(file, 'utf8').includes("/support/runner.js'");
}

/** The files of tests that a worker runs; those of their tests that reach no mutant are left out. */
export function findTestFiles(): string[] {
  return filesBelow('test')
    .filter((file) => file.endsWith('.test.ts') && !SLOW.test(file))
    .filter((file) => !OTHERS.test(file) && !startsRunners(file));
}
