import { jest } from '@jest/globals';
import { LEDGER, type LedgerRow } from '../../src/core/decisions/ledger.js';
import { createMockServer, type Decisions } from '../../src/index.js';
import { type Client, clientOf } from '../support/client.js';

const ACME_CONTRACT = '/contracts/65b000000000000000000001';

/** What a client sees of one alternative. */
type Effect = (
  client: Client,
  server: Awaited<ReturnType<typeof createMockServer>>,
) => Promise<unknown>;

const statusOf =
  (path: string): Effect =>
  async (client) =>
    (await client.get(path)).status;

/** The status and Retry-After of the last of 101 requests at the same instant. */
const hundredAndOne: Effect = async (client, server) => {
  server.account(client.token).clock.freeze();
  for (let nth = 0; nth < 100; nth += 1) await client.get('/customers/x');
  const { status, headers } = await client.get('/measurements');
  return [status, headers['retry-after']];
};

const acme = async (client: Client) => ({
  customer: (await client.get('/customers/65a000000000000000000001')).body.customer,
  contract: (await client.delete(ACME_CONTRACT)).body.contract,
});

/** How many members of a customer and a deleted contract are missing. */
const missing: Effect = async (client) => {
  const { customer, contract } = await acme(client);
  expect([customer.id, contract.id]).toEqual([
    '65a000000000000000000001',
    '65b000000000000000000001',
  ]);
  expect(contract.deletedAt).toEqual(expect.any(String));
  return [10 - Object.keys(customer).length, 11 - Object.keys(contract).length];
};

const enums: Effect = async (client) => {
  const { customer, contract } = await acme(client);
  const [product] = contract.products;
  return [customer.source, product.scheduling.duration.unit, product.pricing.type];
};

const extras: Effect = async (client) => {
  const { customer, contract } = await acme(client);
  return [customer.undocumentedText, contract.undocumentedText];
};

const repeatDelete: Effect = async (client) => {
  await client.delete(ACME_CONTRACT);
  const { status, body } = await client.delete(ACME_CONTRACT);
  return [status, body.type?.split(':').at(-1) ?? Object.keys(body)];
};

const successStatuses: Effect = async (client) => [
  (await client.delete(ACME_CONTRACT)).status,
  (await client.get('/measurements')).status,
  (await client.deleteEvents(['globex-march'])).status,
];

const refsOf: Effect = async (client) => {
  const refs = ['acme-2026-03-31-002', 'acme-2026-03-31-001'];
  const { status, body } = await client.deleteEvents(refs);
  return [status, body.events?.map(({ ref }: { ref: string }) => ref)];
};

const unmatchedRefs: Effect = async (client, server) => {
  const { status } = await client.deleteEvents(['globex-march', 'nothing']);
  const deleted = server
    .account(client.token)
    .events.list()
    .filter((event) => event.deletedAt);
  return [status, deleted.length];
};

const repeatEvents: Effect = async (client) => {
  const first = await client.deleteEvents(['globex-march']);
  const second = await client.deleteEvents(['globex-march']);
  return second.body.events.length === 0 ? 'none' : second.text === first.text;
};

const updatedAt: Effect = async (client) => {
  const { contract } = (await client.delete(ACME_CONTRACT)).body;
  return contract.updatedAt === contract.deletedAt;
};

const twins: Effect = async (client, server) => {
  const { customers } = server.account(client.token);
  customers.put({ id: 'young', name: 'Twin', createdAt: '2026-02-01T00:00:00.000Z' });
  customers.put({ id: 'old', name: 'Twin', createdAt: '2026-01-01T00:00:00.000Z' });
  const { status, body } = await client.get('/customers/name/Twin');
  return [status, body.customer?.id];
};

const names: Effect = async (client) => {
  const found = ['Acme%20Corporation', 'ACME%20corporation', 'acme-prod'].map(
    async (name) => (await client.get(`/customers/name/${name}`)).status,
  );
  return Promise.all(found);
};

const ordersOf: Effect = async (client, server) => {
  const at = (createdAt: string, day: number) => ({
    createdAt,
    usageDate: { year: 2030, month: 1, day },
  });
  server.account(client.token).importState({
    measurements: [
      { id: 'b', ...at('2026-01-02T00:00:00.000Z', 1) },
      { id: 'c', ...at('2026-01-01T00:00:00.000Z', 2) },
      { id: 'a', ...at('2026-01-03T00:00:00.000Z', 3) },
    ],
  });
  const { body } = await client.get('/measurements');
  return body.measurements.map(({ id }: { id: string }) => id).join('');
};

/** The totals of two pages, and of the second after a record of the first was removed. */
const totals: Effect = async (client, server) => {
  const first = (await client.get('/measurements?limit=7')).body;
  const next = `/measurements?limit=7&cursor=${first.nextCursor}`;
  const second = (await client.get(next)).body;
  server.account(client.token).measurements.remove(first.measurements[0].id);
  return [first.total, second.total, (await client.get(next)).body.total];
};

