/** The values of a list that is written as one text, with ` | ` between them. */
export const listed = (...texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(' | '));

/** Values in the dataset, or that cases add, by their member, parameter or collection. */
export const KNOWN: Readonly<Record<string, readonly string[]>> = {
  id: listed('c1 | k1 | m1 | e1 | 65a000000000000000000001 | 65b000000000000000000001'),
  customers: listed('c1 | 65a000000000000000000001 | 65a000000000000000000002 | {{own}}'),
  contracts: listed('k1 | 65b000000000000000000001 | 65b000000000000000000002'),
  measurements: listed('m1 | 65c000000000000000000001 | 65c000000000000000000002'),
  events: listed('e1 | 65d000000000000000000001 | 65d000000000000000000002'),
  customerId: listed('65a000000000000000000001 | c1 | 0015g00000XyZabAAF | {{own}}'),
  contractId: listed('65b000000000000000000001 | 65b000000000000000000002 | k1'),
  name: listed('Acme Corporation | Müller & Söhne | {{own}} | outage | a/b | 100% | \u{1f600}'),
  ref: listed('acme-2026-03-31-001 | acme-2026-03-31-002 | tps-report'),
  snapshotId: listed('before-retry | before-retry | 1 | .'),
  prefix: listed('fuzz- | nobody-'),
  path: listed('/login | /invoices/{id} | /fuzz/{a}/{b} | /customers/{x} | /me/ | /measurements'),
};

/** Control calls with which a case may begin: the operation, the end of its path, the body. */
export const ARRANGED: readonly (readonly [operation: string, id: string, body: object])[] = [
  ['PUT /__control/customers/{id}', 'c1', { name: 'Initech', aliases: ['initech'] }],
  ['PUT /__control/contracts/{id}', 'k1', { customerId: 'c1', name: 'Initech 2026' }],
  ['PUT /__control/measurements/{id}', 'm1', { usageDate: { year: 2026, month: 1, day: 31 } }],
  ['PUT /__control/events/{id}', 'e1', { ref: 'tps-report', customerAlias: 'initech' }],
  ['takeSnapshot', '', { id: 'before-retry' }],
  ['addStub', '', { method: 'GET', path: '/invoices/{id}', body: { id: '{{path.id}}' } }],
  ['addStub', '', { method: 'POST', path: '/login', headers: { 'Content-Type': 'text/html' } }],
  ['addFault', '', { kind: 'status', status: 503, retryAfterS: 1, times: 'always' }],
  ['addFault', '', { kind: 'malformed-json', operationId: 'listMeasurements', skip: 1 }],
  ['addFault', '', { kind: 'respond', status: 422, body: '<p>' }],
  ['addFault', '', { kind: 'reset', phase: 'after', operationId: 'deleteContract' }],
  ['setClock', '', { frozenAt: '2030-01-02T03:04:05.000Z' }],
  ['patchDecisions', '', { 'error-body': 'error-object', 'unknown-body-members': 'reject' }],
  ['patchDecisions', '', { 'success-status': 201, 'repeat-delete': 'gone' }],
  ['patchDecisions', '', { 'undocumented-fields': 'extra', 'optional-fields': 'mixed' }],
];

/** Values for members whose other valid values would only take time. */
export const BEARABLE: Readonly<Record<string, readonly unknown[]>> = {
  delayMs: [0, 1, 20, -1, 3_600_001],
  timeoutMs: [0, 1, 20, -1, 600_001],
  latency: [0, 1, 5, '0..3', '2..1', '5', -1, 60_001, 'x', 1.5],
};

/** Texts that a schema allows, and code may not expect. */
export const ODD_TEXTS = [
  ...[' ', '\0', '\n', 'x'.repeat(5_000), '\u{1f600}'.repeat(300), 'e\u0301'.repeat(500)],
  ...listed(' | . | .. | %00 | ../../etc/passwd | <script> | {{path.id}} | {{body | null | -0'),
  ...listed('__proto__ | constructor | prototype | toString | hasOwnProperty | length'),
  // Characters outside the basic plane, alone and joined, and lone surrogates.
  ...listed('\u{1f600} | a\u{1f469}\u200d\u{1f467}z | \u{10ffff} | \u{20bb7} | \ud800 | x\udc00y'),
  // Combining marks, right-to-left and zero-width characters, and some that grow in another case.
  ...listed('e\u0301 | a\u0308\u0323 | \u0645\u0631\u062d | \u202eabc | \ufeffx | \u200b'),
  ...listed('\u0130 | \u00df | \ufb03 | \u03a3\u03c2 | \u2028 | \ufffe | \ufffd'),
];

/** Dates and times at an edge, and impossible ones. */
export const ODD_DATES = listed(
  '9999-12-31T23:59:59.999Z | 0000-01-01T00:00:00Z | 0001-01-01T00:00:00.000Z | 2026-01-01',
  '1970-01-01T00:00:00.000Z | 1969-12-31T23:59:59.999Z | 2024-02-29T00:00:00.000Z',
  '2026-02-30T00:00:00Z | 2026-12-31T23:59:60Z | 2026-01-01T00:00:00+14:00',
  '+275760-09-13T00:00:00.000Z | -271821-04-20T00:00:00.000Z',
);

/** Texts that, repeated, may make a pattern backtrack from each place where they occur. */
export const REPEATED = [
  ...listed('token- | secret_ | api-key | eyJabcde. | password= | a=1& | a- | @ | a@ | . | , | ;'),
  ...listed('/ | \\ | " | % | 0 | 1e | { | {{ | } | {{path. | [ | < | x | e\u0301'),
  ...[', ', ' ', '\t', '\u{1f600}', '\u0001'],
];

/** Header fields that a client may send, as lines. */
export const FIELDS = listed(
  'Expect: 100-continue | TE: trailers | Accept: text/html | Accept: */* | X-Latin: caf\xe9',
  'Accept: application/json;q=0 | Accept: text/html;q=0.1, application/json | X-Account-Id: x',
  'Range: bytes=0- | Range: bytes=9-1 | Cookie: a=b; __proto__=c | Keep-Alive: 1 | Expect: 200-ok',
  'Prefer: code=404 | Prefer: code=503 | Prefer: code=500 | Prefer: code=200 | Prefer: code=',
  'Prefer: code=999 | Prefer: wait=1 | Prefer: code="401" | Prefer: ;;,=," | __proto__: x',
  'Origin: null | Origin: http://evil.example | Origin: http://localhost | Origin: x',
  'Host: evil.example | Host: localhost | Host: [::1]:1 | Host: a, b | Host:  | constructor: x',
  'X-Control-Token: x | X-Control-Token:  | If-None-Match: W/"x" | Last-Event-ID: -1',
  'If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT | X-HTTP-Method-Override: DELETE',
  'X-Forwarded-For: 10.0.0.1 | Access-Control-Request-Method: DELETE | Upgrade: h2c',
  'Content-Type: text/plain | Content-Type:  | Content-Type: multipart/form-data',
  'Content-Type: application/x-www-form-urlencoded | Content-Type: application/json;',
  'Content-Type: application/json; charset=utf-16 | Content-Type: application/json, text/html',
  'Content-Encoding: gzip | Content-Encoding: br | Content-Encoding: identity | Upgrade: websocket',
  'Content-Encoding: deflate | Content-Encoding: gzip, gzip | Content-Encoding: x',
);
