import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { Fetch } from '../../src/host/adapters/fetch.js';
import type * as Portable from '../../src/host/server/in-page/browser-mock.js';
import { NODE } from '../../src/host/server/process/node-platform.js';
import { createMockServer } from '../../src/index.js';
import { newFolder } from '../support/fixture.js';
import { run } from '../support/programs.js';
import { SHIPPED } from '../support/shipped.js';

/** The globals that Node shares with browsers, except timers, which test runners fake. */
const OF_THE_WEB = [
  ...['AbortController', 'AbortSignal', 'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams'],
  ...['atob', 'btoa', 'console', 'crypto', 'structuredClone'],
  ...['Blob', 'Event', 'EventTarget', 'Headers', 'ReadableStream', 'Request', 'Response'],
];
const OF_THE_LANGUAGE: string[] = runInNewContext('Object.getOwnPropertyNames(globalThis)');

/** Bundles the service with all its imports; run in another process, as it cannot run in jest. */
const BUNDLING = (outDir: string) => `
  import { build } from 'tsdown';
  await build({
    config: false,
    entry: 'src/host/server/in-page/browser-mock.ts',
    outDir: ${JSON.stringify(outDir)},
    platform: 'browser',
    format: 'iife',
    globalName: 'portable',
    deps: { alwaysBundle: /./, onlyBundle: false },
    dts: false,
    logLevel: 'error',
  });
`;

async function bundle(): Promise<string> {
  const folder = newFolder();
  await run(process.execPath, ['--input-type=module', '--eval', BUNDLING(folder)]);
  return readFileSync(join(folder, 'browser-mock.iife.js'), 'utf8');
}

/** Runs code with only the globals of the language and the web. */
function runWithoutNode(code: string): typeof Portable {
  const known = new Set([...OF_THE_LANGUAGE, ...OF_THE_WEB]);
  const others = Object.getOwnPropertyNames(globalThis).filter(
    (name) => /^\w+$/.test(name) && !known.has(name),
  );
  const names = {
    ...Object.fromEntries(others.map((name) => [name, undefined])),
    globalThis: Object.fromEntries([...known].map((name) => [name, Reflect.get(globalThis, name)])),
  };
  const run = new Function(...Object.keys(names), `'use strict';${code}; return portable;`);
  return run(...Object.values(names));
}

const GIVEN = { seed: 7, captureBodies: true } as const;
const REFS = ['ref-1', 'ref-2'];
const JSON_TYPE = { 'Content-Type': 'application/json' };
const GZIPPED = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
const STUB = { method: 'POST', path: '/login', body: { token: '{{token body.user}}' } };

let code: string;
let fetches: readonly Fetch[];
let ids: { readonly customer: string; readonly name: string; readonly contract: string };

beforeAll(async () => {
  code = await bundle();
  const server = await createMockServer(GIVEN);
  const mock = await runWithoutNode(code).createPortableMock(SHIPPED, GIVEN, NODE);
  fetches = [server.fetch, mock.fetch];
  const [[customer], [contract]] = [[...server.dataset.customers], [...server.dataset.contracts]];
  ids = { customer: `${customer?.id}`, name: `${customer?.name}`, contract: `${contract?.id}` };
});

/** What is the same for both, since neither real time nor random ids are. */
function comparable(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"(at|openedAt|lastRequestAt)":"[^"]+"/g, '"$1":"<time>"')
    .replaceAll(/"durationMs":\d+/g, '')
    .replaceAll(/"content-length","\d+"/g, '');
}

async function responseOf(fetch: Fetch, path: string, init: RequestInit): Promise<string> {
  const response = await fetch(path, { headers: { Authorization: 'Bearer t' }, ...init });
  const body = await response.text().catch((error: Error) => `broken off: ${error.message}`);
  return comparable(`${response.status} ${JSON.stringify([...response.headers])} ${body}`);
}

