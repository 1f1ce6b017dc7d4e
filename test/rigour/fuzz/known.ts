/** What the dataset has, and what cases add, by the member, parameter or collection that names it. */
export const KNOWN: Readonly<Record<string, readonly string[]>> = {
  id: ['c1', 'k1', 'm1', 'e1', '65a000000000000000000001', '65b000000000000000000001'],
  customers: ['c1', '65a000000000000000000001', '65a000000000000000000002', '{{own}}'],
  contracts: ['k1', '65b000000000000000000001', '65b000000000000000000002'],
  measurements: ['m1', '65c000000000000000000001', '65c000000000000000000002'],
  events: ['e1', '65d000000000000000000001', '65d000000000000000000002'],
  customerId: ['65a000000000000000000001', 'c1', '0015g00000XyZabAAF', '{{own}}'],
  contractId: ['65b000000000000000000001', '65b000000000000000000002', 'k1'],
  name: [
    'Acme Corporation',
    'Müller & Söhne',
    'Globex GmbH',
    '{{own}}',
    'a/b',
    '100%',
    '\u{1f600}',
  ],
  ref: ['acme-2026-03-31-001', 'acme-2026-03-31-002', 'tps-report'],
  snapshotId: ['before-retry', 'before-retry', '1', '.'],
  prefix: ['fuzz-', 'nobody-'],
  path: ['/login', '/invoices/{id}', '/fuzz/{a}/{b}', '/customers/{x}', '/me/', '/measurements'],
};

/** What a case may begin with: the operation of the control plane, the end of its path, the body. */
export const ARRANGED: readonly (readonly [operationId: string, id: string, body: object])[] = [
  ['PUT /__control/customers/{id}', 'c1', { name: 'Initech', aliases: ['initech'] }],
  ['PUT /__control/contracts/{id}', 'k1', { customerId: 'c1', name: 'Initech 2026' }],
  [
    'PUT /__control/measurements/{id}',
    'm1',
    { usageDate: { year: 2026, month: 1, day: 31 }, value: 12 },
  ],
  ['PUT /__control/events/{id}', 'e1', { ref: 'tps-report', customerAlias: 'initech' }],
  ['takeSnapshot', '', { id: 'before-retry' }],
  ['addStub', '', { method: 'GET', path: '/invoices/{id}', body: { id: '{{path.id}}' } }],
  ['addFault', '', { kind: 'status', status: 503, retryAfterS: 1, times: 'always' }],
  ['addFault', '', { kind: 'malformed-json', operationId: 'listMeasurements', skip: 1 }],
  ['setClock', '', { frozenAt: '2030-01-02T03:04:05.000Z' }],
  ['patchDecisions', '', { 'error-body': 'error-object', 'unknown-body-members': 'reject' }],
  ['patchDecisions', '', { 'success-status': 201, 'repeat-delete': 'gone' }],
  ['patchDecisions', '', { 'undocumented-fields': 'extra', 'optional-fields': 'mixed' }],
];

/** Faults whose members fit their kinds. */
export const FAULTS: readonly object[] = [
  { kind: 'status', status: 429, retryAfterS: 0 },
  { kind: 'status', status: 599, phase: 'after', times: 2 },
  { kind: 'delay', delayMs: 5, times: 'always' },
  { kind: 'slow', delayMs: 10, operationId: 'getCustomer' },
  { kind: 'reset', phase: 'after', operationId: 'deleteContract' },
  { kind: 'empty', skip: 1 },
  { kind: 'malformed-json' },
  { kind: 'truncated', path: '/invoices/{id}' },
  { kind: 'respond', status: 422, headers: { 'Content-Type': 'text/html' }, body: '<p>' },
];

/** Stubs that fit. */
export const STUBS: readonly object[] = [
  { method: 'POST', path: '/login', body: { token: '{{token body.user}}' } },
  { method: 'GET', path: '/me/', status: 204 },
  { method: 'DELETE', path: '/invoices/{id}', status: 500, headers: { Location: '/{{path.id}}' } },
  { method: 'GET', path: '/fuzz/{a}/{b}', headers: { 'Content-Type': 'text/html' }, body: '<p>' },
  { method: 'GET', path: '/login', for: 'server', body: null },
];

/** Records that fit, so that not all are refused for one of many members. */
export const RECORDS: Readonly<Record<string, readonly object[]>> = {
  Customer: [
    { name: 'Initech', aliases: ['initech'] },
    { name: 'Umbrella', address: { country: 'DE' }, contacts: [{ name: 'Robin Vega' }] },
  ],
  Contract: [
    { customerId: '65a000000000000000000001', name: 'Acme 2027' },
    { name: 'Renewed', startDate: '2026-01-01T00:00:00.000Z', products: [{ displayName: 'Fee' }] },
  ],
  Measurement: [
    { usageDate: { year: 2026, month: 2, day: 28 }, value: 0.5 },
    { customerId: '65a000000000000000000001', value: 1e300 },
  ],
  UsageEvent: [
    { ref: 'tps-report', data: { a: '1' } },
    { name: 'api-call', timestamp: '2026-03-31T10:00:00.123Z' },
  ],
};