const lastPages: Effect = async (client, server) => {
  const measurements = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  server.account(client.token).importState({ measurements });
  const pages = [];
  for (let cursor: string | undefined; pages.length < 5; ) {
    const { body } = await client
      .get('/measurements')
      .query({ limit: 2, ...(cursor && { cursor }) });
    pages.push([body.measurements.length, body.hasMore, typeof body.nextCursor]);
    cursor = body.nextCursor;
    if (!cursor) break;
  }
  return pages;
};

const extraMember: Effect = async (client) =>
  (await client.postRefs({ refs: ['a'], dryRun: true })).status;

const limits: Effect = async (client) => {
  const responses = ['0', '1001', '-5', 'Infinity'].map(async (limit) => {
    const { status, body } = await client.get('/measurements').query({ limit });
    return body.measurements?.length ?? status;
  });
  return Promise.all(responses);
};

const emptyParameters: Effect = async (client) => {
  const responses = ['cursor=', 'limit=', 'limit&cursor'].map(async (query) => {
    const { status, body } = await client.get(`/measurements?${query}`);
    return body.measurements?.length ?? status;
  });
  return Promise.all(responses);
};

const errorBody: Effect = async (client) => {
  const { headers, text } = await client.get('/customers/nobody');
  return [headers['content-type'], text.slice(0, 30)];
};

const unauthorized: Effect = async (_client, server) => {
  const { status, headers } = await clientOf(server, 'a b').get('/measurements');
  return [status, 'www-authenticate' in headers];
};

const unknownToken: Effect = async (client, server) => {
  const before = (await client.get('/measurements')).status;
  server.account(client.token);
  return [before, (await client.get('/measurements')).status];
};

/** Uses a cursor 15 minutes after it was issued, and again a moment later. */
const cursorLifetime: Effect = async (client) => {
  const issuedAt = Date.parse('2026-01-01T00:00:00.000Z');
  const readAt = async (now: number, path: string) => {
    jest.spyOn(Date, 'now').mockReturnValue(now);
    return (await client.get(path)).body;
  };
  const { nextCursor } = await readAt(issuedAt, '/measurements?limit=1');
  const inTime = await readAt(issuedAt + 900_000, `/measurements?cursor=${nextCursor}`);
  const late = await readAt(issuedAt + 900_001, `/measurements?cursor=${nextCursor}`);
  jest.restoreAllMocks();
  return [inTime.measurements?.length, late.measurements?.length ?? late.decision];
};

