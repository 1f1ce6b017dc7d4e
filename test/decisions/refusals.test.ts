import { LEDGER, LEDGER_ROWS, type LedgerRow } from '../../src/core/decisions/ledger.js';
import { createMockServer } from '../../src/index.js';
import { type Client, clientOf } from '../support/client.js';

const CONTRACT = '/contracts/65b000000000000000000001';

/** Refused calls, and the one decision behind each refusal. */
const REFUSED: readonly (readonly [
  decision: string,
  call: (client: Client) => PromiseLike<unknown>,
])[] = [
  ['limit-out-of-bounds', (client) => client.get('/measurements?limit=5000')],
  ['limit-out-of-bounds', (client) => client.get('/measurements?limit=0')],
  ['unknown-query-parameters', (client) => client.get('/customers/x?verbose=1')],
  ['unknown-body-members', (client) => client.postRefs({ refs: ['x'], dryRun: true })],
  ['fractional-limit', (client) => client.get('/measurements?limit=1.5')],
  ['invalid-cursor', (client) => client.get('/measurements?cursor=x')],
  ['empty-parameter', (client) => client.get('/measurements?cursor=')],
  ['empty-parameter', (client) => client.get('/measurements?limit=&cursor=')],
  ['unmatched-refs', (client) => client.postRefs({ refs: ['nobody'] })],
  ['unknown-identifier-status', (client) => client.get('/customers/nobody')],
  ['invalid-request-status', (client) => client.postRefs({ refs: [] })],
  ['invalid-request-status', (client) => client.get('/measurements?limit=0&verbose=1')],
  [
    'repeat-delete',
    async (client) => {
      await client.delete(CONTRACT);
      return client.delete(CONTRACT);
    },
  ],
];

const strict = await createMockServer({
  decisions: {
    'unknown-body-members': 'reject',
    'fractional-limit': 'reject',
    'unmatched-refs': 'not-found',
  },
});

describe('a refusal', () => {
  test.each(REFUSED)('by %s names it, its section and how to switch it', async (id, call) => {
    const { body } = (await call(clientOf(strict))) as { body: Record<string, string> };
    const row: LedgerRow = LEDGER[id as keyof typeof LEDGER];
    expect([body.decision, body.section]).toEqual([id, row.section]);
    const [, value = ''] = new RegExp(`--decide ${id}=(\\S+)`).exec(body.switch ?? '') ?? [];
    expect(Object.keys(row.values)).toContain(value.replace(/\.$|,$/, ''));
  });

  test.each(REFUSED.slice(0, 9))(
    'by %s is none once it is switched as it says',
    async (id, call) => {
      const client = clientOf(strict);
      const refusal = (await call(client)) as { body: Record<string, string> };
      const [, value = ''] = /--decide [\w-]+=([\w-]+)/.exec(refusal.body.switch ?? '') ?? [];
      strict.account(client.token).decisions.change({ [id]: value });
      const { body } = (await call(client)) as { body: object };
      expect(body).not.toHaveProperty('decision', id);
    },
  );

  test('of the control plane names no decision, for the specification says nothing of it', async () => {
    const server = await createMockServer();
    const { status, body } = await clientOf(server).get('/__control/requests?verbose=1');
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain('decision');
  });
});

/** What no schema can say of a cursor: whether the mock has issued it, and when. */
const BEYOND_SCHEMAS = ['invalid-cursor', 'cursor-lifetime'];

const REFUSING = LEDGER_ROWS.flatMap(([id, { values }]) =>
  Object.entries(values)
    .filter(([, meaning]) => meaning.includes('gets a 400 (see `invalid-request-status`)'))
    .map(([value]) => [id, value] as const),
).filter(([id]) => !BEYOND_SCHEMAS.includes(id));

describe('a value that refuses requests as invalid', () => {
  const requestsUnder = async (id: string, value: string) => {
    const server = await createMockServer({ decisions: { [id]: value } });
    const isOfRequests = (key: string, part: unknown) => (key === 'responses' ? undefined : part);
    return JSON.stringify((server.openapi('t') as { paths: object }).paths, isOfRequests);
  };

  test.each(REFUSING)(
    '%s: %s has its rule in the document in force (a row of src/core/openapi/requests-by-decision.ts, and x-decision at the parameter or body)',
    async (id, value) => {
      const refusing = await requestsUnder(id, value);
      const row: LedgerRow = LEDGER[id];
      const others = Object.keys(row.values).filter((other) => other !== value);
      for (const other of others) expect(await requestsUnder(id, other)).not.toBe(refusing);
    },
  );
});
