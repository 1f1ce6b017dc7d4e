import { brotliCompressSync, gzipSync } from 'node:zlib';
import { listed } from './listed.js';

/** The lines of a text, without the empty first and last. */
const lines = (text: string) => text.split('\n').slice(1, -1);

/** Requests that are answered: method, target and body. */
export const GOOD_REQUESTS = lines(`
GET /measurements?limit=2
GET /customers/65a000000000000000000001
GET /customers/name/Acme%20Corporation
DELETE /contracts/65b000000000000000000001
POST /events/delete-by-refs {"refs":["acme-2026-03-31-001"]}
HEAD /measurements
OPTIONS /measurements
OPTIONS *
GET http://localhost/measurements
GET /__control/health
GET /__control/account
GET /__control/accounts
GET /__control/changes
GET /__control/ledger
GET /__control/ui
GET /__control/ui/page.js
HEAD /__control/requests/stream
GET /__control/requests/stream?of=all&responses=true
GET /__control/requests?format=har
GET /__control/requests?of=server
GET /__control/requests/1
POST /__control/requests/count {}
POST /__control/snapshots
PUT /__control/clock {"frozenNow":true}
PUT /__control/customers/c1 {"name":"Initech"}
PATCH /__control/customers/c1 {"name":null}
POST /__control/stubs {"method":"GET","path":"/x"}
POST /__control/faults {"kind":"malformed-json"}
PUT /__control/state {"customers":[]}
`);

export const ODD_METHODS = listed(
  'CONNECT | TRACE | PROPFIND | QUERY | get | G\0T | GETGETGET |  | M-SEARCH | PURGE | PRI',
);

export const ODD_TARGETS = [
  ...listed('/ | * | // | /__control/ | /__control/requests/ | http:// | https:/// | ftp://x/y | '),
  ...listed('http://evil.example/__control/account | localhost:443 | /\0 | /caf\xe9 | /% | /a b'),
  ...listed('? | # | /x#y | /../etc/passwd | /customers/%F0%9F | /;/'),
  `/${'a'.repeat(20_000)}`,
  `/?${'a=1&'.repeat(3_500)}`,
];

export const ODD_VERSIONS = ['HTTP/1.0', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'HTTP/1.1 x', ''];

/** Fields that a request may have beside those it needs. */
export const GOOD_FIELDS = listed(
  'Connection: close | Connection: keep-alive | Connection: Upgrade | Upgrade: websocket',
  'Upgrade: h2c | Expect: 100-continue | TE: trailers | Accept: text/html | Accept: */*',
  'Range: bytes=0- | Cookie: a=b | Keep-Alive: 1 | Prefer: code=404 | Origin: null',
  'X-Forwarded-For: 10.0.0.1 | Access-Control-Request-Method: GET | __proto__: x | constructor: x',
);

export const ODD_FIELDS = [
  ...listed('Host: evil.example | Host: a, b | Host: | Host: \0 | Authorization: Basic eA=='),
  ...listed('Authorization: Bearer a b | Authorization: | Expect: x | Content-Type: text/plain'),
  ...listed('Content-Encoding: gzip | Content-Length: 0 | Content-Length: 5 | Content-Length: -1'),
  ...listed('Content-Length: 99999999999999999999 | Content-Length: 1, 1 | Content-Length: 0x5'),
  ...listed('Transfer-Encoding: chunked | Transfer-Encoding: gzip, chunked'),
  ...listed('Transfer-Encoding: identity | Transfer-Encoding: chunked, x | X-Account-Id: x'),
  ...listed('X-Control-Token: x | Origin: http://evil.example | Connection: x, close'),
  ...listed('Connection: host | HTTP2-Settings: AAMAAABkAAQAAP__ | X-Latin: caf\xe9'),
  ...listed('X-Nul: a\0b | no colon | : x |  folded | X-Y : z | \tX: y | X: y\rZ: w'),
  `X-Long: ${'x'.repeat(20_000)}`,
  'X: y\r\n'.repeat(3_000).slice(0, -2),
];

const SENT = '{"name":"Initech"}';

export const ODD_BODIES = [
  gzipSync(SENT).toString('latin1'),
  brotliCompressSync(SENT).toString('latin1'),
  Buffer.from(`\ufeff${SENT}`, 'utf16le').toString('latin1'),
  '{"id":"c1","name":"\xff"}',
  '{"id":"caf\xe9"}',
  '[',
  '\0',
  '',
  'x'.repeat(70_000),
];

/** Ways to send a body: the field, and the text that follows the head. */
type Framing = (body: string) => readonly [field: string, text: string];

const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`;
const chunked = (text: string) => ['Transfer-Encoding: chunked', text] as const;

export const GOOD_FRAMINGS: readonly Framing[] = [
  (body) => [`Content-Length: ${body.length}`, body],
  (body) => chunked(`${chunk(body)}0\r\n\r\n`),
  (body) => chunked(`${chunk(body)}0\r\nX: y\r\nContent-Length: 3\r\n\r\n`),
];

export const ODD_FRAMINGS: readonly Framing[] = [
  (body) => [`Content-Length: ${body.length + 5}`, body],
  (body) => [`Content-Length: ${Math.max(0, body.length - 3)}`, body],
  (body) => ['X: y', body],
  (body) => chunked(chunk(body)),
  (body) => chunked(`zz\r\n${body}\r\n0\r\n\r\n`),
  (body) => chunked(`ffffffffffffffff\r\n${body}`),
  (body) => chunked(`1;${'x'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`),
  (body) => [
    `Content-Length: ${body.length}\r\nTransfer-Encoding: chunked`,
    `${chunk(body)}0\r\n\r\n`,
  ],
];

/** What other protocols begin with. */
export const OTHER_PROTOCOLS = [
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
  '\r\n\r\n',
  '\0\0\0\0',
  '\xff\xfb\x01',
  'EHLO x\r\n',
];
