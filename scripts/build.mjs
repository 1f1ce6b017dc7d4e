// Builds dist/ as tsdown.config.ts says; quietly, because every `npm start` runs it. Beside the code
// it lays the YAML files of the package as JSON, which is parsed in no time.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'tsdown';
import { parse } from 'yaml';

await build({ logLevel: 'error' });

const fixtures = readdirSync('fixtures').filter((file) => file.endsWith('.yaml'));
const files = [
  'openapi.yaml',
  'control.openapi.yaml',
  ...fixtures.map((file) => `fixtures/${file}`),
];
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  const parsed = { sha256: createHash('sha256').update(text).digest('hex'), value: parse(text) };
  const target = join('dist/parsed', `${file}.json`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, JSON.stringify(parsed));
}
