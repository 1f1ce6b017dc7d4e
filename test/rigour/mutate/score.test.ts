import type { Verdict } from './mutant.js';
import { commandOf, resultOf, type Summary } from './result-of.js';
import { intervalOf } from './score.js';

const SELECTION = { since: undefined, files: [], sample: undefined, seed: 1, patienceS: 120 };

function verdictsOf(...fates: Verdict['fate'][]): Verdict[] {
  return fates.map((fate, index) => ({
    fate,
    durationMs: 1_000,
    mutant: {
      ...{ id: index + 1, file: 'src/store/example.ts', line: index + 1, nth: 1 },
      ...{ before: 'a < b', after: 'a <= b', code: 'return a < b;' },
    },
  }));
}

function summaryOf(verdicts: Verdict[], more: Partial<Summary> = {}): Summary {
  return {
    verdicts,
    reasons: new Map(),
    ...{ mutantCount: 1_000, testCount: 10, unusable: 2, needOthers: 1 },
    selection: SELECTION,
    isAgain: false,
    ...more,
  };
}

function figureOf(summary: Summary, name: string) {
  return resultOf(summary).figures.find((figure) => figure.name === name);
}

test.each([
  [140, 145, 92.2, 98.5],
  [0, 10, 0, 27.8],
  [10, 10, 72.2, 100],
])('%i of %i may be from %d to %d percent of the whole', (part, whole, least, most) => {
  const bounds = intervalOf(part, whole).map((bound) => Math.round(bound * 1000) / 10);
  expect(bounds).toEqual([least, most]);
});

test('a sample has an interval beside its share, and is held against the bound by its share', () => {
  const verdicts = verdictsOf(...Array.from({ length: 9 }, () => 'killed' as const), 'survived');
  const selection = { ...SELECTION, sample: 10 };
  expect(figureOf(summaryOf(verdicts, { selection }), 'noticed in all')).toEqual({
    name: 'noticed in all',
    value: '90.0 % (9 of 10; 0 equal); 95 % interval: 59.6 to 98.2 %',
    bound: '≥ 90 %',
    isWithin: true,
  });
  expect(figureOf(summaryOf(verdicts), 'noticed in all')?.value).toBe('90.0 % (9 of 10; 0 equal)');
});

test('failed tests are counted apart from timeouts and crashes', () => {
  const summary = summaryOf(verdictsOf('killed', 'killed', 'timed out', 'survived'));
  expect(figureOf(summary, 'noticed by a test that failed')?.value).toBe('2');
  expect(figureOf(summary, 'noticed by a timeout, a loop or a crash')?.value).toBe('1');
});

test('a reason that a test disproves is out of bounds', () => {
  const reasons = new Map([[1, 'Nobody can tell.']]);
  const name = 'reasons that a test disproves';
  expect(figureOf(summaryOf(verdictsOf('killed'), { reasons }), name)).toMatchObject({
    value: '1',
    isWithin: false,
  });
  expect(figureOf(summaryOf(verdictsOf('survived'), { reasons }), name)?.isWithin).toBe(true);
});

test('what is not promised is listed apart from what is equal', () => {
  const reasons = new Map([
    [1, 'Nobody can tell.'],
    [2, 'Not promised: the ids.'],
  ]);
  const summary = summaryOf(verdictsOf('survived', 'survived', 'survived', 'killed'), { reasons });
  expect(resultOf(summary).listings.map(({ rows }) => rows.map((row) => row.at(-1)))).toEqual([
    ['survived'],
    ['Nobody can tell.'],
    ['Not promised: the ids.'],
  ]);
  expect(figureOf(summary, 'noticed in all')?.value).toBe(
    '50.0 % (1 of 2; 1 equal; 1 not promised)',
  );
});

test('the command repeats the run', () => {
  const selection = {
    ...{ since: 'main', files: ['src/store', 'src/billing'] },
    ...{ sample: 20, seed: 3, patienceS: 30 },
  };
  const first =
    'npm run mutate -- --since main --files src/store --files src/billing --sample 20 --seed 3 --patience 30';
  expect(commandOf({ selection, isAgain: false })).toBe(first);
  expect(commandOf({ selection, isAgain: true })).toBe(`${first}; npm run mutate -- --again`);
  expect(commandOf({ selection: SELECTION, isAgain: false })).toBe('npm run mutate');
});

test('the limits say how many tests were not used', () => {
  expect(resultOf(summaryOf(verdictsOf('killed'))).limits).toContain(
    'Tests, or files of tests, that were not used because they fail without a mutant: 2; because they fail without others of their file: 1.',
  );
});
