import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { OptionError } from '../../src/core/errors/option-error.js';
import type { OpenApiDocument } from '../../src/core/openapi/route-table.js';
import { type SettleReport, settle } from '../../src/index.js';
import { inSequence, readRecording } from '../../src/tools/settle/recordings/calls-of-recording.js';
import { anyCharacter } from '../support/characters.js';
import { openapi } from '../support/document.js';
import { newFolder, writeFixture } from '../support/fixture.js';

const document: OpenApiDocument = openapi;
const read = (text: string, basePath?: string) =>
  readRecording(text, { name: 'a.har', document, ...(basePath !== undefined && { basePath }) });

const FOLDER = 'test/settle/recordings';
const readFile = (name: string) => read(readFileSync(join(FOLDER, name), 'utf8').trim());

/** The samples in a recording, a line for each. */
const linesOf = ({ samples }: ReturnType<typeof read>) =>
  samples.map(
    ({ request, response }) => `${request.operationId} ${response.status} ${response.body.kind}`,
  );

/** A recording of entries that differ from a plain listing. */
const har = (...entries: object[]) => JSON.stringify({ log: { version: '1.2', entries } });
const entry = (request: object = {}, response: object = {}, others: object = {}) => ({
  startedDateTime: '2026-04-01T12:00:00.000Z',
  request: { method: 'GET', url: 'https://billing.example/measurements', headers: [], ...request },
  response: { status: 200, headers: [], content: { size: 2, text: '{}' }, ...response },
  ...others,
});
const only = (text: string, basePath?: string) => {
  const [sample, ...others] = read(text, basePath).samples;
  if (!sample || others.length > 0) throw new Error('not one sample');
  return sample;
};
const bodyOf = (content: object, more: object = {}) =>
  only(har(entry({}, { content, ...more }))).response.body;
