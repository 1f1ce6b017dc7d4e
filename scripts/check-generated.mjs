// Fails if a generated file differs from what would be generated now.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { AS_NPM } from './npm.mjs';

const listed = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' });
const files = listed.split('\0').filter((file) => existsSync(file) && file !== '');
const read = () => files.map((file) => readFileSync(file, 'latin1'));

const before = read();
execFileSync('npm', ['run', '--silent', 'generate'], {
  ...AS_NPM,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const after = read();
const stale = files.filter((_, index) => before[index] !== after[index]);
if (stale.length > 0) {
  console.error(`${stale.join(' and ')} was out of date and has been generated again: commit it.`);
  process.exit(1);
}
