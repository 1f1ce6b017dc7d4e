import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { pageOf, sectionOf } from './page.js';
import type { RecordedResult, Result } from './result.js';

const RESULTS = 'test/rigour/results';

/** All recorded results, by name. */
export function recordedResults(): RecordedResult[] {
  const files = readdirSync(RESULTS).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')));
}

/**
 * Prints the result of one command, and has it fail where a figure is not within its bound; keeps it
 * on demand, and writes docs/rigour.md from all that are kept.
 */
export function report(result: Result, isKept: boolean): void {
  const processors = cpus();
  const recorded: RecordedResult = {
    ...result,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: `${processors.length} × ${processors[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`,
  };
  process.stdout.write(`${sectionOf(recorded)}\n`);
  process.exitCode = result.figures.every(({ isWithin }) => isWithin !== false) ? 0 : 1;
  if (!isKept) return;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${result.name}.json`), `${JSON.stringify(recorded, null, 2)}\n`);
  writeFileSync('docs/rigour.md', pageOf(recordedResults()));
}
