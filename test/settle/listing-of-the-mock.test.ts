import { DEFAULT_DECISIONS, type DecisionId, LEDGER } from '../../src/decisions/ledger.js';
import { inShort, probeMock, verdictOn } from '../support/settle.js';

/** What the probes of the listing settle. */
const SETTLED = [
  ...([
    'measurement-order',
    'total-counts',
    'last-page',
    'final-cursor',
    'invalid-cursor',
  ] as const),
  ...(['empty-parameter', 'fractional-limit', 'limit-out-of-bounds'] as const),
  ...(['unknown-query-parameters', 'invalid-request-status', 'error-body'] as const),
];

const ALTERNATIVES = (Object.keys(LEDGER) as DecisionId[]).flatMap((id) =>
  Object.keys(LEDGER[id].values)
    .filter((value) => value !== String(LEDGER[id].default))
    .map((value) => [id, value] as const),
);

describe('the listing of a mock', () => {
  test.each(ALTERNATIVES)(
    'with %s=%s is told as it is, and no other decision is',
    async (id, value) => {
      const exchanges = await probeMock({ [id]: value });
      const verdicts = Object.fromEntries(
        SETTLED.map((decision) => [decision, inShort(verdictOn(decision, exchanges))]),
      );
      const expected = Object.fromEntries(
        SETTLED.map((decision) => {
          const settled = `settled ${DEFAULT_DECISIONS[decision]}`;
          // Without fields there is nothing to be ordered by.
          const isOpen = decision === 'measurement-order' && value === 'absent';
          return [decision, isOpen && id === 'optional-fields' ? 'undecided' : settled];
        }),
      );
      expect(verdicts).toEqual({
        ...expected,
        ...(id in expected && { [id]: `settled ${value}` }),
      });
      expect(inShort(verdictOn('cursor-lifetime', exchanges))).toBe('undecided');
    },
  );

  test.each(SETTLED)('is asked only what tells %s, and it is told', async (id) => {
    for (const value of Object.keys(LEDGER[id].values)) {
      const exchanges = await probeMock({ [id]: value }, [id]);
      expect(inShort(verdictOn(id, exchanges))).toBe(`settled ${value}`);
    }
  });

  test('is read with at most twenty requests, each of them a GET on contract', async () => {
    const exchanges = await probeMock({});
    expect(exchanges.length).toBeLessThanOrEqual(20);
    expect(new Set(exchanges.map(({ call }) => call.operationId))).toEqual(
      new Set(['listMeasurements']),
    );
  });
});
