import {
  isRandom,
  randomLike,
  randomLookupLike,
  withOneLetterChanged,
  zerosLike,
} from '../../src/tools/settle/seen/made-up-values.js';

describe('a random value', () => {
  test.each([
    ['65a000000000000000000001', /^[\da-f]{24}$/],
    [
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-9[\da-f]{3}-[\da-f]{12}$/,
    ],
    ['cus_01HZX3J4Q5ABCDEFGHJKMNPQRS', /^cus_[\dA-Z]{26}$/],
    ['0015g00000XyZabAAF', /^[\dA-Za-z]{18}$/],
  ])('in the form of %s is another one for each seed, and is known again', (known, form) => {
    const made = ['one', 'other', 'third'].map((seed) => String(randomLike(known, seed)));
    expect(new Set(made).size).toBe(3);
    for (const one of made) expect(one).toMatch(form);
    expect(made.map((one) => isRandom(one))).toEqual([true, true, true]);
    expect(isRandom(known)).toBe(false);
  });

  test('is not made up for a short one, and a longer one is for what is only looked up', () => {
    expect(randomLike('cus_1a', 'seed')).toBeUndefined();
    expect(randomLookupLike('cus_1a', 'seed')).toMatch(/^cus_[\da-f]{16,}$/);
    expect(isRandom(String(randomLookupLike('7', 'seed')))).toBe(true);
  });
});

test.each([
  ['cus_01HZX3J4Q5', 'cus_0000000000'],
  ['65a000000000000000000001', '000000000000000000000000'],
  [undefined, '000000000000000000000000'],
])('zeros in the form of %s have its prefix', (known, made) => {
  expect(zerosLike(known)).toBe(made);
});

test.each([
  ['eyJvZmZzZXQiOjJ9', 'eyJvZmZzQXQiOjJ9'],
  ['c-10', 'c-70'],
  ['c-7', 'Q-7'],
  ['--', undefined],
])('of the cursor %s, one letter in its first half is changed', (cursor, changed) => {
  expect(withOneLetterChanged(cursor)).toBe(changed);
});