/** A body as bytes in base64, and the field that says how they are encoded. */
const encoded = (bytes: Uint8Array, coding: string) =>
  [
    { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' },
    { headers: [{ name: 'Content-Encoding', value: coding }] },
  ] as const;
const { brotliCompressSync, deflateSync, gzipSync } = zlib;
/** A frame with one raw block (RFC 8878). */
const ZSTD = Buffer.concat([Buffer.from('28b52ffd2007390000', 'hex'), Buffer.from('{"a":1}')]);
const JSON_OF_A = { kind: 'json', value: { a: 1 } };
const refusalOf = (text: string, basePath?: string): string => {
  try {
    read(text, basePath);
  } catch (error) {
    if (error instanceof OptionError) return error.message;
    throw error;
  }
  throw new Error('read');
};

const LISTED = ['listMeasurements 200 json', 'listMeasurements 200 json'];
const FOUND = ['getCustomer 200 json', 'getCustomerByName 200 json'];
const REFUSED = ['getCustomer 404 json', 'listMeasurements 400 json'];
const DELETED = ['deleteContract 200 json', 'deleteEventsByRefs 200 json'];
const ALL = [...LISTED, ...FOUND, ...REFUSED, ...DELETED];
const SHORT = [...LISTED, 'getCustomer 404 json', 'deleteEventsByRefs 200 json'];
const PROXIED = [
  'listMeasurements 200 json',
  'listMeasurements 400 json',
  ...FOUND,
  'getCustomerByName 400 json',
  ...DELETED,
  'deleteEventsByRefs 415 json',
];

describe('a recording', () => {
  it.each([
    ['chromium.har', SHORT, 'given'],
    ['chromium-sanitized.har', SHORT, 'unknown'],
    ['firefox.har', SHORT, 'given'],
    ['playwright-embed.har', ALL, 'given'],
    ['playwright-minimal.har', ALL, 'given'],
    ['playwright-omit.har', ALL.map((line) => line.replace('json', 'unknown')), 'given'],
    ['playwright-attach.har', ALL.map((line) => line.replace('json', 'unknown')), 'given'],
    ['mitmproxy.har', PROXIED, 'given'],
    ['mitmproxy-har-dump.har', PROXIED, 'given'],
  ])('of %s is read', (name, lines, token) => {
    const recording = readFile(name);
    expect(linesOf(recording)).toEqual(lines);
    expect(recording.host).toBe('127.0.0.1:4010');
    expect(new Set(recording.samples.map(({ request }) => request.token))).toEqual(
      new Set([token]),
    );
  });

  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.har')))(
    'of a mock tells nothing that the mock does not do: %s',
    async (name) => {
      const { verdicts, violations } = await settle({ recordings: [join(FOLDER, name)] });
      const wrong = verdicts.filter(
        ({ verdict, agrees }) => verdict === 'none' || agrees === false,
      );
      expect(wrong).toEqual([]);
      // Without the bodies of responses, there is little to conclude from.
      const hasBodies = !/omit|attach/.test(name);
      expect(verdicts.some(({ agrees }) => agrees === true)).toBe(hasBodies);
      expect(violations).toEqual([]);
    },
  );

  it('counts what it passes over: the page, preflights, other paths and other hosts', () => {
    expect(readFile('playwright-embed.har').passedOver).toBe(1);
    expect(readFile('chromium.har').passedOver).toBe(6);
    expect(readFile('mitmproxy.har').passedOver).toBe(2);
    expect(readFile('mitmproxy-har-dump.har').passedOver).toBe(1);
  });

  it.each<[string, SettleReport['gaps']]>([
    ['mitmproxy.har', {}],
    ['firefox.har', { 'no-response': 1 }],
    ['chromium-sanitized.har', { 'no-response': 1, 'no-request-headers': 4 }],
    ['playwright-omit.har', { 'no-response': 1, 'no-response-body': 8, 'no-request-body': 1 }],
    [
      'playwright-attach.har',
      {
        'no-response': 1,
        'response-body-in-another-file': 8,
        'request-body-in-another-file': 1,
      },
    ],
  ])('counts what %s lacks', async (name, gaps) => {
    const report = await settle({ recordings: [join(FOLDER, name)] });
    expect(report.gaps).toEqual(gaps);
  });

  it('is as old as its first call, whenever it is read', async () => {
    const recordings = [join(FOLDER, 'playwright-embed.har'), join(FOLDER, 'firefox.har')];
    const entries = recordings.flatMap(
      (path) => JSON.parse(readFileSync(path, 'utf8')).log.entries,
    );
    const times = entries
      .filter(({ request }) => request.url.includes('127.0.0.1:4010/'))
      .map(({ startedDateTime }) => Date.parse(startedDateTime));
    const { startedAt } = await settle({ recordings });
    expect(startedAt).toBe(new Date(Math.min(...times)).toISOString());
    const timeless = writeFixture(har({ ...entry(), startedDateTime: null }), 'timeless.har');
    expect(await settle({ recordings: [timeless] })).not.toHaveProperty('startedAt');
  });

  it.each(['../page.json', 'folder/page.json', '/page.json', '..', ''])(
    'reads no file but those beside it, such as %s',
    async (file) => {
      const folder = newFolder();
      mkdirSync(join(folder, 'folder/folder'), { recursive: true });
      for (const path of ['page.json', 'folder/folder/page.json'])
        writeFileSync(join(folder, path), '{}');
      const path = join(folder, 'folder/session.har');
      const content = { size: 2, _file: file.replace(/^\/.*/, join(folder, 'page.json')) };
      writeFileSync(path, har(entry({}, { content })));
      const { gaps } = await settle({ recordings: [path] });
      expect(gaps).toHaveProperty(
        file === '' ? 'no-response-body' : 'response-body-in-another-file',
      );
    },
  );

  it('has the values of paths and queries decoded, and the bodies of requests', () => {
    const requests = readFile('mitmproxy.har').samples.map(({ request }) => request);
    expect(requests.flatMap(({ path }) => Object.values(path))).toEqual([
      '65a000000000000000000001',
      'Acme Corporation',
      'Acme+Corporation',
      '65b000000000000000000001',
    ]);
    expect(requests.flatMap(({ query }) => query)).toEqual([
      ['limit', '2'],
      ['limit', '2'],
      ['cursor', 'none'],
      ['a b', 'c+d'],
    ]);
    expect(requests.map(({ body }) => body).filter((body) => body !== undefined)).toEqual([
      { refs: ['acme-2026-03-31-001', 'none'] },
      'refs=acme-2026-03-31-001',
    ]);
    const [unknown] = readFile('firefox.har').samples.filter(
      ({ response }) => response.status === 404,
    );
    expect(unknown?.request.path).toEqual({ customerId: 'unknown/one' });
  });

  it('has its samples in the sequence of their times, not of the file', () => {
    const at = (time: string | undefined, limit: number) => ({
      ...entry({ url: `https://billing.example/measurements?limit=${limit}` }),
      startedDateTime: time,
    });
    const { samples } = read(
      har(
        at('2026-04-01T14:00:03+02:00', 3),
        at('2026-04-01T12:00:01.5Z', 1),
        at(undefined, 2),
        at('soon', 2),
      ),
    );
    expect(samples.map(({ request }) => request.query[0]?.[1])).toEqual(['1', '2', '2', '3']);
    expect(samples[0]?.sentAtMs).toBe(Date.parse('2026-04-01T12:00:01.500Z'));
  });

  it('has unanswered requests in their places, also those without a time', () => {
    const at = (startedDateTime: string | undefined, limit: number, status: number) => ({
      ...entry({ url: `https://billing.example/measurements?limit=${limit}` }, { status }),
      startedDateTime,
    });
    const { samples, unanswered } = read(
      har(
        at('2026-04-01T12:00:01Z', 1, 200),
        at(undefined, 2, 0),
        at('2026-04-01T12:00:03Z', 3, 0),
        at('2026-04-01T12:00:04Z', 4, 200),
      ),
    );
    expect(unanswered).toHaveLength(2);
    const all = inSequence(samples, unanswered);
    expect(all.map(({ request }) => request.query[0]?.[1])).toEqual(['1', '2', '3', '4']);
  });

  it('has samples of one millisecond in the sequence of their further digits', () => {
    const at = (time: string, limit: number) => ({
      ...entry({ url: `https://billing.example/measurements?limit=${limit}` }),
      startedDateTime: time,
    });
    const { samples } = read(
      har(
        at('2026-04-01T12:00:01.0003+00:00', 3),
        at('2026-04-01T12:00:01.00010+00:00', 1),
        at('2026-04-01T14:00:01.00011+02:00', 2),
      ),
    );
    expect(samples.map(({ request }) => request.query[0]?.[1])).toEqual(['1', '2', '3']);
  });

  it('has header fields in lower case, repeated ones joined, and no pseudo fields', () => {
    const headers = [
      { name: ':status', value: '200' },
      { name: 'VARY', value: 'Origin' },
      { name: 'vary', value: 'Accept' },
      { name: 'Set-Cookie', value: 'a=1\nb=2' },
      { name: '__proto__', value: 'plain' },
      { name: 7, value: null },
    ];
    expect(Object.entries(only(har(entry({}, { headers }))).response.headers)).toEqual([
      ['vary', 'Origin, Accept'],
      ['set-cookie', 'a=1, b=2'],
      ['__proto__', 'plain'],
    ]);
  });

  it.each<[string, object, object, object]>([
    [
      'in base64',
      { size: 7, text: 'eyJhIjoxfQ==', encoding: 'Base64' },
      {},
      { kind: 'json', value: { a: 1 } },
    ],
    [
      'whose size is that of compressed bytes',
      { size: 5, mimeType: 'application/json', text: '{"a":1}' },
      {},
      { kind: 'json', value: { a: 1 } },
    ],
    ['in base64 of Brotli', ...encoded(brotliCompressSync('{"a":1}'), 'br'), JSON_OF_A],
    ['in base64 of gzip', ...encoded(gzipSync('{"a":1}'), 'GZIP'), JSON_OF_A],
    ['in base64 of deflate', ...encoded(deflateSync('{"a":1}'), 'deflate'), JSON_OF_A],
    [
      'in base64 of Zstandard',
      ...encoded(ZSTD, 'zstd'),
      // Node 20 has none.
      'zstdDecompressSync' in zlib ? JSON_OF_A : { kind: 'unknown' },
    ],
    [
      'in base64 of gzip of gzip',
      ...encoded(gzipSync(gzipSync('{"a":1}')), 'gzip, gzip'),
      JSON_OF_A,
    ],
    ['in base64 that was decompressed', ...encoded(Buffer.from('{"a":1}'), 'br'), JSON_OF_A],
    [
      'in base64 of a page that was decompressed',
      ...encoded(Buffer.from('<p>'), 'br'),
      { kind: 'text' },
    ],
    [
      'in base64 of half of gzip',
      ...encoded(gzipSync('{"a":1}').subarray(0, 12), 'gzip'),
      { kind: 'unknown' },
    ],
    ['that is not UTF-8', { size: 2, text: '//4=', encoding: 'base64' }, {}, { kind: 'unknown' }],
    ['in another file', { size: 7, _file: 'a.json' }, {}, { kind: 'unknown' }],
    ['that was left out', { size: 7 }, {}, { kind: 'unknown' }],
    ['of unknown size that was left out', { size: -1 }, {}, { kind: 'unknown' }],
    ['that was cut', { size: 70, text: '{"measurements":[' }, {}, { kind: 'unknown' }],
    [
      'that was cut, as its media type tells',
      { size: -1, mimeType: 'application/json', text: '{"measurements":[' },
      {},
      { kind: 'unknown' },
    ],
    [
      'that failed on its way',
      { size: 0, text: '' },
      { bodySize: 0, _error: 'net::ERR_FAILED' },
      { kind: 'unknown' },
    ],
    ['that was empty', { size: 0, text: '' }, {}, { kind: 'empty' }],
    ['that both sizes call empty', { size: 0 }, { bodySize: 0 }, { kind: 'empty' }],
    [
      'that its length calls empty',
      {},
      { headers: [{ name: 'Content-Length', value: '0' }] },
      { kind: 'empty' },
    ],
    [
      'that the same length twice calls empty',
      {},
      { headers: ['0', '0'].map((value) => ({ name: 'Content-Length', value })) },
      { kind: 'empty' },
    ],
    ['of which nothing but a size of 0 tells', { size: 0 }, {}, { kind: 'unknown' }],
    ['that was not kept', { size: 0, text: null }, { bodySize: 0 }, { kind: 'unknown' }],
    [
      'that was lost, as its length tells',
      { size: 0, text: '' },
      { headers: [{ name: 'Content-Length', value: '7' }] },
      { kind: 'unknown' },
    ],
    ['of a 204', { size: -1 }, { status: 204 }, { kind: 'empty' }],
    ['in HTML', { size: 5, text: '<p>no' }, {}, { kind: 'text' }],
    [
      'that is nested too deeply',
      { text: `${'['.repeat(200)}${']'.repeat(200)}` },
      {},
      { kind: 'text' },
    ],
  ])('has a body %s as what it is', (_, content, more, expected) => {
    expect(bodyOf(content, more)).toEqual(expected);
  });

  it('has the form of a request that was recorded as parameters', () => {
    const request = {
      method: 'POST',
      url: 'https://billing.example/events/delete-by-refs',
      postData: {
        mimeType: 'application/x-www-form-urlencoded',
        params: [{ name: 'refs', value: 'a b' }],
      },
    };
    expect(only(har(entry(request))).request.body).toBe('refs=a+b');
  });

  it('is read below its base path, however that is written', () => {
    const text = har(entry({ url: 'https://billing.example/api/v1/customers/a%2Fb' }));
    for (const base of ['/api/v1', 'api/v1/', 'https://billing.example/api/v1/']) {
      expect(only(text, base).request).toMatchObject({
        operationId: 'getCustomer',
        path: { customerId: 'a/b' },
      });
    }
  });

  it('of two hosts is read for the one that the base names', () => {
    const text = har(
      entry({ url: 'http://localhost:3000/customers/1' }),
      entry({ url: 'https://billing.example/customers/2' }),
    );
    expect(refusalOf(text)).toBe(
      "The recording 'a.har' has calls to 2 hosts; expected calls to one service; did you mean --base-path http://localhost:3000 or https://billing.example (basePath in the library)?",
    );
    expect(only(text, 'https://billing.example').request.path).toEqual({ customerId: '2' });
  });
});

