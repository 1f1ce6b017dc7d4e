import { scoreOf } from './result-of.js';
import { type EqualMutant, mistakesIn, type Report, verdictsOf } from './verdicts.js';

const FILE = 'src/core/store/example.ts';
const SOURCE = 'export const example = (a: number) =>\n  a < 2;\n';

/** A report with mutants of `a < 2`, by their replacement. */
function reportOf(statuses: Readonly<Record<string, string>>): Report {
  const location = { start: { line: 2, column: 3 }, end: { line: 2, column: 8 } };
  const mutants = Object.entries(statuses).map(([replacement, status]) => ({
    location,
    replacement,
    status,
  }));
  return { files: { [FILE]: { source: SOURCE, mutants } } };
}

const equal = (after: string): EqualMutant => ({
  file: FILE,
  code: 'a < 2;',
  before: 'a < 2',
  after,
  reason: 'It is never 2.',
});

const report = reportOf({ true: 'Killed', 'a <= 2': 'Survived', false: 'Ignored' });

test('knows a mutant by the text that it replaces, and leaves out those that were not tried', () => {
  expect(verdictsOf(report, [])).toEqual([
    expect.objectContaining({ before: 'a < 2', after: 'true', line: 2, isNoticed: true }),
    expect.objectContaining({ code: 'a < 2;', after: 'a <= 2', isNoticed: false }),
  ]);
});

test('counts a mutant with a reason neither way', () => {
  expect(scoreOf('all', verdictsOf(report, []))).toMatchObject({ isWithin: false });
  expect(scoreOf('all', verdictsOf(report, [equal('a <= 2')]))).toMatchObject({
    value: '100.0 % (1 of 1; 1 equal)',
    isWithin: true,
  });
});

test.each([
  ['is kept where no test notices the mutant', 'a <= 2', true, 0],
  ['is wrong where a test notices the mutant', 'true', true, 1],
  ['is wrong where there is no such mutant', 'a > 2', true, 1],
  ['is kept where only a part of the file was tried', 'a > 2', false, 0],
])('a reason %s', (_what, after, isWhole, count) => {
  const reasons = [equal(after)];
  expect(mistakesIn(reasons, verdictsOf(report, reasons), () => isWhole)).toHaveLength(count);
});
