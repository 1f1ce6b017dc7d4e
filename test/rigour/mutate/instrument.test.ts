import { transformSync } from 'esbuild';
import { instrument } from './instrument.js';

/** What each mutant of a function makes of these arguments, by what it replaces with what. */
function resultsOf(text: string, ...args: readonly unknown[]): Record<string, unknown> {
  const { mutants, code } = instrument('example.ts', text, 1);
  const compiled = transformSync(code, { loader: 'ts', target: 'es2022' }).code;
  const resultWith = (active: number) => {
    const run = new Function('globalThis', 'args', `${compiled}; return example(...args);`);
    try {
      return run({ __isMutant: (id: number) => id === active }, args);
    } catch {
      return 'thrown';
    }
  };
  return {
    '': resultWith(0),
    ...Object.fromEntries(
      mutants.map(({ id, before, after }) => [`${before} → ${after}`, resultWith(id)]),
    ),
  };
}

test.each([
  ['const example = (a: number) => a < 2;', [2], { '': false, 'a < 2 → a <= 2': true }],
  ['const example = (a: number) => a + 1;', [2], { '': 3, 'a + 1 → a - 1': 1 }],
  [
    'const example = (a?: { b: string }) => a?.b.trim();',
    [undefined],
    { '': undefined, 'a?.b.trim() → a.b.trim()': 'thrown', 'a?.b.trim() → a?.b': undefined },
  ],
  [
    'function example(a: boolean) { if (!a) { return "no"; } return "yes"; }',
    [true],
    { '': 'yes', '!a → true': 'no', '!a → a': 'no', '"yes" → \'\'': '' },
  ],
  [
    'function example(a: number) { let b = [a]; [b] = [[a, a]]; return b.length; }',
    [1],
    { '': 2, '[[a, a]] → []': 'thrown', '[a, a] → []': 0 },
  ],
  [
    'const example = (a: string) => /^\\d+$/.test(a);',
    ['a1'],
    { '': false, '/^\\d+$/ → /\\d+$/': true, '/^\\d+$/ → /^\\d$/': false },
  ],
])('%s, a change at a time', (text, args, expected) => {
  expect(resultsOf(text, ...args)).toMatchObject(expected);
});

test('leaves types, numbers and words with a blank alone', () => {
  const text = 'const example = (a: "b" | "c") => [a as "c", 1, "for people"].length;';
  const { mutants } = instrument('example.ts', text, 1);
  expect(mutants.map(({ after }) => after)).toEqual(['undefined', '[]']);
});