const EXPECTED = 'expected a HAR 1.2 file, as browsers, Playwright and proxies write it';

describe('a recording is refused with one sentence if it', () => {
  const jpeg = Buffer.from('ffd8ffe000104a464946000101', 'hex').toString();
  const whole = readFileSync('test/settle/recordings/chromium.har', 'utf8').trim();
  it.each([
    ['is empty', '', `is empty; ${EXPECTED}; record it again while your client calls the service.`],
    [
      'is cut off',
      whole.slice(0, 5000),
      `ends after 5000 characters in the middle of its JSON; ${EXPECTED}; save all of it again.`,
    ],
    ['has a mistake', '{"log": oops}', `is not valid JSON; ${EXPECTED}; save it again.`],
    ['is a picture', jpeg, `is binary; ${EXPECTED}; choose another file.`],
    [
      'is a zip archive',
      'PK\u0003\u0004\u0014',
      `is a zip archive; ${EXPECTED}; record with content: 'embed', or unpack it and choose the .har file.`,
    ],
    [
      'is a page',
      '<html></html>',
      `is not JSON: it begins with "<html></html>"; ${EXPECTED}; choose another file.`,
    ],
    [
      'is a list',
      '[1]',
      `is JSON of a list, without log.entries; ${EXPECTED}; choose another file.`,
    ],
    ['is null', 'null', `is JSON of null, without log.entries; ${EXPECTED}; choose another file.`],
    [
      'is another object',
      '{"openapi":"3.0.3","info":{}}',
      `is a JSON object with the members "openapi", "info", without log.entries; ${EXPECTED}; choose another file.`,
    ],
    [
      'is nested very deeply',
      '['.repeat(200_000) + ']'.repeat(200_000),
      `is nested deeper than 100 levels; ${EXPECTED}; choose another file.`,
    ],
    [
      'has no entries',
      '{"log":{"entries":[]}}',
      `has no entries; ${EXPECTED}; record it again while your client calls the service.`,
    ],
  ])('%s', (_, text, sentence) => {
    expect(refusalOf(text)).toBe(`The recording 'a.har' ${sentence}`);
  });

  it('has no call of an operation', () => {
    const aborted = entry({}, { status: 0 });
    const health = entry({ url: 'https://billing.example/health' });
    const received =
      "The recording 'a.har' contains no answered call to an operation; expected calls such as GET /measurements";
    const again = 'record it again while your client calls the service';
    expect(refusalOf(har(health))).toBe(
      `${received}; ${again}, or name its base path with --base-path (basePath in the library).`,
    );
    expect(refusalOf(har(aborted, health))).toBe(
      `${received}, and their responses; ${again}, and it responds.`,
    );
  });

  it('has relative URLs', () => {
    expect(refusalOf(har(entry({ url: '/measurements' })))).toBe(
      "The recording 'a.har' has no absolute URLs; expected them, as HAR 1.2 prescribes; record it again with another tool, or put the service's address before each URL.",
    );
  });

  it('has its calls below a base path, which the sentence names', () => {
    const text = har(
      entry({ url: 'https://billing.example/v1/measurements' }),
      entry({ url: 'https://billing.example/v1/customers/name/x' }),
    );
    const suggestion = 'did you mean --base-path /v1 (basePath in the library)?';
    expect(refusalOf(text)).toContain(`; ${suggestion}`);
    expect(refusalOf(text, '/v2')).toContain(` to an operation below '/v2'; `);
    expect(refusalOf(text, '/v2')).toContain(`; ${suggestion}`);
    expect(refusalOf(har(entry()), '/v2')).toContain('did you mean --base-path / (');
  });
});

