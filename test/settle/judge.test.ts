import type { DecisionId } from '../../src/index.js';
import { type Expected, judge, type Question } from '../../src/tools/settle/judge.js';
import { extremeOf, rivalOf } from '../../src/tools/settle/known-records.js';
import type { Hypothesis } from '../../src/tools/settle/model.js';
import { type Seen, UNCLEAR, type View } from '../../src/tools/settle/views.js';
import { sample } from '../support/settle.js';

let requests = 0;

/** A sample with this view; each is of another request, and in another turn unless one is given. */
function seen(view: Partial<View>, turn = requests): Seen {
  requests += 1;
  const asked = { operationId: 'getCustomer', path: { customerId: `c${requests}` } } as const;
  const shown: View = { kind: 'ok', status: 200, parts: {}, records: [], ...view };
  return { ...sample(asked, shown.status), view: shown, print: JSON.stringify(shown.parts), turn };
}

const shows = (records: string, more: object = {}) => seen({ parts: { records, ...more } });
const refused = (status = 400, turn?: number) => seen({ kind: 'refused', status }, turn);
const ok = (records: string, more: object = {}): Expected => ({
  kind: 'ok',
  parts: { records, ...more },
});
const refusal: Expected = { kind: 'refused', status: 400 };

const ID: DecisionId = 'unmatched-refs';
const OTHER: DecisionId = 'unknown-body-members';

/** What each value predicts for the samples, in turn. */
type Predictions = Readonly<Record<string, readonly Expected[]>>;

/** The verdict on a decision, given what its two values predict. */
async function verdictOf(
  samples: readonly Seen[],
  predictions: Predictions | ((hypothesis: Hypothesis) => readonly Expected[]),
  more: Partial<Question> = {},
  id = ID,
) {
  const found = await judge({
    ...{ ids: [id], parts: ['records'], samples },
    isFlaky: () => false,
    isRefusedAs: (status, one) => status === one.view.status,
    predict: async (hypothesis) =>
      typeof predictions === 'function'
        ? predictions(hypothesis)
        : (predictions[String(hypothesis[id])] ?? []),
    ...more,
  });
  const { verdict, value } = found.get(id) ?? {};
  return value ?? verdict;
}

/** Each value predicts a response of its own for every one of so many samples. */
const distinct = (count: number): Predictions => ({
  ignore: Array(count).fill(ok('a')),
  'not-found': Array(count).fill(ok('b')),
});

describe('a value is settled', () => {
  test('if it explains the data that the other excludes', async () => {
    expect(await verdictOf([shows('a')], distinct(1))).toBe('ignore');
    expect(await verdictOf([shows('b')], distinct(1))).toBe('not-found');
  });

  test('by a refusal only if it comes twice, and by a success at once', async () => {
    const predictions = { ignore: [ok('a'), ok('a')], 'not-found': [refusal, refusal] };
    expect(await verdictOf([refused()], predictions)).toBe('undecided');
    expect(await verdictOf([refused(), refused()], predictions)).toBe('not-found');
    expect(await verdictOf([shows('a')], predictions)).toBe('ignore');
  });

  test('by two refusals only if something was accepted between them', async () => {
    const predictions = { ignore: [ok('a'), ok('a')], 'not-found': [refusal, refusal] };
    expect(await verdictOf([refused(400, 1), refused(400, 1)], predictions)).toBe('undecided');
    expect(await verdictOf([refused(400, 1), refused(400, 2)], predictions)).toBe('not-found');
  });

  test('only if every response that it influences matches it in every part', async () => {
    for (const view of [{ kind: 'lost' }, { kind: 'wall' }, { kind: 'odd' }] as const) {
      expect(await verdictOf([shows('a'), seen(view)], distinct(2))).toBe('undecided');
    }
    const parts = { parts: ['records', 'total'] };
    const predictions = { ignore: [ok('a', { total: '1' })], 'not-found': [ok('b')] };
    expect(await verdictOf([shows('a', { total: '1' })], predictions, parts)).toBe('ignore');
    expect(await verdictOf([shows('a', { total: '"1"' })], predictions, parts)).not.toBe('ignore');
    expect(await verdictOf([shows('a', { total: UNCLEAR })], predictions, parts)).toBe('undecided');
  });

  test('only if all kinds of requests that it is about were sent', async () => {
    const samples = [shows('a'), shows('a')];
    const more = { needs: { [ID]: 2 } };
    const facetOf = (_: DecisionId, one: Seen) => String(samples.indexOf(one));
    expect(await verdictOf(samples, distinct(2), { ...more, facetOf })).toBe('ignore');
    expect(await verdictOf(samples, distinct(2), { ...more, facetOf: () => 'x' })).toBe(
      'undecided',
    );
  });

  test('only by a response that proves it, not by one that a delay could explain', async () => {
    const facetOf = (_: DecisionId, __: Seen, value: unknown) =>
      value === 'ignore' ? undefined : 'x';
    expect(await verdictOf([shows('a')], distinct(1), { facetOf })).toBe('undecided');
    expect(await verdictOf([shows('b')], distinct(1), { facetOf })).toBe('not-found');
  });

  test('only if each request always gets the same response', async () => {
    expect(await verdictOf([shows('a')], distinct(1), { isFlaky: () => true })).toBe('undecided');
  });

  test('only if the model can hold the records', async () => {
    const predictions = { ignore: [ok('a'), undefined], 'not-found': [ok('b'), undefined] };
    expect(await verdictOf([shows('a'), shows('a')], predictions, { isWhole: true })).toBe(
      'undecided',
    );
  });
});

