import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readFlags } from '../report/flags.js';
import { report } from '../report/report.js';
import { type Figure, figure, type Result } from '../report/result.js';

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
  const written = join(folder, 'report.json');
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  jest.push('node_modules/jest/bin/jest.js', '--runInBand', '--json', `--outputFile=${written}`);
  try {
    spawnSync(process.execPath, [...jest, 'test/chaos/'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return JSON.parse(readFileSync(written, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function figuresOf({ testResults }: Report): Figure[] {
  return testResults
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, message, assertionResults }) =>
      assertionResults.length === 0
        ? [figure(basename(name), message, 'passed', false)]
        : assertionResults.map(({ fullName, status }) => {
            const isWithin = status === 'pending' ? undefined : status === 'passed';
            return figure(fullName, VERDICTS[status] ?? status, 'passed', isWithin);
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
      'Power failures are not tried: neither the state file nor the journal file is synchronised with the disk.',
      'Some tests shorten the waits for saves and timeouts to a hundredth.',
    ],
    listings: [],
  };
}

readFlags(
  {
    name: 'chaos',
    summary:
      'Runs the tests of test/chaos, the slow ones too: killed processes, full disks, set clocks, and clients that do not read. Exit code 1 if one of them fails.',
  },
  {},
);
report(resultOf(figuresOf(runTests())));