/** Calls in their order, since some change what later ones find: what is sent, and the expected status. */
const CALLS: readonly [status: number, call: string, body?: unknown, headers?: object][] = [
  [200, 'PUT /__control/clock', { frozenAt: '2030-01-02T03:04:05.000Z' }],
  [200, 'GET /customers/{customer}'],
  [200, 'HEAD /customers/{customer}'],
  [200, 'GET /customers/name/{name}'],
  [200, 'GET /measurements?limit=1000'],
  [400, 'GET /measurements?limit=none&curso=x'],
  [200, 'DELETE /contracts/{contract}'],
  [404, 'DELETE /contracts/{contract}'],
  [200, 'POST /events/delete-by-refs', { refs: REFS }],
  [200, 'POST /events/delete-by-refs', gzipSync(JSON.stringify({ refs: REFS })), GZIPPED],
  [200, 'POST /events/delete-by-refs', `${' '.repeat(2 ** 20)}{"refs":["ü"]}`],
  [400, 'POST /events/delete-by-refs', '{"refs":'],
  [400, 'POST /events/delete-by-refs', Uint8Array.of(0xff)],
  [404, 'GET /customer/{customer}'],
  [405, 'PUT /customers/{customer}'],
  [401, 'GET /measurements', undefined, { Authorization: 'Basic t' }],
  [201, 'POST /__control/stubs', STUB],
  [200, 'POST /login', { user: 'Ünal' }],
  [201, 'POST /__control/faults', { kind: 'truncated', times: 1 }],
  [200, 'GET /customers/{customer}'],
  [200, 'PATCH /__control/decisions', { 'repeat-delete': 'gone' }],
  [410, 'DELETE /contracts/{contract}'],
  [200, 'PUT /__control/latency', { latency: '1..5' }],
  [200, 'GET /customers/{customer}'],
  [200, 'GET /__control/account'],
  [200, 'GET /__control/accounts'],
  [200, 'GET /__control/changes'],
  [200, 'GET /__control/state'],
  [200, 'GET /__control/fixture'],
  [200, 'GET /__control/scenarios'],
  [201, 'POST /__control/faults', { kind: 'respond', body: { customer: { id: 1 } } }],
  [200, 'GET /customers/{customer}'],
  [200, 'GET /__control/customers?text=a&limit=3'],
  [200, 'PUT /__control/customers/mine', { name: 'Mine' }],
  [201, 'POST /__control/snapshots', { id: 'now' }],
  [200, 'POST /__control/snapshots/now/restore'],
  [200, 'GET /__control/requests'],
  [200, 'GET /__control/requests/har'],
  [200, 'GET /__control/requests?of=server'],
  [200, 'POST /__control/requests/count', { status: 404 }],
  [200, 'GET /__control/requests/2/explain'],
  [200, 'GET /__control/ledger'],
  [200, 'GET /__control/openapi.json'],
  [200, 'GET /__control/health'],
  [200, 'POST /__control/reset'],
  [400, 'PUT /__control/state', { customers: [{ id: 1 }] }],
];

test.each(['process', 'Buffer', 'require', 'setTimeout', 'performance', 'globalThis.process'])(
  'where the service runs there is no %s',
  (name) => expect(runWithoutNode(`const portable = typeof ${name}`)).toBe('undefined'),
);

test('the service answers there, with the control plane and real datasets, as server.fetch does', async () => {
  for (const [status, call, body, headers] of CALLS) {
    const [method = '', template = ''] = call.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(Reflect.get(ids, name)),
    );
    const isSentAsIs = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const init = {
      method,
      headers: { Authorization: 'Bearer t', ...(body !== undefined && JSON_TYPE), ...headers },
      ...(body !== undefined && { body: isSentAsIs ? body : JSON.stringify(body) }),
    } as RequestInit;
    const [expected, received] = await Promise.all(
      fetches.map((fetch) => responseOf(fetch, path, init)),
    );
    expect([call, received]).toEqual([call, expected]);
    expect([call, received?.slice(0, 3)]).toEqual([call, `${status}`]);
  }
});