describe('a listing that may be like a plain one', () => {
  const alike = (isTelling: boolean, prints: readonly string[], isSteady = true): Predictions => ({
    ignore: [{ kind: 'alike', prints, isTelling, isSteady }],
    'not-found': [refusal],
  });
  const PRINT = JSON.stringify({ records: 'a' });

  test('is like it if the responses before and after are its own', async () => {
    expect(await verdictOf([shows('a')], alike(true, [PRINT, PRINT]))).toBe('ignore');
    expect(await verdictOf([shows('b')], alike(true, [PRINT, PRINT]))).toBe('none');
  });

  test('tells nothing if these changed, or if the service shows no difference there', async () => {
    expect(await verdictOf([shows('a')], alike(true, [PRINT, '[]']))).toBe('undecided');
    expect(await verdictOf([shows('a')], alike(false, [PRINT, PRINT]))).toBe('undecided');
    expect(await verdictOf([shows('b')], alike(true, [PRINT, PRINT], false))).toBe('undecided');
  });
});

describe('no value is right', () => {
  test('if data refute each in responses that another explains', async () => {
    expect(await verdictOf([shows('a'), shows('b')], distinct(2))).toBe('none');
  });

  test('but refusals never show that', async () => {
    const predictions = { ignore: [ok('a'), ok('a')], 'not-found': [refusal, ok('b')] };
    expect(await verdictOf([refused(404), refused(404)], predictions)).toBe('undecided');
  });

  test('if all other parts of the responses are explained', async () => {
    const more = { ids: [ID, OTHER], owned: { [OTHER]: 'status' }, parts: ['records', 'status'] };
    const predict = (hypothesis: Hypothesis) => [
      ok(`${hypothesis[ID]}`, { status: `${hypothesis[OTHER]}` }),
    ];
    const told = (records: string) =>
      verdictOf([shows(records, { status: 'odd' })], predict, more, OTHER);
    expect(await told('ignore')).toBe('none');
    expect(await told('odd')).toBe('undecided');
  });

  test('but what follows a response that nobody explains never shows that, in a sequence', async () => {
    const more = { ids: [ID, OTHER], isInSequence: true };
    const samples = [shows('odd'), shows('a'), shows('b')];
    const predict = (hypothesis: Hypothesis) => {
      const records = hypothesis[ID] === 'ignore' ? 'a' : 'b';
      return [ok(`${hypothesis[OTHER]}`), ok(records), ok(records)];
    };
    expect(await verdictOf(samples, predict, { ...more, isInSequence: false })).toBe('none');
    expect(await verdictOf(samples, predict, more)).toBe('undecided');
    expect(await verdictOf([seen({ kind: 'odd' }), ...samples.slice(1)], predict, more)).toBe(
      'undecided',
    );
  });

  test('but a request that may mean another thing to the service never shows that', async () => {
    expect(await verdictOf([shows('odd')], distinct(1))).toBe('none');
    expect(await verdictOf([shows('odd')], distinct(1), { isAmbiguous: () => true })).toBe(
      'undecided',
    );
  });

  test('and what nobody explains is held against nobody if other decisions may be to blame', async () => {
    const more = { ids: [ID, OTHER] };
    const isDefault = (hypothesis: Hypothesis) =>
      ok(`${hypothesis[ID] === 'ignore'} ${hypothesis[OTHER] === 'ignore'}`);
    const predict = (hypothesis: Hypothesis) => [isDefault(hypothesis)];
    expect(await verdictOf([shows('odd')], predict)).toBe('none');
    expect(await verdictOf([shows('odd')], predict, more)).toBe('undecided');
  });
});

