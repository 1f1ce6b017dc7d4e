import { LEDGER, type LedgerRow } from '../../src/core/decisions/ledger.js';
import {
  createMockServer,
  type DecisionId,
  type MockServer,
  type SettleReport,
  settle,
} from '../../src/index.js';
import { codeIn, tableOf } from '../support/pages.js';

const ROWS = Object.entries<LedgerRow>(LEDGER) as [DecisionId, LedgerRow][];

/** Every value of every decision except defaults, which a mock without switches has. */
const ALTERNATIVES = ROWS.flatMap(([decision, { values, default: byDefault }]) =>
  Object.keys(values)
    .filter((value) => value !== String(byDefault))
    .map((value) => [decision, typeof byDefault === 'number' ? Number(value) : value] as const),
);

/** What may be deleted: hand-written records of the dataset `default`. */
const SCRATCH = {
  allowWrites: true,
  scratchContracts: ['65b000000000000000000001', '65b000000000000000000002'],
  scratchRefs: ['acme-2026-03-31-001', 'acme-2026-03-31-002', 'globex-march'],
};

/** What the page promises: the values of a decision that each way of asking settles. */
const TOLD = new Map(
  tableOf('docs/settle.md', 'decision').flatMap(([decisions = '', values = '', by = '']) => {
    const reading = by.startsWith('GET') ? values : 'no value';
    const deleting = by === 'GET alone' ? 'no value' : values;
    return codeIn(decisions).map((decision) => [decision, { reading, deleting }] as const);
  }),
);

/** The decisions that only deletions settle; a listing of few records shows little. */
const TOLD_BY_DELETING = [...TOLD].filter(
  ([, { reading, deleting }]) => reading === 'no value' && deleting === 'every value',
);

/** The decisions that GET alone settles, and the last value of each. */
const READABLE = ALTERNATIVES.filter(([id]) => TOLD.get(id)?.reading !== 'no value');
const LAST_OF_EACH = READABLE.filter(
  ([id], index) => READABLE[index + 1]?.[0] !== id && TOLD.get(id)?.reading === 'every value',
);

const servers = new Map<string, Promise<MockServer>>();
let opened = 0;

afterAll(async () => {
  for (const server of servers.values()) await (await server).stop();
});

/** Checks a mock with this value of the decision. */
async function ask(
  [decision, value]: readonly [DecisionId, string | number],
  dataset: string,
  options: object = {},
): Promise<SettleReport & { readonly methods: ReadonlySet<string> }> {
  // Refused tokens reach no account, so their responses are switched for the server.
  const isOfServer = ['unauthorized-status', 'unknown-token', 'error-body'].includes(decision);
  const decisions = isOfServer ? { [decision]: value } : {};
  const server = await startedMock(dataset, decisions);
  opened += 1;
  const token = isOfServer ? 'declared' : `account-${opened}`;
  const account = server.account(token);
  account.reset();
  if (!isOfServer) account.decisions.change({ [decision]: value });
  const report = await settle({ target: server.url, token, rate: 1000, ...options });
  return { ...report, methods: new Set(account.journal.list().map(({ method }) => method)) };
}

function startedMock(dataset: string, decisions: object): Promise<MockServer> {
  const key = JSON.stringify([dataset, decisions]);
  const starting =
    servers.get(key) ??
    createMockServer({ dataset, decisions, accounts: { declared: {} } }).then(async (server) => {
      await server.start();
      return server;
    });
  servers.set(key, starting);
  return starting;
}

/** The settled values that differ from the defaults, by decision. */
function settledOtherwise({ verdicts }: SettleReport): object {
  const others = verdicts.filter(({ verdict, agrees }) =>
    verdict === 'settled' ? agrees !== true : verdict === 'none',
  );
  return Object.fromEntries(
    others.map(({ decision, value, verdict }) => [decision, value ?? verdict]),
  );
}

function verdictOn(decision: DecisionId, { verdicts }: SettleReport): unknown {
  const found = verdicts.find((one) => one.decision === decision);
  return found?.value ?? found?.verdict;
}

describe('asking a mock that follows', () => {
  test.each(READABLE)(
    '%s=%s by GET alone finds that value as docs/settle.md says, and misreads nothing',
    async (decision, value) => {
      const report = await ask([decision, value], 'default');
      const said = TOLD.get(decision)?.reading ?? '';
      // A list of fields is told like `absent`; the page names no example of one.
      const isTold =
        said === 'every value' || /^\//.test(String(value)) || codeIn(said).includes(String(value));
      const isOpen = ['undecided', 'could-not-check'];
      expect(isTold ? [value] : isOpen).toContain(verdictOn(decision, report));
      expect(settledOtherwise(report)).toEqual(isTold ? { [decision]: value } : {});
      expect(report.methods).toEqual(new Set(['GET']));
      expect(report.requests).toBeLessThan(100);
    },
  );

  test.each(ALTERNATIVES)(
    '%s=%s with scratch records over a few measurements misreads nothing',
    async (decision, value) => {
      const report = await ask([decision, value], 'test/support/few-measurements.yaml', SCRATCH);
      const found = verdictOn(decision, report);
      const said = TOLD.get(decision)?.deleting ?? '';
      if (
        TOLD_BY_DELETING.some(([id]) => id === decision) ||
        (TOLD.get(decision)?.reading === 'no value' && codeIn(said).includes(String(value)))
      ) {
        expect(found).toBe(value);
      } else expect([value, 'undecided', 'could-not-check']).toContain(found);
      expect(settledOtherwise(report)).toEqual(found === value ? { [decision]: value } : {});
    },
  );

  test.each(LAST_OF_EACH)(
    '%s=%s finds it when nothing else is asked for',
    async (decision, value) => {
      const { verdicts } = await ask([decision, value], 'default', { only: [decision] });
      expect(verdicts).toEqual([expect.objectContaining({ decision, verdict: 'settled', value })]);
    },
  );

  test.each([
    ['GET alone', 'reading', {}] as const,
    ['scratch records', 'deleting', SCRATCH] as const,
  ])('every default by %s finds all that docs/settle.md says', async (_, way, options) => {
    const report = await ask(['final-cursor', 'absent'], 'default', options);
    const isTold = (id: string | undefined, said: string) =>
      said === 'every value' || codeIn(said).includes(String(LEDGER[id as DecisionId].default));
    const told = [...TOLD].filter(([id, said]) => isTold(id, said[way])).map(([id]) => id);
    const found = report.verdicts.filter(({ agrees }) => agrees).map(({ decision }) => decision);
    expect(found.sort()).toEqual(told.sort());
    expect(settledOtherwise(report)).toEqual({});
    expect(report.violations).toEqual([]);
  });

  test('is told of each decision on the page', () => {
    expect([...TOLD.keys()].sort()).toEqual(Object.keys(LEDGER).sort());
    expect(TOLD_BY_DELETING).toHaveLength(6);
  });
});
