import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { pageOf } from './page.js';
import type { RecordedResult, Result, Run } from './result.js';

const RESULTS = 'test/rigour/results';
const PAGE = 'docs/rigour.md';

function thisRun(): Run {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: `${processors.length} × ${processors[0]?.model.trim()}, ${gigabytes} GB`,
  };
}

/** All recorded results, by name. */
export function recordedResults(): RecordedResult[] {
  mkdirSync(RESULTS, { recursive: true });
  const files = readdirSync(RESULTS).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')));
}

/** Keeps the result of one command, and writes docs/rigour.md from all that are kept. */
export function recordResult(result: Result): void {
  mkdirSync(RESULTS, { recursive: true });
  const recorded: RecordedResult = { ...result, ...thisRun() };
  writeFileSync(join(RESULTS, `${result.name}.json`), `${JSON.stringify(recorded, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(recordedResults()));
}
