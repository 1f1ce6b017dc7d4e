import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { OPERATIONS } from './documents.js';
import { FIELDS, listed } from './known.js';
import { mostly } from './values.js';

/** The bytes for one connection, and how to send them. */
export interface RawPlan {
  /** The bytes as latin1 text, with `{{token}}` in place of the case's token. */
  readonly text: string;
  /** The lengths of the pieces to send one after the other, before the rest. */
  readonly pieces: readonly number[];
  /** How the client ends: it closes its side, waits for a response first, or resets. */
  readonly ending: 'half-close' | 'wait' | 'reset';
}

/** A request whose response does not end; frequent, because of what may be cut off behind it. */
const STREAM = 'GET /__control/requests/stream?of=all';

/** Requests that get a response: method, target and body. */
const GOOD_REQUESTS = [
  ...listed('GET /measurements?limit=2 | GET /customers/name/Acme%20Corporation | OPTIONS *'),
  ...listed('HEAD /measurements | OPTIONS /measurements | GET http://localhost/measurements'),
  ...listed('GET /__control/ui | GET /__control/ui/page.js | GET /__control/requests/har'),
  ...listed('HEAD /__control/requests/stream'),
  ...OPERATIONS.filter(({ operationId }) => operationId !== 'waitForRequests').map(
    ({ method, path, body }) =>
      `${method} ${path.replace(/\{\w+\}/, '1')} ${JSON.stringify(body?.example) ?? ''}`,
  ),
];

const ODD_METHODS = listed(
  'CONNECT | TRACE | PROPFIND | QUERY | get | G\0T | GETGETGET |  | M-SEARCH | PURGE | PRI',
);
const ODD_TARGETS = [
  ...listed('/ | * | // | /__control/ | /__control/requests/ | http:// | https:/// | ftp://x/y | '),
  ...listed('http://evil.example/__control/account | localhost:443 | /\0 | /caf\xe9 | /% | /a b'),
  ...listed('? | # | /x#y | /../etc/passwd | /customers/%F0%9F | /;/'),
  ...[`/${'a'.repeat(20_000)}`, `/?${'a=1&'.repeat(3_500)}`],
];
const ODD_VERSIONS = ['HTTP/1.0', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'HTTP/1.1 x', ''];

/** Lines that a client with an HTTP library can hardly send. */
const ODD_FIELDS = [
  ...listed('Connection: close | Connection: Upgrade | Connection: x, close | Connection: host'),
  ...listed('Host: \0 | Authorization: Basic eA== | Authorization: Bearer a b | Authorization: '),
  ...listed('Content-Length: 0 | Content-Length: 5 | Content-Length: -1 | Content-Length: 1, 1'),
  ...listed('Content-Length: 99999999999999999999 | Content-Length: 0x5 | X-Y : z | \tX: y'),
  ...listed('Transfer-Encoding: chunked | Transfer-Encoding: gzip, chunked | X: y\rZ: w'),
  ...listed('Transfer-Encoding: identity | Transfer-Encoding: chunked, x | X-Nul: a\0b | : x'),
  ...listed('HTTP2-Settings: AAMAAABkAAQAAP__ | no colon |  folded'),
  ...[`X-Long: ${'x'.repeat(20_000)}`, 'X: y\n'.repeat(3_000).slice(0, -1)],
];
const ODD_BODIES = [
  ...[gzipSync('{}').toString('latin1'), '{"id":"c1","name":"\xff"}', '{"id":"caf\xe9"}'],
  ...['[', '\0', '', 'x'.repeat(70_000)],
];

/** Ways to send a body: header fields, an empty line and content; the second list is wrong. */
const CHUNKED = 'Transfer-Encoding: chunked';
const FRAMINGS = [
  'Content-Length: {{length}}\n\n{{body}}',
  `${CHUNKED}\n\n{{hex}}\n{{body}}\n0\n\n`,
  `${CHUNKED}\n\n{{hex}}\n{{body}}\n0\nX: y\nContent-Length: 3\n\n`,
];
const ODD_FRAMINGS = [
  'Content-Length: 1{{length}}\n\n{{body}}',
  'Content-Length: 1\n\n{{body}}',
  'X: y\n\n{{body}}',
  `${CHUNKED}\n\n{{hex}}\n{{body}}\n`,
  `${CHUNKED}\n\nzz\n{{body}}\n0\n\n`,
  `${CHUNKED}\n\nffffffffffffffff\n{{body}}`,
  `${CHUNKED}\n\n1;${'x'.repeat(20_000)}\n{{body}}\n0\n\n`,
  `Content-Length: 9\n${CHUNKED}\n\n{{hex}}\n{{body}}\n0\n\n`,
];

