import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reached } from './reached.js';
import { runDefined } from './run-defined.js';
import type { FileRun, Order, Report, TestFile, TestRun } from './worker-messages.js';

register('./reload-tests.js', import.meta.url);

let imports = 0;
const stray: string[] = [];
const keepStray = (thrown: unknown) => {
  stray.push(String((thrown as Error)?.stack ?? thrown));
};
process.on('uncaughtException', keepStray).on('unhandledRejection', keepStray);

function tell(report: Report): void {
  process.send?.(report);
}

/** Defines the tests of a file anew. */
async function define(file: string): Promise<void> {
  imports += 1;
  await import(`${pathToFileURL(resolve(file))}?${imports}`);
}

async function runFile({ file, tests }: TestFile, order: Order): Promise<FileRun> {
  tell({ kind: 'progress', test: file });
  const startedAt = performance.now();
  const runs: TestRun[] = [];
  const outside = (reached: readonly number[], error?: string) => {
    const durationMs = performance.now() - startedAt;
    runs.push({ name: '', durationMs, reached, ...(error && { error }) });
  };
  stray.length = 0;
  await runDefined({
    file,
    define: () => define(file),
    selected: tests && new Set(tests),
    order,
    onProgress: (test) => tell({ kind: 'progress', test: `${file} > ${test}` }),
    onTest: (run) => runs.push(run),
    onOutside: outside,
  });
  // A rejection that nobody handles is told a turn later.
  await new Promise((after) => setImmediate(after));
  if (stray.length > 0) outside([], stray.join('\n'));
  return { file, tests: runs };
}

async function run(order: Order): Promise<void> {
  if (order.isRecording) reached.record();
  else reached.activate(order.mutant, order.mostHits);
  const files: FileRun[] = [];
  for (const file of order.files) {
    const done = await runFile(file, order);
    files.push(done);
    if (!order.isRecording && done.tests.some(({ error }) => error)) break;
  }
  const hits = reached.allHits;
  reached.activate(0, Number.POSITIVE_INFINITY);
  tell({ kind: 'done', files, hits, rssBytes: process.memoryUsage.rss() });
}

process.on('message', (order: Order) => void run(order));
process.on('disconnect', () => process.exit());
