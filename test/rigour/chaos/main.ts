import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readFlags } from '../report/flags.js';
import { recordResult } from '../report/record.js';
import type { Figure, Result } from '../report/result.js';
import { isWithinBounds } from '../report/text.js';

/** What jest writes of its run, as far as it matters here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const VERDICTS: Readonly<Record<string, string>> = { passed: 'passed', pending: 'skipped' };

/** Runs the tests, each file after the other: they are about what a busy machine makes worse. */
function runTests(): Report {
  const folder = mkdtempSync(join(tmpdir(), 'chaos-'));
  const report = join(folder, 'report.json');
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  jest.push('node_modules/jest/bin/jest.js', '--runInBand', '--json', `--outputFile=${report}`);
  try {
    spawnSync(process.execPath, [...jest, 'test/chaos/'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function figuresOf({ testResults }: Report): Figure[] {
  return testResults
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, message, assertionResults }) =>
      assertionResults.length === 0
        ? [{ name: basename(name), value: message, bound: 'passed', isWithin: false }]
        : assertionResults.map(({ fullName, status }) => {
            const value = VERDICTS[status] ?? status;
            const judged = status === 'pending' ? {} : { isWithin: status === 'passed' };
            return { name: fullName, value, bound: 'passed', ...judged };
          }),
    );
}

function resultOf(figures: Figure[]): Result {
  const count = (wanted: string) => figures.filter(({ value }) => value === wanted).length;
  const failed = figures.filter(({ isWithin }) => isWithin === false).length;
  return {
    name: 'chaos',
    command: 'npm run chaos',
    description: `The built command while its process is killed, its disk fills up or becomes read-only, its clock is set back, its file descriptors run out, clients stop reading, and signals arrive under load. Of ${figures.length} tests (\`test/chaos\`) ${count('passed')} passed, ${failed} failed, ${count('skipped')} were skipped.`,
    figures,
    limits: [
      'Power failures are not tried: the state file is synchronised with the disk before it replaces the last one, the journal file is not.',
      'Some tests shorten the waits for saves and time-outs to a hundredth.',
    ],
    listings: [],
  };
}

const { record } = readFlags(
  {
    name: 'chaos',
    summary:
      'Runs the tests of test/chaos, the slow ones too: killed processes, full disks, set clocks, and clients\nthat do not read. Exit code 1 if one of them fails.',
  },
  {},
);
const result = resultOf(figuresOf(runTests()));
for (const { name, value } of result.figures) process.stdout.write(`${value}: ${name}\n`);
if (record) recordResult(result);
process.exitCode = isWithinBounds(result) ? 0 : 1;