/** Every alternative and default, with what a client does and then sees. */
const EFFECTS: [keyof Decisions, Decisions[keyof Decisions], Effect, unknown][] = [
  ['success-status', 200, successStatuses, [200, 200, 200]],
  ['success-status', 201, successStatuses, [200, 200, 201]],
  ['success-status', 202, successStatuses, [202, 200, 202]],
  ['customer-id-matches', 'id-or-external-id', statusOf('/customers/0015g00000XyZabAAF'), 200],
  ['customer-id-matches', 'id', statusOf('/customers/0015g00000XyZabAAF'), 404],
  ['customer-id-matches', 'external-id', statusOf('/customers/65a000000000000000000001'), 404],
  ['name-matches', 'exact', names, [200, 404, 404]],
  ['name-matches', 'case-insensitive', names, [200, 200, 404]],
  ['name-matches', 'name-or-alias', names, [200, 404, 200]],
  ['duplicate-name', 'oldest', twins, [200, 'old']],
  ['duplicate-name', 'conflict', twins, [409, undefined]],
  ['repeat-delete', 'not-found', repeatDelete, [404, 'unknown-identifier']],
  ['repeat-delete', 'same-result', repeatDelete, [200, ['contract']]],
  ['repeat-delete', 'gone', repeatDelete, [410, 'deleted-before']],
  ['repeat-delete', 'conflict', repeatDelete, [409, 'delete-conflict']],
  ['unmatched-refs', 'ignore', unmatchedRefs, [200, 2]],
  ['unmatched-refs', 'not-found', unmatchedRefs, [404, 0]],
  ['repeat-event-delete', 'omit', repeatEvents, 'none'],
  ['repeat-event-delete', 'include', repeatEvents, true],
  ['deleted-events-order', 'refs', refsOf, [200, ['acme-2026-03-31-002', 'acme-2026-03-31-001']]],
  [
    'deleted-events-order',
    'timestamp',
    refsOf,
    [200, ['acme-2026-03-31-001', 'acme-2026-03-31-002']],
  ],
  ['unknown-body-members', 'ignore', extraMember, 200],
  ['unknown-body-members', 'reject', extraMember, 400],
  ['updated-at-on-delete', 'unchanged', updatedAt, false],
  ['updated-at-on-delete', 'deletion-time', updatedAt, true],
  ['measurement-order', 'usage-date', ordersOf, 'bca'],
  ['measurement-order', 'newest-first', ordersOf, 'acb'],
  ['measurement-order', 'created-at', ordersOf, 'cba'],
  ['measurement-order', 'id', ordersOf, 'abc'],
  ['total-counts', 'all', totals, [6476, 6476, 6475]],
  ['total-counts', 'remaining', totals, [6476, 6469, 6469]],
  ['total-counts', 'page', totals, [7, 7, 7]],
  [
    'last-page',
    'exact',
    lastPages,
    [
      [2, true, 'string'],
      [2, false, 'undefined'],
    ],
  ],
  [
    'last-page',
    'trailing-empty-page',
    lastPages,
    [
      [2, true, 'string'],
      [2, true, 'string'],
      [0, false, 'undefined'],
    ],
  ],
  [
    'final-cursor',
    'absent',
    lastPages,
    [
      [2, true, 'string'],
      [2, false, 'undefined'],
    ],
  ],
  [
    'final-cursor',
    'empty-string',
    lastPages,
    [
      [2, true, 'string'],
      [2, false, 'string'],
    ],
  ],
  ['invalid-cursor', 'reject', statusOf('/measurements?cursor=made-up'), 400],
  ['invalid-cursor', 'first-page', statusOf('/measurements?cursor=made-up'), 200],
  ['empty-parameter', 'reject', emptyParameters, [400, 400, 400]],
  ['empty-parameter', 'absent', emptyParameters, [10, 10, 10]],
  ['fractional-limit', 'round-down', statusOf('/measurements?limit=2.5'), 200],
  ['fractional-limit', 'reject', statusOf('/measurements?limit=2.5'), 400],
  ['limit-out-of-bounds', 'reject', limits, [400, 400, 400, 400]],
  ['limit-out-of-bounds', 'clamp', limits, [1, 1000, 1, 400]],
  ['unknown-query-parameters', 'reject', statusOf('/measurements?customerId=x'), 400],
  ['unknown-query-parameters', 'ignore', statusOf('/measurements?customerId=x'), 200],
  [
    'error-body',
    'problem-json',
    errorBody,
    ['application/problem+json', '{"type":"urn:usage-billing-moc'],
  ],
  ['error-body', 'message', errorBody, ['application/json', '{"message":"This account has n']],
  ['error-body', 'error-object', errorBody, ['application/json', '{"error":{"code":"unknown-iden']],
  ['error-body', 'empty', errorBody, [undefined, '']],
  ['invalid-request-status', 400, statusOf('/measurements?limit=0'), 400],
  ['invalid-request-status', 422, statusOf('/measurements?limit=0'), 422],
  ['unknown-identifier-status', 404, statusOf('/customers/nobody'), 404],
  ['unknown-identifier-status', 400, statusOf('/customers/nobody'), 400],
  ['unauthorized-status', 401, unauthorized, [401, true]],
  ['unauthorized-status', 403, unauthorized, [403, true]],
  ['unknown-token', 'open-account', unknownToken, [200, 200]],
  ['unknown-token', 'reject', unknownToken, [401, 200]],
  ['cursor-lifetime', 'unlimited', cursorLifetime, [10, 10]],
  ['optional-fields', 'present', missing, [0, 0]],
  ['optional-fields', 'absent', missing, [9, 9]],
  ['optional-fields', 'mixed', missing, [6, 5]],
  ['optional-fields', '/measurements/*/updatedAt', missing, [0, 0]],
  ['enum-values', 'documented', enums, ['Salesforce', 'MONTH', 'ONE_TIME']],
  ['enum-values', 'varied', enums, ['Stripe', 'MONTH', 'ONE_TIME']],
  ['enum-values', 'unfamiliar', enums, ['Unfamiliar', 'FORTNIGHT', 'UNFAMILIAR']],
  ['undocumented-fields', 'none', extras, [undefined, undefined]],
  ['undocumented-fields', 'extra', extras, ['not in the document', 'not in the document']],
  ['rate-limit', 'unlimited', hundredAndOne, [200, undefined]],
  ['rate-limit', '100/1m', hundredAndOne, [429, '60']],
  ['cursor-lifetime', '15m', cursorLifetime, [10, 'cursor-lifetime']],
];

const shared = await createMockServer();

describe('a decision', () => {
  test.each(EFFECTS)('%s: %s acts on the responses', async (id, value, effect, expected) => {
    const row: LedgerRow = LEDGER[id];
    const changes = { [id]: value };
    const server = row.isServerWide ? await createMockServer({ decisions: changes }) : shared;
    const client = clientOf(server);
    if (!row.isServerWide) server.account(client.token).decisions.change(changes);
    expect(await effect(client, server)).toEqual(expected);
  });

  test('may be given a status as text', async () => {
    const decisions = { 'invalid-request-status': '422' } as unknown as Partial<Decisions>;
    const client = clientOf(await createMockServer({ decisions }));
    expect((await client.get('/measurements?limit=0')).status).toBe(422);
  });

  test('is shown here in every one of its values', () => {
    const shown = new Set(EFFECTS.map(([id, value]) => `${id}: ${value}`));
    const values = Object.entries<LedgerRow>(LEDGER).flatMap(([id, row]) =>
      Object.keys(row.values).map((value) => `${id}: ${value}`),
    );
    expect(values.filter((value) => !shown.has(value))).toEqual([]);
  });
});
