import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import type { OpenApiDocument } from '../../src/core/openapi/route-table.js';
import {
  createMockServer,
  type Har,
  type JournalRequest,
  type MockServer,
  type MockServerOptions,
} from '../../src/index.js';
import { readRecording } from '../../src/tools/settle/recordings/calls-of-recording.js';
import { createCertificate, hasProgram } from '../support/certificates.js';
import { useCommands } from '../support/command.js';
import { openapi } from '../support/document.js';
import { until } from '../support/fetching.js';
import { fixtureFolder } from '../support/fixture.js';

const start = useCommands('--log-level', 'warn');
const TOKEN = 'ci-17-very-secret';
const testTls = hasProgram('openssl') ? test : test.skip;
const BEARER = { Authorization: `Bearer ${TOKEN}` };
const CONTRACT = '/contracts/65b000000000000000000001';

/** The members that HAR 1.2 requires. */
const FIELDS = { type: 'array', items: { type: 'object', required: ['name', 'value'] } };
const SCHEMA = {
  type: 'object',
  required: ['log'],
  properties: {
    log: {
      type: 'object',
      required: ['version', 'creator', 'entries'],
      properties: {
        version: { const: '1.2' },
        creator: { type: 'object', required: ['name', 'version'] },
        entries: {
          type: 'array',
          items: {
            type: 'object',
            required: ['startedDateTime', 'time', 'request', 'response', 'cache', 'timings'],
            properties: {
              startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT.*Z$' },
              time: { type: 'number', minimum: 0 },
              timings: { type: 'object', required: ['send', 'wait', 'receive'] },
              request: {
                type: 'object',
                required: [
                  ...['method', 'url', 'httpVersion', 'cookies', 'headers'],
                  ...['queryString', 'headersSize', 'bodySize'],
                ],
                properties: {
                  url: { type: 'string', pattern: '^https?://[^/]+/' },
                  headers: FIELDS,
                  queryString: FIELDS,
                  postData: { type: 'object', required: ['mimeType', 'text'] },
                },
              },
              response: {
                type: 'object',
                required: [
                  ...['status', 'statusText', 'httpVersion', 'cookies', 'headers'],
                  ...['content', 'redirectURL', 'headersSize', 'bodySize'],
                ],
                properties: {
                  status: { type: 'integer' },
                  headers: FIELDS,
                  content: { type: 'object', required: ['size', 'mimeType'] },
                },
              },
            },
          },
        },
      },
    },
  },
};
const isHar = new Ajv().compile(SCHEMA);

function expectHar(har: unknown): asserts har is Har {
  isHar(har);
  expect(isHar.errors).toBeNull();
}

function read(har: Har) {
  const document: OpenApiDocument = openapi;
  return readRecording(JSON.stringify(har), { name: 'a.har', document });
}

function call(url: string, path: string, init: RequestInit = {}) {
  return fetch(`${url}${path}`, { ...init, headers: { ...BEARER, ...init.headers } });
}

function post(url: string, body: string) {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return call(url, '/events/delete-by-refs', { method: 'POST', headers, body });
}

/** Calls each kind of operation; returns the response bodies. */
async function callEach(url: string): Promise<string[]> {
  const responses = [
    await call(url, '/measurements?limit=2'),
    await call(url, CONTRACT, { method: 'DELETE' }),
    await call(url, CONTRACT, { method: 'DELETE' }),
    await post(url, '{ "refs": ["acme-2026-03-31-001"] }'),
  ];
  return Promise.all(responses.map((response) => response.text()));
}

/** The library's archive after all requests have ended, which the control plane must match. */
async function harOf(server: MockServer): Promise<Har> {
  const { journal } = server.account(TOKEN);
  await until(() => journal.list().every(({ outcome }) => outcome !== undefined));
  const overHttp = await (await call(server.url, '/__control/requests/har')).json();
  const har = journal.toHar();
  expect(overHttp).toEqual(har);
  expectHar(har);
  expect(JSON.stringify(har)).not.toContain('very-secret');
  return har;
}

async function withServer(
  options: NonNullable<Parameters<typeof createMockServer>[0]>,
  act: (server: MockServer) => Promise<void>,
) {
  const server = await createMockServer(options);
  await server.start();
  await act(server).finally(() => server.stop());
}

/** Calls a server with a self-signed certificate. */
function callEncrypted(url: string, ca: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { ca, agent: new Agent(), headers: BEARER }, (response) => resolve(text(response)))
      .once('error', reject)
      .end();
  });
}

const STUBBED: MockServerOptions = {
  captureBodies: true,
  basePath: '/v1',
  stubs: [{ method: 'GET', path: '/invoices/{id}', body: { id: '{{path.id}}' } }],
};
const PATHS = ['/invoices/7?page=1', '/measurements?limit=1'];

