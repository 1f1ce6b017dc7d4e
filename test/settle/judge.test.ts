import type { DecisionId } from '../../src/index.js';
import { extremeOf, rivalOf } from '../../src/tools/settle/judge/known-records.js';
import type { Hypothesis } from '../../src/tools/settle/judge/model.js';
import { ask, type Expected, type Question } from '../../src/tools/settle/judge/predict.js';
import { conclude, joined, type Row, type Table } from '../../src/tools/settle/judge/table.js';
import { type Seen, UNCLEAR, type View } from '../../src/tools/settle/judge/views.js';
import { sample } from '../support/settle.js';

const ID: DecisionId = 'unmatched-refs';
const OTHER: DecisionId = 'unknown-body-members';

let requests = 0;

/** A sample with this view; each is of another request, and in another turn unless one is given. */
function seen(view: Partial<View>, turn = requests): Seen {
  requests += 1;
  const asked = { operationId: 'getCustomer', path: { customerId: `c${requests}` } } as const;
  const shown: View = { kind: 'ok', status: 200, parts: {}, records: [], ...view };
  return { ...sample(asked, shown.status), view: shown, print: JSON.stringify(shown.parts), turn };
}

/** What a table with these cells of two values tells. */
function told(cells: readonly Row['cells'][], more: Partial<Row> = {}, of: Partial<Table> = {}) {
  const rows = cells.map((row) => ({ seen: seen({}), cells: row, isSure: true, ...more }));
  const { verdict, value } = conclude(ID, { rows, ...of });
  return value ?? verdict;
}

describe('a table of samples and values', () => {
  test('settles the value that no sample speaks against', () => {
    expect(told([['match', 'miss']])).toBe('ignore');
    expect(told([['miss', 'match']])).toBe('not-found');
    expect(told([])).toBe('unseen');
    expect(told([['match', 'match']])).toBe('unseen');
  });

  test('refutes a value by one success, or by two refusals that are not in a row', () => {
    expect(told([['less', 'match']])).toBe('undecided');
    expect(told(Array(2).fill(['less', 'match']))).toBe('not-found');
    const { seen: same } = { seen: seen({}) };
    expect(told(Array(2).fill(['less', 'match']), { seen: same })).toBe('undecided');
  });

  test('has no value if data speak against each, but not if refusals do', () => {
    const both = [
      ['match', 'miss'],
      ['miss', 'match'],
    ] as const;
    expect(told(both)).toBe('none');
    expect(told(both, { isSure: false })).toBe('undecided');
    expect(told([...both, ['less', 'less']])).toBe('undecided');
    expect(told(both, {}, { open: 'Why.' })).toBe('undecided');
  });

  test('stays open for what keeps it open, for what nobody explains, and for a doubt', () => {
    const row = [['match', 'miss']] as const;
    expect(told([...row, ['miss', 'miss']])).toBe('none');
    expect(told([...row, ['miss', 'miss']], { isSure: false })).toBe('undecided');
    expect(told(row, { blocks: 'it' })).toBe('undecided');
    expect(told(row, {}, { open: 'Why.' })).toBe('undecided');
    expect(told(row, {}, { doubt: (value) => value === 'ignore' && 'Why.' })).toBe('undecided');
    expect(told(row, {}, { doubt: (value) => value === 'not-found' && 'Why.' })).toBe('ignore');
  });

  test('tells of what no value predicts, unless a form alone is compared', () => {
    const rows = [{ seen: seen({}), cells: ['miss', 'miss'] as const, isTelling: true }];
    expect(conclude(ID, { rows }).unexplained).toHaveLength(1);
    const ofForm = conclude(ID, { rows, isOfForm: true });
    expect(ofForm).toMatchObject({ verdict: 'undecided', unexplained: [] });
  });

  test('takes as many kinds of samples as the decision is about', () => {
    const table = (...kinds: readonly string[]): Table => ({
      needs: 2,
      rows: kinds.map((kind) => ({ seen: seen({}), cells: ['match', 'miss'], kind })),
    });
    expect(conclude(ID, table('a', 'b')).value).toBe('ignore');
    expect(conclude(ID, table('a')).value).toBeUndefined();
    expect(conclude(ID, table('a', 'a')).value).toBeUndefined();
  });

  test('is one for all that is asked about a decision', () => {
    const row = (cells: Row['cells']) => ({ rows: [{ seen: seen({}), cells, isSure: true }] });
    const tables = joined([
      [ID, { ...row(['match', 'miss']), open: 'Why.' }],
      [ID, row(['miss', 'match'])],
    ]);
    expect(tables.get(ID)).toMatchObject({ rows: [{}, {}], open: 'Why.' });
  });
});

