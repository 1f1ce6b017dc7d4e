import { PAGES, textOf } from '../support/pages.js';

/** How many words the README and docs/ may have together. */
const MAX_WORDS = 13_500;
const MAX_COLUMNS = 100;

/** The words of a text, without the lines and bars of tables. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{Letter}\p{Number}]/u.test(word));
}

/** The lines of the console blocks of a page. */
function consoleLines(page: string): string[] {
  const blocks = textOf(page).matchAll(/^```(?:console|text)\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, block = '']) => block.trimEnd().split('\n'));
}

test(`the README and docs/ have at most ${MAX_WORDS} words`, () => {
  const pages = PAGES.filter((page) => /^(README\.md$|docs\/)/.test(page));
  const words = pages.flatMap((page) => wordsOf(textOf(page)));
  expect(words.length).toBeGreaterThan(5_000);
  expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
});

test.each(PAGES)(`%s shows no console line of more than ${MAX_COLUMNS} characters`, (page) => {
  expect(consoleLines(page).filter((line) => line.length > MAX_COLUMNS)).toEqual([]);
});
