// Writes llms.txt, for assistants: the pages about using the package in one file, which is packed.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

/** In the order in which readers need them. */
const PAGES = [
  'README.md',
  ...[
    ...['testing', 'languages', 'recipes', 'playwright', 'vite', 'browser'],
    ...['command-line', 'fixtures', 'stubs', 'faults', 'control-plane', 'errors', 'matrix'],
    ...['coverage', 'settle', 'specification', 'decisions'],
  ].map((name) => `docs/${name}.md`),
];

/** A page as a part of one file at the root: with headings one level lower, and adjusted links. */
function partOf(/** @type {string} */ page) {
  const blocks = readFileSync(page, 'utf8').split(/^(```.*?^```$)/ms);
  const parts = blocks.map((block, index) =>
    index % 2 === 1
      ? block
      : block
          .replaceAll(/^<!--.*?-->\n\n|^\[?!\[.*\n\n/gm, '')
          .replaceAll(/^#/gm, '##')
          .replaceAll(
            /\]\((?!https?:)([^)#]*)/g,
            (_, path) => `](${path ? join(dirname(page), path) : page}`,
          ),
  );
  return parts.join('');
}

const { description } = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync(
  'llms.txt',
  ['# usage-billing-mock\n', `> ${description}\n`, ...PAGES.map(partOf)].join('\n'),
);