/** The archived URL and headers of one call of each path. */
function expectWholeUrls(server: MockServer) {
  const { journal } = server.account(TOKEN);
  expect(journal.list()).toMatchObject([
    { path: '/invoices/7', stub: { id: 1, for: 'server' }, responseBody: { id: '7' } },
    { path: '/measurements', operationId: 'listMeasurements' },
  ]);
  const har = journal.toHar();
  expectHar(har);
  expect(har.log.entries.map((entry) => entry.request.url)).toEqual(
    PATHS.map((path) => `${server.url}${path}`),
  );
  expect(har.log.entries[0]?.response.content.text).toBe('{"id":"7"}');
}

describe('a journal as an HTTP archive', () => {
  test('has the calls with their responses, byte by byte, where they are kept', () =>
    withServer({ captureBodies: true }, async (server) => {
      const bodies = await callEach(server.url);
      const har = await harOf(server);
      expect(har.log.comment).toBeUndefined();
      expect(har.log.entries.map(({ response }) => response.content.text)).toEqual(bodies);
      expect(har.log.entries[0]).toMatchObject({
        request: {
          method: 'GET',
          url: `${server.url}/measurements?limit=2`,
          queryString: [{ name: 'limit', value: '2' }],
        },
        response: {
          status: 200,
          statusText: 'OK',
          content: { mimeType: 'application/json; charset=utf-8', size: bodies[0]?.length },
        },
        _id: 1,
        _operationId: 'listMeasurements',
      });
      expect(har.log.entries[3]?.request.postData).toEqual({
        mimeType: 'application/json; charset=utf-8',
        text: '{ "refs": ["acme-2026-03-31-001"] }',
      });
      const { samples, host, passedOver } = read(har);
      expect([host, passedOver]).toEqual([new URL(server.url).host, 0]);
      expect(samples.map((one) => [one.request.operationId, one.response.status])).toEqual([
        ['listMeasurements', 200],
        ['deleteContract', 200],
        ['deleteContract', 404],
        ['deleteEventsByRefs', 200],
      ]);
      expect(samples.map(({ response }) => response.body)).toEqual(
        bodies.map((body) => ({ kind: 'json', value: JSON.parse(body) })),
      );
    }));

  test('says so where responses were not kept, and how to keep them', () =>
    withServer({}, async (server) => {
      await callEach(server.url);
      const har = await harOf(server);
      for (const { comment } of [har.log, ...har.log.entries.map((one) => one.response.content)]) {
        expect(comment).toContain('--capture-bodies');
      }
      for (const { response } of har.log.entries) expect(response.content.text).toBeUndefined();
      expect(read(har).samples.map(({ response }) => response.body.kind)).toEqual(
        Array(4).fill('unknown'),
      );
    }));

  test('passes the filter of the journal, and leaves out what is under way', () =>
    withServer({}, async (server) => {
      await callEach(server.url);
      const { journal, faults } = server.account(TOKEN);
      await until(() => journal.list().every(({ outcome }) => outcome !== undefined));
      const found = await call(server.url, '/__control/requests/har?status=404');
      const { log } = (await found.json()) as Har;
      expect(log.entries.map(({ _id }) => _id)).toEqual([3]);
      expect(journal.toHar({ status: 404 }).log).toEqual(log);
      faults.add({ kind: 'delay', delayMs: 60_000 });
      void call(server.url, '/measurements').catch(() => undefined);
      await until(() => journal.count() === 5);
      expect(journal.toHar().log.entries).toHaveLength(4);
    }));

  test('has the whole URL below a base path, and the responses of stubs', () =>
    withServer(STUBBED, async (server) => {
      for (const path of PATHS) await (await call(server.url, path)).text();
      await harOf(server);
      expectWholeUrls(server);
    }));

  testTls('has the whole URL over https, and the responses of stubs', () => {
    const files = createCertificate('IP:127.0.0.1');
    return withServer({ ...STUBBED, ...files }, async (server) => {
      const ca = readFileSync(files.tlsCert);
      for (const path of PATHS) await callEncrypted(`${server.url}${path}`, ca);
      const { journal } = server.account(TOKEN);
      await until(() => journal.list().every(({ outcome }) => outcome !== undefined));
      expect(server.url).toMatch(/^https:.*\/v1$/);
      expectWholeUrls(server);
    });
  });

  test('of the server has what reached no account', () =>
    withServer({ captureBodies: true }, async (server) => {
      const response = await call(server.url, '/invoices?draft=true');
      const text = await response.text();
      await until(() => server.journal.list()[0]?.outcome !== undefined);
      const har = server.journal.toHar();
      expectHar(har);
      expect(har.log.entries[0]?.request.url).toBe(`${server.url}/invoices?draft=true`);
      expect(har.log.entries[0]?.response.content.text).toBe(text);
    }));

  test('has neither bodies of HEAD, nor those of more than 1 MB, and says so', () =>
    withServer({ captureBodies: true, dataset: 'empty' }, async (server) => {
      const { customers } = server.account(TOKEN);
      customers.put({ id: 'long', name: 'x'.repeat(2 ** 20) });
      customers.put({ id: 'short' });
      await call(server.url, '/customers/short', { method: 'HEAD' });
      const { length } = await (await call(server.url, '/customers/long')).text();
      const [head, long] = (await harOf(server)).log.entries;
      expect(head?.response.content).toMatchObject({ size: 0, text: '' });
      expect(long?.response.content).toMatchObject({
        size: length,
        comment: `The body has ${length} bytes and was not kept.`,
      });
    }));

  test('says of a long body of a request how long it was, and its hash', () =>
    withServer({}, async (server) => {
      const refs = Array.from({ length: 1_000 }, (_, nth) => `${nth}`.padStart(100, 'x'));
      const body = JSON.stringify({ refs });
      const headers = { 'Content-Type': 'application/json' };
      await call(server.url, '/events/delete-by-refs', { method: 'POST', headers, body });
      const [entry] = (await harOf(server)).log.entries;
      const hash = createHash('sha256').update(body).digest('hex');
      expect(entry?.request).toMatchObject({
        bodySize: body.length,
        comment: `The body of ${body.length} bytes was not kept; its SHA-256 is ${hash}.`,
      });
    }));

  test('has where a stub sends its client', () => {
    const headers = { Location: '/measurements' };
    const stubs = [{ method: 'GET', path: '/old', status: 302, headers }] as const;
    return withServer({ captureBodies: true, stubs: [...stubs] }, async (server) => {
      await call(server.url, '/old', { redirect: 'manual' });
      await call(server.url, '/measurements?limit=1');
      const { entries } = (await harOf(server)).log;
      expect(entries.map(({ response }) => response.redirectURL)).toEqual(['/measurements', '']);
    });
  });
});

