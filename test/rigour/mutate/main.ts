import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { countFlag, type Flag, readFlags } from '../report/flags.js';
import { linesChangedSince, mutatedFiles } from './mutated-lines.js';

const STRYKER = 'test/rigour/node_modules/@stryker-mutator/core/bin/stryker.js';
const CONFIG = 'test/rigour/mutate/stryker.config.json';

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
const flags = ['--mutate', mutated.join(','), '--concurrency', String(workers)];
const { status } = spawnSync(process.execPath, [STRYKER, 'run', CONFIG, ...flags], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