describe('decisions that influence the same responses', () => {
  const more: Partial<Question> = { ids: [ID, OTHER] };

  test('are searched together, each value with the others at their best', async () => {
    const predict = (hypothesis: Hypothesis) => {
      const isSame = (hypothesis[ID] === 'ignore') === (hypothesis[OTHER] === 'ignore');
      return [ok(isSame ? 'same' : 'other'), ok(`${hypothesis[OTHER]}`)];
    };
    const samples = [shows('other'), shows('reject')];
    expect(await verdictOf(samples, predict, more)).toBe('ignore');
    expect(await verdictOf(samples, predict, more, OTHER)).toBe('reject');
  });

  test('tell nothing of a part where no value explains the rest', async () => {
    const owned: Partial<Question> = {
      ...{ ids: [ID, OTHER], owned: { [OTHER]: 'status' }, isWhole: true },
      parts: ['records', 'status'],
    };
    const predict = (hypothesis: Hypothesis) => [
      ok(`${hypothesis[ID]}`, { status: `${hypothesis[OTHER]}` }),
    ];
    const told = (records: string) =>
      verdictOf([shows(records, { status: 'reject' })], predict, owned, OTHER);
    expect(await told('ignore')).toBe('reject');
    expect(await told('odd')).toBe('undecided');
  });

  test('are named with the response that keeps them open', async () => {
    const samples = [shows('odd')];
    const found = await judge({
      ...{ ids: [ID, OTHER], parts: ['records'], samples, isWhole: true },
      isFlaky: () => false,
      isRefusedAs: () => false,
      predict: async (hypothesis) => [ok(`${hypothesis[ID]} ${hypothesis[OTHER]}`)],
    });
    expect([...found].map(([id, { unexplained }]) => [id, unexplained])).toEqual([
      [ID, samples],
      [OTHER, samples],
    ]);
  });
});

describe('an order or a choice proves little', () => {
  const records = [1, 2, 3].map((at) => ({
    id: `${4 - at}`,
    at,
    seen: `2025-01-0${at}T00:00:00Z`,
  }));

  test('if the records are also in the order of another field', () => {
    expect(rivalOf(records, ['id'])).toBe('at');
    expect(rivalOf(records, ['id', 'at', 'seen'])).toBeUndefined();
    expect(rivalOf([{ at: 1 }, { at: 1 }], [])).toBeUndefined();
  });

  test('unless the other field tells them apart only below a millisecond, the other way', () => {
    const close = [3, 1, 2].map((digit) => ({ seen: `2025-01-01T00:00:00.000${digit}Z` }));
    const [first = {}, ...others] = close;
    expect(rivalOf(close, [])).toBeUndefined();
    expect(
      rivalOf(
        close.toSorted((one, other) => (one.seen < other.seen ? -1 : 1)),
        [],
      ),
    ).toBe('seen');
    expect(extremeOf(first, others, [])).toBe('seen');
    expect(extremeOf(close[2] ?? {}, close.slice(0, 2), [])).toBeUndefined();
  });

  test('if the record that was chosen is also extreme in another field', () => {
    const [first = {}, ...others] = records;
    expect(extremeOf(first, others, ['id'])).toBe('at');
    expect(extremeOf(first, others, ['id', 'at', 'seen'])).toBeUndefined();
  });
});