test('the listing and the journal file have the bodies that --capture-bodies keeps', async () => {
  const file = join(fixtureFolder, 'captured.jsonl');
  const { url } = await start(['--capture-bodies', '--journal-file', file]);
  const body = await (await call(url, '/measurements?limit=1')).json();
  await (await call(url, '/measurements?limit=1000')).text();
  const long = { bytes: expect.any(Number), hash: expect.stringMatching(/^[\da-f]{64}$/) };
  await until(() => readFileSync(file, 'utf8').split('\n').length === 4);
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).responseBody)).toEqual([body, long]);
  const listed = await call(url, '/__control/requests');
  const { requests } = (await listed.json()) as { requests: JournalRequest[] };
  expect(requests.map(({ responseBody }) => responseBody)).toEqual([body, long]);
  const har: unknown = await (await call(url, '/__control/requests/har')).json();
  expectHar(har);
  expect(read(har).samples).toHaveLength(2);
});

test('the command keeps short bodies for archives alone, unless it is told not to', async () => {
  const { url } = await start();
  const body = await (await call(url, '/measurements?limit=1')).text();
  await (await call(url, '/measurements?limit=1000')).text();
  const listing = (await (await call(url, '/__control/requests')).json()) as object;
  expect(JSON.stringify(listing)).not.toContain('responseBody');
  const har = (await (await call(url, '/__control/requests/har')).json()) as Har;
  const contents = har.log.entries.map(({ response }) => response.content);
  expect(contents).toMatchObject([
    { text: body },
    { comment: expect.stringContaining('--capture-bodies') },
  ]);
  const { url: without } = await start(['--recent-bodies', '0']);
  await (await call(without, '/measurements?limit=1')).text();
  const { log } = (await (await call(without, '/__control/requests/har')).json()) as Har;
  expect(log.entries[0]?.response.content).not.toHaveProperty('text');
});

test('bodies are kept of the last answers of all accounts', () =>
  withServer({ recentBodies: 3 }, async (server) => {
    const journals = [server.account(TOKEN).journal, server.account('another').journal] as const;
    for (let nth = 0; nth < 4; nth += 1) await (await call(server.url, '/customers/none')).text();
    const headers = { Authorization: 'Bearer another' };
    await (await server.fetch('http://mock/customers/none', { headers })).text();
    await until(() =>
      journals.every((one) => one.list().every(({ outcome }) => outcome !== undefined)),
    );
    const kept = journals.map((one) =>
      one.toHar().log.entries.map(({ response }) => 'text' in response.content),
    );
    expect(kept).toEqual([[false, false, true, true], [true]]);
  }));
