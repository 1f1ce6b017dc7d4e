import { DEFAULT_DECISIONS, type DecisionId, type Decisions } from '../../src/decisions/ledger.js';
import { createMockServer } from '../../src/index.js';
import { alternativesTo, nameOf } from '../../src/matrix/alternatives.js';
import { CUSTOMER_PROBES } from '../../src/settle/probes/customers.js';
import { DELETION_PROBES } from '../../src/settle/probes/deletions.js';
import type { Probe } from '../../src/settle/probes/probe.js';
import { TOKEN_PROBES } from '../../src/settle/probes/tokens.js';
import { allTold, GIVEN_TOKEN, send } from '../support/settle-records.js';

/** Two pages that have records in common. */
const LISTINGS: Probe = {
  requests: 'GET /measurements',
  tells: [],
  send: async (ask) => {
    await ask({ operationId: 'listMeasurements', query: [['limit', '40']] });
    await ask({ operationId: 'listMeasurements', query: [['limit', '30']] });
  },
};

const SCRATCH = {
  scratchContracts: ['65b000000000000000000001', '65b000000000000000000002'],
  scratchRefs: ['acme-2026-03-31-001', 'acme-2026-03-31-002', 'globex-march'],
};

/** Found with GET alone, whichever value the service follows. */
const TOLD_BY_READING: readonly DecisionId[] = [
  'customer-id-matches',
  'name-matches',
  'unknown-identifier-status',
  'unauthorized-status',
  'unknown-token',
  'optional-fields',
  'undocumented-fields',
];

/** Found with scratch records, whichever value the service follows. */
const TOLD_BY_WRITING: readonly DecisionId[] = [
  'success-status',
  'repeat-delete',
  'unmatched-refs',
  'repeat-event-delete',
  'deleted-events-order',
  'unknown-body-members',
  'updated-at-on-delete',
];

const OF_RECORDS: readonly DecisionId[] = [
  ...TOLD_BY_READING,
  ...TOLD_BY_WRITING,
  'duplicate-name',
  'enum-values',
  'rate-limit',
];

const WRITES = ['deleteContract', 'deleteEventsByRefs'];

/** What all probes tell of a mock under a decision, and what those that only read tell. */
async function toldOf(decisions: Partial<Decisions> = {}) {
  const server = await createMockServer({ decisions });
  server.account(GIVEN_TOKEN);
  const exchanges = await send(
    server,
    [LISTINGS, ...CUSTOMER_PROBES, ...TOKEN_PROBES, ...DELETION_PROBES],
    SCRATCH,
  );
  const reads = exchanges.filter(({ call }) => !WRITES.includes(call.operationId));
  return { byReading: allTold(reads), byWriting: allTold(exchanges), reads };
}

describe('a mock over the default dataset', () => {
  test('is found to follow every default, with less than twenty requests that only read', async () => {
    const { byReading, byWriting, reads } = await toldOf();
    for (const id of TOLD_BY_READING) expect({ [id]: byReading[id] }).toEqual(inForce(id));
    for (const id of TOLD_BY_WRITING) {
      expect({ [id]: byReading[id] }).toEqual({ [id]: 'could-not-check' });
      expect({ [id]: byWriting[id] }).toEqual(inForce(id));
    }
    expect(reads.length).toBeLessThan(20);
  });

  test.each(alternativesTo(DEFAULT_DECISIONS).map((one) => [nameOf(one), one] as const))(
    'under %s is found to follow that, and never another value',
    async (_, { decision, value }) => {
      const switched = typeof DEFAULT_DECISIONS[decision] === 'number' ? Number(value) : value;
      const { byReading, byWriting } = await toldOf({ [decision]: switched });
      if (TOLD_BY_READING.includes(decision)) expect(byReading[decision]).toBe(switched);
      if (TOLD_BY_WRITING.includes(decision)) expect(byWriting[decision]).toBe(switched);
      for (const id of OF_RECORDS) {
        const right = id === decision ? { [id]: switched } : inForce(id);
        const open = [{ [id]: 'undecided' }, { [id]: 'could-not-check' }];
        expect([...open, right]).toContainEqual({ [id]: byReading[id] });
        expect([...open, right]).toContainEqual({ [id]: byWriting[id] });
      }
    },
  );
});

function inForce(id: DecisionId) {
  return { [id]: DEFAULT_DECISIONS[id] };
}