test('evidence from a recording has no value of a query that is not documented', async () => {
  const url = 'https://billing.example/measurements?api_key=hunter-two&limit=0';
  const refused = {
    status: 400,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content: { size: 14, text: '{"error":"no"}' },
  };
  const recording = writeFixture(har(entry({ url }, refused)), 'secret.har');
  const report = JSON.stringify(await settle({ recordings: [recording] }));
  expect(report).toContain('GET /measurements?api_key=[redacted]&limit=0 -> 400');
  expect(report).not.toContain('hunter-two');
});

const OWN = 'a-token-of-mine/1';
const SIGNED = `eyJhbGciOiJub25lIn0.eyJ${'a'.repeat(80)}.c2VjcmV0`;

test.each([
  [`limit=${OWN}`, 'limit=[redacted]'],
  [`limit=${'1'.repeat(50)}+${OWN}`, `limit=${'1'.repeat(50)} [redacted]…`],
  [`${OWN}=1`, '[redacted]=…'],
  [`limit=${SIGNED}`, 'limit=[redacted]…'],
])('evidence from a recording has no token, such as that in %s', async (query, shown) => {
  const url = `https://billing.example/measurements?${query}`;
  const headers = [{ name: 'Authorization', value: `Bearer ${OWN}` }];
  const refused = { status: 400, content: { size: 14, text: '{"error":"no"}' } };
  const recording = writeFixture(har(entry({ url, headers }, refused)), 'tokens.har');
  const report = JSON.stringify(await settle({ recordings: [recording] }));
  expect(report).toContain(`GET /measurements?${shown} -> 400`);
  expect(report).not.toMatch(/a-token-|eyJ/);
});

