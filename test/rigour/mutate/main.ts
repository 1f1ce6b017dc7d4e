import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { countFlag, type Flag, readFlags } from '../report/flags.js';
import { report } from '../report/report.js';
import { linesChangedSince, mutatedFiles } from './mutated-lines.js';
import { resultOf } from './result-of.js';
import { mistakesIn, verdictsOf } from './verdicts.js';

const STRYKER = 'test/rigour/node_modules/@stryker-mutator/core/bin/stryker.js';
const CONFIG = 'test/rigour/mutate/stryker.config.json';
const REPORT = 'coverage/mutate.json';
const EQUAL = 'test/rigour/mutate/equal-mutants.json';

const filesFlag: Flag<string> = {
  words: 'only this file or folder, such as src/core/billing',
  initial: 'src',
  expected: 'a file or folder with code of the core, such as src/core/billing',
  read: (text) => (mutatedFiles(text).length > 0 ? text : undefined),
};
const sinceFlag: Flag<string | undefined> = {
  words: 'only the lines changed since this commit',
  initial: undefined,
  expected: 'a commit of this repository',
  read: (text) => (isCommit(text) ? text : undefined),
};

const { files, since, workers } = readFlags(
  {
    name: 'mutate',
    summary:
      'Changes the code in one place at a time, and tells which changes no test notices. What the last run has found is tried again only where code or tests have changed since.',
  },
  {
    files: filesFlag,
    since: sinceFlag,
    workers: countFlag('processes at a time', availableParallelism()),
  },
);

function isCommit(ref: string): boolean {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  return spawnSync('git', args, { stdio: 'ignore' }).status === 0;
}

const asked = mutatedFiles(files);
const mutated = since === undefined ? asked : linesChangedSince(since, asked);
if (mutated.length === 0) {
  process.stdout.write('No line of the core has changed.\n');
  process.exit();
}
if (!existsSync(STRYKER)) {
  execFileSync('npm', ['ci', '--prefix', 'test/rigour', '--no-audit', '--no-fund'], {
    stdio: 'inherit',
  });
}
rmSync(REPORT, { force: true });
const flags = ['--mutate', mutated.join(','), '--concurrency', String(workers)];
spawnSync(process.execPath, [STRYKER, 'run', CONFIG, ...flags], { stdio: 'inherit' });
const equal = JSON.parse(readFileSync(EQUAL, 'utf8'));
const verdicts = verdictsOf(JSON.parse(readFileSync(REPORT, 'utf8')), equal);
const mistakes = mistakesIn(equal, verdicts, (file) => since === undefined && asked.includes(file));
const command = [
  'npm run mutate',
  ...(files === 'src' && since === undefined ? [] : ['--']),
  ...(files === 'src' ? [] : [`--files ${files}`]),
  ...(since === undefined ? [] : [`--since ${since}`]),
].join(' ');
report(resultOf(verdicts, mistakes, command));
for (const mistake of mistakes) process.stdout.write(`${mistake}\n`);