/** The first bytes of other protocols. */
const OTHER_PROTOCOLS = [
  ...listed('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 | \0\0\0\0 | \xff\xfb\x01 | EHLO x\r\n'),
  ...listed('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04 | PROXY TCP4 1.2.3.4 5 1 2\r\n | \r\n\r\n'),
];

/** Consecutive requests, some of them odd in one way, with bytes changed or the end cut off. */
export function rawPlans(): fc.Arbitrary<RawPlan> {
  const change = fc.record({
    at: fc.noBias(fc.nat(5_000)),
    taken: fc.oneof(fc.nat(2), fc.nat(200)),
    put: mostly(bytes(3), fc.constantFrom('', '\r\n', '\r\n\r\n', ':', ' ', 'x'.repeat(5_000)), 1),
  });
  const changes = mostly(fc.constant([]), fc.array(change, { minLength: 1, maxLength: 3 }), 2);
  const before = mostly(fc.constant(''), fc.constantFrom(...OTHER_PROTOCOLS));
  const cutOff = mostly(fc.constant(0), fc.noBias(fc.nat(150)), 4);
  const sent = fc.array(requests(), { minLength: 1, maxLength: 3 });
  return fc.record({
    text: fc.tuple(before, sent, changes, cutOff).map(([first, texts, all, cut]) =>
      all.reduce(
        (text, { at, taken, put }) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + put + text.slice(place + taken);
        },
        (first + texts.join('')).slice(0, -cut || undefined),
      ),
    ),
    pieces: fc.array(fc.noBias(fc.nat(500)), { maxLength: 4 }),
    ending: fc.constantFrom('half-close', 'wait', 'wait', 'reset'),
  });
}

const NEEDED = ['Authorization: Bearer {{token}}', 'Host: localhost'];

/** Mostly undefined, which leaves the good request as it is. */
const odd = <Value>(values: readonly Value[]): fc.Arbitrary<Value | undefined> =>
  mostly(fc.constant(undefined), fc.constantFrom(...values));

function requests(): fc.Arbitrary<string> {
  const field = mostly(fc.constantFrom(...FIELDS), fc.constantFrom(...ODD_FIELDS), 4);
  return fc
    .record({
      good: mostly(fc.constantFrom(...GOOD_REQUESTS), fc.constant(STREAM), 6),
      method: odd(ODD_METHODS),
      target: mostly(odd(ODD_TARGETS), bytes(20)),
      version: odd(ODD_VERSIONS),
      needed: odd(['', ...NEEDED]),
      fields: fc.array(mostly(field, bytes(30)), { maxLength: 2 }),
      body: odd(ODD_BODIES),
      framing: mostly(fc.constantFrom(...FRAMINGS), fc.constantFrom(...ODD_FRAMINGS)),
      newline: odd(['\n', '\r']),
    })
    .map(({ good, framing, fields, newline = '\r\n', version = 'HTTP/1.1', ...others }) => {
      const [, method, target, sent] = /^(\S+) (\S+) ?(.*)$/.exec(good) ?? [];
      const body = others.body ?? (sent || undefined);
      const line = `${others.method ?? method} ${others.target ?? target} ${version}`;
      const needed = others.needed ?? [...NEEDED, 'Content-Type: application/json'];
      const head = [line, needed, fields].flat().join('\n');
      const rest = body === undefined ? '\n' : framing;
      const lengths = { length: `${body?.length}`, hex: `${body?.length.toString(16)}`, body };
      return `${head}\n${rest}`
        .replaceAll('\n', newline)
        .replaceAll(/\{\{(length|hex|body)\}\}/g, (_all, name: 'body') => lengths[name] ?? '');
    });
}

function bytes(maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ maxLength }).map((array) => Buffer.from(array).toString('latin1'));
}