/** The verdicts on decisions, given what the model responds to the samples. */
async function verdictsOf(
  parts: Question['parts'],
  samples: readonly Seen[],
  predict: (hypothesis: Hypothesis) => readonly Expected[],
  more: Partial<Question> = {},
) {
  const tables = await ask({
    ...{ parts, samples, isFlaky: () => false },
    isRefusedAs: (status, one) => status === one.view.status,
    predict: async (hypothesis) => predict(hypothesis),
    ...more,
  });
  return tables.map(([id, table]) => {
    const { verdict, value } = conclude(id, table);
    return value ?? verdict;
  });
}

const shows = (records: string, more: object = {}) => seen({ parts: { records, ...more } });
const ok = (records: string, more: object = {}): Expected => ({
  ...{ kind: 'ok', status: 200, parts: { records, ...more } },
});

describe('the model is asked under each value', () => {
  const one = { [ID]: ['records'] };
  const byValue = (hypothesis: Hypothesis) => [ok(`${hypothesis[ID]}`), ok(`${hypothesis[ID]}`)];

  test('and the service matches one in every part, or none', async () => {
    expect(await verdictsOf(one, [shows('ignore')], byValue)).toEqual(['ignore']);
    expect(await verdictsOf(one, [shows('odd')], byValue)).toEqual(['none']);
    for (const view of [{ kind: 'lost' }, { kind: 'wall' }, { kind: 'odd' }] as const) {
      const samples = [shows('ignore'), seen(view)];
      expect(await verdictsOf(one, samples, byValue)).toEqual(['undecided']);
    }
    expect(await verdictsOf(one, [shows(UNCLEAR)], byValue)).toEqual(['undecided']);
    const flaky = { isFlaky: () => true };
    expect(await verdictsOf(one, [shows('ignore')], byValue, flaky)).toEqual(['undecided']);
    expect(await verdictsOf(one, [shows('ignore')], () => [])).toEqual(['undecided']);
  });

  test('of decisions that share a part, each with the other at its best', async () => {
    const both = { [ID]: ['records'], [OTHER]: ['records'] };
    const predict = (hypothesis: Hypothesis) => {
      const isSame = (hypothesis[ID] === 'ignore') === (hypothesis[OTHER] === 'ignore');
      return [ok(isSame ? 'same' : 'other'), ok(`${hypothesis[OTHER]}`)];
    };
    const samples = [shows('other'), shows('reject')];
    expect(await verdictsOf(both, samples, predict)).toEqual(['ignore', 'reject']);
    // Nobody knows which of them is to blame.
    const odd = [shows('odd'), shows('reject')];
    expect(await verdictsOf(both, odd, predict)).toEqual(['undecided', 'undecided']);
  });

  test('of a part, which tells nothing where no value explains the rest', async () => {
    const owned = { [ID]: ['records'], [OTHER]: 'status' };
    const predict = (hypothesis: Hypothesis) => [
      ok(`${hypothesis[ID]}`, { status: `${hypothesis[OTHER]}` }),
    ];
    const asked = async (records: string, status: string) =>
      (await verdictsOf(owned, [shows(records, { status })], predict))[1];
    expect(await asked('ignore', 'reject')).toBe('reject');
    expect(await asked('odd', 'reject')).toBe('undecided');
    expect(await asked('ignore', 'odd')).toBe('none');
    expect(await asked('odd', 'odd')).toBe('undecided');
  });

  test('but behind a response that nobody explains, nobody knows what was done', async () => {
    const samples = [shows('odd'), shows('ignore'), shows('not-found')];
    const both = { [ID]: ['records'], [OTHER]: ['records'] };
    const predict = (hypothesis: Hypothesis) => [
      ok(`${hypothesis[OTHER]}`),
      ...byValue(hypothesis),
    ];
    const asked = async (isInSequence: boolean) =>
      (await verdictsOf(both, samples, predict, { isInSequence }))[0];
    expect([await asked(false), await asked(true)]).toEqual(['none', 'undecided']);
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
