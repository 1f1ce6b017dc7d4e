import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { filesBelow, type Sandbox } from './sandbox.js';
import type { FileRun, Order } from './worker-messages.js';
import { WorkerProcess } from './worker-process.js';

/** Which mutants a test reaches, and how long it takes. */
export interface CoveredTest {
  readonly name: string;
  readonly durationMs: number;
  /** Each mutant followed by how often. */
  readonly reached: readonly number[];
}

export interface CoveredFile {
  readonly file: string;
  /** Only those that pass. */
  readonly tests: readonly CoveredTest[];
  /** What happens at import and in `beforeAll`, for all its tests. */
  readonly outside: CoveredTest;
  /** What was reached when the code was loaded, but not when the tests ran once more; and how often. */
  readonly atLoad: readonly number[];
  /** Tests that fail in a worker, such as those that need jest itself. */
  readonly unusable: readonly string[];
}

const CACHE = 'coverage/mutate.json';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** What all files of tests depend on. */
function commonHash({ mutants }: Sandbox): string {
  const files = [...filesBelow('src'), ...filesBelow('test/support'), ...filesBelow('fixtures')];
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  return hashOf([JSON.stringify(mutants), ...texts].join('\0'));
}

type Kept = Record<string, { readonly hash: string; readonly covered: CoveredFile }>;

function readCache(common: string): Kept {
  if (!existsSync(CACHE)) return {};
  const { common: before, kept } = JSON.parse(readFileSync(CACHE, 'utf8'));
  return before === common ? kept : {};
}

const idsOf = (reached: readonly number[]) => reached.filter((_, index) => index % 2 === 0);

/** What is known of a file of tests that was run twice in one process. */
function coverageOf(first: FileRun, second: FileRun): CoveredFile {
  const runs = second.tests.filter(({ error }) => !error);
  const failed = [...first.tests, ...second.tests].filter(({ error }) => error);
  const unusable = [...new Set(failed.map(({ name }) => name))];
  const late = new Set(second.tests.flatMap(({ reached }) => idsOf(reached)));
  const early = first.tests.flatMap(({ reached }) => reached);
  const tests = runs.filter(({ name }) => name !== '' && !unusable.includes(name));
  const total = second.tests.find(({ name }) => name === '');
  const inTestsMs = second.tests
    .filter(({ name }) => name !== '')
    .reduce((sum, { durationMs }) => sum + durationMs, 0);
  const durationMs = Math.max(0, (total?.durationMs ?? 0) - inTestsMs);
  return {
    file: second.file,
    tests: unusable.includes('') ? [] : tests,
    outside: { name: '', durationMs, reached: total?.reached ?? [] },
    atLoad: early.filter((_, index) => !late.has(early[index - (index % 2)] ?? 0)),
    unusable,
  };
}

async function runTwice(worker: WorkerProcess, file: string): Promise<CoveredFile> {
  const order: Order = {
    mutant: 0,
    files: [{ file }],
    isRecording: true,
    mostHits: 0,
    durationsMs: {},
  };
  const runs: FileRun[] = [];
  for (const _ of ['first', 'second']) {
    const outcome = await worker.obey(order);
    if (outcome.kind !== 'done') {
      const outside = { name: '', durationMs: 0, reached: [] };
      return { file, tests: [], outside, atLoad: [], unusable: [outcome.kind] };
    }
    runs.push(...outcome.files);
  }
  const [first, second] = runs as [FileRun, FileRun];
  return coverageOf(first, second);
}

/** Runs all tests without a mutant and notes what they reach; what is known from before is kept. */
export async function cover(
  sandbox: Sandbox,
  files: readonly string[],
  workers: number,
  tell: (line: string) => void,
): Promise<CoveredFile[]> {
  const common = commonHash(sandbox);
  const kept = readCache(common);
  const hashes = new Map(files.map((file) => [file, hashOf(readFileSync(file, 'utf8'))]));
  const missing = files.filter((file) => kept[file]?.hash !== hashes.get(file));
  const queue = [...missing];
  const work = async () => {
    const worker = new WorkerProcess(sandbox.folder);
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const covered = await runTwice(worker, file.replace(/\.ts$/, '.js'));
      kept[file] = { hash: hashes.get(file) ?? '', covered };
      writeFileSync(CACHE, JSON.stringify({ common, kept }));
      const testsMs = [covered.outside, ...covered.tests].map(({ durationMs }) => durationMs);
      const seconds = (testsMs.reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(1);
      const without = covered.unusable.map((name) => `\n  not used: ${name || 'the whole file'}`);
      tell(
        `${missing.length - queue.length}/${missing.length} ${file} ${seconds} s${without.join('')}`,
      );
    }
    worker.stop();
  };
  mkdirSync('coverage', { recursive: true });
  await Promise.all(Array.from({ length: workers }, work));
  return files.flatMap((file) => kept[file]?.covered ?? []);
}
