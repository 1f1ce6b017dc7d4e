import { PAGES, textOf } from '../support/pages.js';

/** The most words in the README and docs/ together. */
const MOST_WORDS = 12_000;
const MOST_COLUMNS = 100;

/** The words of a text, without the lines and bars of tables. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{Letter}\p{Number}]/u.test(word));
}

/** The lines of the console blocks of a page. */
function consoleLines(page: string): string[] {
  const blocks = textOf(page).matchAll(/^```(?:console|text)\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, block = '']) => block.trimEnd().split('\n'));
}

test(`the README and docs/ have at most ${MOST_WORDS} words`, () => {
  const pages = PAGES.filter((page) => /^(README\.md$|docs\/)/.test(page));
  const words = pages.flatMap((page) => wordsOf(textOf(page)));
  expect(words.length).toBeGreaterThan(5_000);
  expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
});

test('README.md has at most 150 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test.each(PAGES)(`%s shows no console line of more than ${MOST_COLUMNS} characters`, (page) => {
  expect(consoleLines(page).filter((line) => line.length > MOST_COLUMNS)).toEqual([]);
});
