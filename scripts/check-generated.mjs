// Generates again and fails if what is committed differs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const FILES = [
  'control.openapi.yaml',
  'src/generated/openapi.ts',
  'src/generated/control.ts',
  'src/generated/names.ts',
  'src/generated/operations.ts',
  'src/generated/pregenerated.ts',
  'docs/command-line.md',
  'docs/decisions.md',
  'docs/settle.md',
  'llms.txt',
  'fixtures/fixture.schema.json',
];

const read = () => FILES.map((file) => readFileSync(file, 'utf8'));
const before = read();
execFileSync('npm', ['run', '--silent', 'generate'], { stdio: ['ignore', 'ignore', 'inherit'] });
const after = read();
const stale = FILES.filter((_, index) => before[index] !== after[index]);
if (stale.length > 0) {
  console.error(`${stale.join(' and ')} was out of date and has been generated again: commit it.`);
  process.exit(1);
}