describe('whatever a file contains', () => {
  it('a URL of 60,000 segments is read in no more time than its length asks for', () => {
    const url = `https://billing.example${'/a'.repeat(60_000)}`;
    const startedAt = performance.now();
    expect(refusalOf(har(entry({ url })))).toContain('contains no answered call to an operation');
    const refusal = refusalOf(har(entry({ url: `${url}/measurements` })));
    expect(refusal).toMatch(/did you mean --base-path (\/a){100}… \(/);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  const isReadOrRefused = (text: string) => {
    try {
      const { samples, passedOver } = read(text);
      return samples.length > 0 && passedOver >= 0;
    } catch (error) {
      return (
        error instanceof OptionError && /^The recording 'a\.har' [^\n]+[.?]$/.test(error.message)
      );
    }
  };

  it('it is read, or refused with one sentence', () => {
    fc.assert(fc.property(fc.json(), isReadOrRefused));
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), isReadOrRefused));
  });

  it('an entry with any members is read, or passed over', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom({ toString: 1, valueOf: 2 }, '__proto__', 'constructor', -1),
    );
    const part = (names: string[]) =>
      fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] });
    const odd = fc.record({
      startedDateTime: anything,
      request: part(['method', 'url', 'headers', 'postData']),
      response: part(['status', 'headers', 'content']),
    });
    const known = fc.record({
      headers: fc.array(part(['name', 'value'])),
      content: part(['text', 'size', 'encoding', '_file']),
      postData: part(['text', 'params', 'encoding']),
    });
    fc.assert(
      fc.property(
        fc.array(odd),
        known,
        anything,
        (entries, { headers, content, postData }, time) => {
          const likely = entry(
            { headers, postData },
            { headers, content },
            { startedDateTime: time },
          );
          const { samples } = read(har(...entries, likely));
          return samples.length === 1;
        },
      ),
    );
  });
});
