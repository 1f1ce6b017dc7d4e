import { PAGES, textOf } from '../support/pages.js';

/** How many words the README and docs/ may have together. */
const MAX_WORDS = 13_500;

/** The words of a text, without the lines and bars of tables. */
function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{Letter}\p{Number}]/u.test(word));
}

test(`the README and docs/ have at most ${MAX_WORDS} words`, () => {
  const pages = PAGES.filter((page) => /^(README\.md$|docs\/)/.test(page));
  const words = pages.flatMap((page) => wordsOf(textOf(page)));
  expect(words.length).toBeGreaterThan(5_000);
  expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
});
