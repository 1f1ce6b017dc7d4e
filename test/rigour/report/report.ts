import { cpus, totalmem } from 'node:os';
import type { Result } from './result.js';
import { sectionOf } from './section.js';

/** Prints the result of a command, which fails if a figure is not within its bound. */
export function report(result: Result): void {
  const processors = cpus();
  const section = sectionOf(result, {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: `${processors.length} × ${processors[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`,
  });
  process.stdout.write(`${section}\n`);
  process.exitCode = result.figures.every(({ isWithin }) => isWithin !== false) ? 0 : 1;
}
