import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorsOf, codeIn, PAGES, textOf } from '../support/pages.js';

/** How many words the README and docs/ may have together. */
const MAX_WORDS = 13_500;

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

describe('every page', () => {
  test.each(PAGES)('%s links only files and headings that exist', (page) => {
    for (const [, target = ''] of textOf(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? page : join(dirname(page), file);
      expect([target, existsSync(path)]).toEqual([target, true]);
      if (anchor !== undefined) expect(anchorsOf(path)).toContain(anchor);
    }
  });

  test.each(PAGES)('%s names only files of the repository that exist', (page) => {
    const paths = codeIn(textOf(page)).filter((code) =>
      /^(\.github|bench|docs|examples|fixtures|scripts|src|test)\/[\w./-]*$/.test(code),
    );
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('names only npm scripts that exist', () => {
    const scripts = PAGES.flatMap((page) => [
      ...textOf(page).matchAll(/npm (?:run )?(start|test|run [\w:-]+)|`(check:\w+)`/g),
    ]).map(([, words = '', check]) => check ?? words.replace('run ', ''));
    expect(scripts.length).toBeGreaterThan(15);
    for (const script of scripts) expect(Object.keys(manifest.scripts)).toContain(script);
  });
});

test(`the README and docs/ have at most ${MAX_WORDS} words`, () => {
  const pages = PAGES.filter((page) => /^(README\.md$|docs\/)/.test(page));
  // The lines and bars of tables are no words.
  const words = pages.flatMap((page) => textOf(page).match(/\S*[\p{Letter}\p{Number}]\S*/gu) ?? []);
  expect(words.length).toBeGreaterThan(5_000);
  expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
});

describe('README.md', () => {
  test('links every other page', () => {
    const isLinked = (page: string) => textOf('README.md').includes(`](${page})`);
    expect(PAGES.filter((page) => !isLinked(page))).toEqual(['README.md']);
  });
});
