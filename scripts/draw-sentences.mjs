// Prints sentences of the README, docs/, errors and docstrings, drawn at random, for a reader to judge.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { seed: { type: 'string' }, help: { type: 'boolean' } } });
const seed = values.seed ?? String(Date.now() % 100_000);
if (values.help || !/^\d+$/.test(seed)) {
  console.error('Usage: node scripts/draw-sentences.mjs [--seed NUMBER]');
  process.exit(values.help ? 0 : 2);
}
const SENTENCE_END = /(?<=[.?!])\s+(?=[A-Z`'"*[])/;
const MIN_WORDS = 5;
const DRAWN = 10;

/** @param {string} folder @param {RegExp} name */
const filesIn = (folder, name) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !file.startsWith('generated'))
    .sort()
    .map((file) => join(folder, file));

/** @type {(page: string) => string[]} */
const prose = (page) => {
  const text = page.replaceAll(/^```[\s\S]*?^```$|<!--[\s\S]*?-->|^#.*$/gm, '');
  return text.split(/\n\s*\n|^ *(?:-|\d+\.) |\|/m).flatMap((block) => block.split(SENTENCE_END));
};

/** Texts in code that end as sentences do. @type {(code: string) => string[]} */
const messages = (code) => {
  const found = code.matchAll(/^(?! *(?:\*|\/)).*?(['"`])([A-Z'$`](?:\\.|(?!\1).)*[.?])\1/gm);
  return [...found].map(([, , text = '']) => text);
};

/** The sentences of docstrings, without their tags. @type {(code: string) => string[]} */
const docstrings = (code) => {
  const found = [...code.matchAll(/\/\*\*([\s\S]*?)(?:\s@[\s\S]*?)?\*\//g)];
  return found.flatMap(([, text = '']) => text.replaceAll(/^ *\* ?/gm, '').split(SENTENCE_END));
};

/** @type {Readonly<Record<string, readonly [files: string[], split: (text: string) => string[]]>>} */
const SOURCES = {
  README: [['README.md'], prose],
  docs: [filesIn('docs', /\.md$/), prose],
  errors: [filesIn('src', /^(?!page|core.decisions.(ledger|fidelity)).*\.ts$/), messages],
  docstrings: [filesIn('src', /\.tsx?$/), docstrings],
};

const rankOf = (/** @type {string} */ text) =>
  createHash('sha256').update(`${seed} ${text}`).digest('hex');

console.log(`Seed ${seed}`);
for (const [kind, [files, split]] of Object.entries(SOURCES)) {
  const all = files.flatMap((file) =>
    split(readFileSync(file, 'utf8'))
      .map((text) => text.replaceAll(/\s+/g, ' ').trim())
      .filter((text) => /[.?:]$/.test(text) && text.split(' ').length >= MIN_WORDS)
      .map((text) => `${file}: ${text}`),
  );
  console.log(`\n${kind}: ${DRAWN} of ${all.length}`);
  const ranked = all.map((text) => [rankOf(text), text]).sort();
  for (const [, text] of ranked.slice(0, DRAWN)) console.log(`- ${text}`);
}
