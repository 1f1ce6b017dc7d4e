import { existsSync, readFileSync } from 'node:fs';
import { type EqualMutant, readEqualMutants, reasonsOf } from './equal-mutants.js';
import { instrument } from './instrument.js';

const EXAMPLE = 'const example = (a = () => false, b = false) => [a, b];';
const { mutants } = instrument('example.ts', EXAMPLE, 1);
const ENTRY: EqualMutant = {
  file: 'example.ts',
  code: EXAMPLE,
  before: 'false',
  after: 'true',
  reason: 'An example.',
};

test('every reason excuses exactly one mutant of the code as it is', () => {
  const entries = readEqualMutants();
  const files = [...new Set(entries.map(({ file }) => file))].filter((file) => existsSync(file));
  const all = files.flatMap((file) => instrument(file, readFileSync(file, 'utf8'), 1).mutants);
  expect(entries.length).toBeGreaterThan(0);
  expect(reasonsOf(entries, all).mistakes).toEqual([]);
});

test('a reason without a number excuses none of two mutants with the same text', () => {
  expect(reasonsOf([ENTRY], mutants)).toEqual({
    reasons: new Map(),
    mistakes: [expect.stringContaining("2 mutants of example.ts are 'false' → 'true'")],
  });
});

test('a reason with a number excuses the mutant with that number', () => {
  const numbered = mutants.filter(({ before, after }) => before === 'false' && after === 'true');
  expect(numbered.map(({ nth }) => nth)).toEqual([1, 2]);
  const { reasons, mistakes } = reasonsOf([{ ...ENTRY, nth: 2 }], mutants);
  expect([[...reasons.keys()], mistakes]).toEqual([[numbered[1]?.id], []]);
});

test('a reason of a mutant that is gone is named', () => {
  const { mistakes } = reasonsOf([{ ...ENTRY, code: 'const gone = false;' }], mutants);
  expect(mistakes).toEqual([
    "equal-mutants.json: 0 mutants of example.ts are 'false' → 'true' in 'const gone = false;'; expected 1.",
  ]);
});
