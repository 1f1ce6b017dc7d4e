import { readFileSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import request from 'supertest';
import { parse } from 'yaml';
import { createMockServer } from '../../src/index.js';
import { withEachCollection } from '../../src/mock/control-plane/control-document.js';
import { clientOf } from '../support/client.js';
import { type Control, controlOf } from '../support/control.js';
import { openapi } from '../support/document.js';
import { writeFixture } from '../support/fixture.js';

/** A part of a parsed document, untyped: the tests do not rely on generated types. */
type Part = typeof openapi;

const mixed = { extends: resolvePath('test/support/mixed-records.yaml') };
const server = await createMockServer({
  dataset: writeFixture(JSON.stringify({ ...mixed, scenarios: { outage: { latency: 1 } } })),
  accounts: { 'token-refused': { refused: true } },
});
const written: Part = parse(readFileSync('control.openapi.yaml', 'utf8'));
const { body: document } = await controlOf(server).get('/control.openapi.json');

const operationsIn = ({ paths }: Part) =>
  Object.entries<Part>(paths).flatMap(([path, item]) =>
    Object.entries<Part>(item).map(([method, operation]) => ({ path, method, operation })),
  );

/** The operations of the document, those on records once for each collection. */
const operations = operationsIn(withEachCollection(document as never));

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value under a schema of a document; empty if it is valid. */
function violationsOf(schema: Part, value: unknown, { components }: Part = document): string[] {
  const key = JSON.stringify(schema);
  const known = components === document.components ? compiled.get(key) : undefined;
  const validate = known ?? ajv.compile({ components, ...schema });
  if (components === document.components) compiled.set(key, validate);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Follows a local `$ref`. */
function resolve(part: Part): Part {
  if (typeof part.$ref !== 'string') return part;
  const names: string[] = part.$ref.split('/').slice(1);
  return names.reduce((parent: Part, name) => parent[name], document);
}

/** Creates what the document's examples refer to. */
async function arrange({ token, service }: Control): Promise<void> {
  const account = server.account(token);
  account.customers.put({ id: 'c1', name: 'Initech' });
  account.contracts.put({ id: 'k1' });
  account.measurements.put({ id: 'm1' });
  account.events.put({ id: 'e1' });
  account.snapshot('before-retry');
  account.faults.add({ kind: 'status', status: 500, operationId: 'getCustomer' });
  account.stubs.add({ method: 'GET', path: '/me' });
  await service.delete('/contracts/x');
}

/** The records to remove before an operation creates them, by id. */
const TAKEN: Readonly<Record<string, 'customers' | 'contracts' | 'measurements' | 'events'>> = {
  c1: 'customers',
  k1: 'contracts',
  m1: 'measurements',
  e1: 'events',
};

const IDS = Object.fromEntries(Object.entries(TAKEN).map(([id, name]) => [name, id]));

/** The query of operations that need one. */
const QUERIES: Readonly<Record<string, string>> = { closeAllAccounts: '?all=true' };

test('names in every enum of operations those of openapi.yaml', () => {
  const known = Object.values<Part>(openapi.paths)
    .flatMap((item) => Object.values<Part>(item))
    .map(({ operationId }) => operationId);
  const { schemas, parameters } = written.components;
  for (const { schema } of [
    parameters.OperationId,
    { schema: schemas.JournalFilter.properties.operationId },
    { schema: schemas.FaultRequest.properties.operationId },
    { schema: schemas.Fault.properties.operationId },
  ]) {
    expect(schema.enum).toEqual(known);
  }
});

test('has no schema that no operation uses, but those by which accounts check', () => {
  const text = JSON.stringify(written);
  const unused = Object.entries<Part>(written.components.schemas)
    .filter(([name, schema]) => !schema['x-internal'] && !text.includes(`/schemas/${name}"`))
    .map(([name]) => name);
  expect(unused).toEqual([]);
});

test('is served without what is internal, or refers to another file', () => {
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/x-internal|FaultOfKind|StatusFault|openapi\.yaml#/);
  expect(document.components.schemas.FaultRequest.properties.kind.enum).toContain('truncated');
});

test('needs no token', async () => {
  expect((await request(server.app).get('/__control/control.openapi.json')).status).toBe(200);
});

/** Operations whose responses end; streams, and stopping the command, have their own tests. */
const answered = operations.filter(
  ({ operation }) =>
    operation.operationId !== 'stopServer' &&
    Object.values<Part>(operation.responses).every(
      (response) => !response.content?.['text/event-stream'],
    ),
);

describe('control.openapi.yaml', () => {
  test.each(answered.map((found) => [found.operation.operationId as string, found.path, found]))(
    'the example request of %s for %s is answered as documented',
    async (operationId, path, { method, operation }) => {
      const control = controlOf(server);
      await arrange(control);
      const example = operation.requestBody?.content['application/json'].example;
      if (method === 'post' && TAKEN[example?.id]) {
        server.account(control.token)[TAKEN[example.id] ?? 'events'].remove(example.id);
      }
      const parameters: Part[] = (operation.parameters ?? []).map(resolve);
      const url = parameters
        .filter((parameter) => parameter.in === 'path')
        .reduce((text, { name, example: value }) => {
          const known = name === 'id' ? IDS[text.split('/')[1] ?? ''] : value;
          return text.replace(`{${name}}`, known);
        }, path);

      const query = QUERIES[operationId] ?? '';
      const response = await control[method as 'post'](`${url}${query}`, example);

      const [status = '', success] = Object.entries<Part>(operation.responses)[0] ?? [];
      expect(`${response.status} ${response.type}`).toBe(`${status} application/json`);
      const { schema } = success.content['application/json'];
      expect(violationsOf(schema, response.body)).toEqual([]);
    },
  );

  test('the examples of records are answered with the records', async () => {
    const control = controlOf(server);
    for (const { path, method, operation } of operations) {
      const example = operation.requestBody?.content['application/json'].example;
      if (method !== 'post' || !TAKEN[example?.id]) continue;
      await control.put('/clock', { frozenAt: '2026-01-01T00:00:00.000Z' });
      const { body } = await control.post(path, example);
      expect(body).toEqual(operation.responses[201].content['application/json'].example);
    }
    expect(server.account(control.token).events.get('e1')).toMatchObject({ ref: 'tps-report' });
  });

  test('every example of a body and of a response is valid', () => {
    for (const { operation } of operations) {
      const body = operation.requestBody?.content['application/json'];
      if (body) expect(violationsOf(body.schema, body.example)).toEqual([]);
      for (const response of Object.values<Part>(operation.responses).map(resolve)) {
        for (const { schema, example } of Object.values<Part>(response.content ?? {})) {
          expect(violationsOf(schema, example)).toEqual([]);
        }
      }
    }
  });
});

describe('the documents over HTTP', () => {
  const metaschema = readFileSync(
    'node_modules/express-openapi-validator/dist/framework/openapi.v3.schema.json',
    'utf8',
  );
  // In the schema's older version of JSON Schema, another keyword makes a bound exclusive.
  const { $schema, id, ...rules }: Part = JSON.parse(
    metaschema.replaceAll(/,\s*"exclusiveMinimum": true/g, ''),
  );
  const isOpenApi = new Ajv({ strict: false, validateFormats: false });

  function expectWhole(received: Part) {
    const validate = isOpenApi.compile(rules);
    validate(received);
    expect(validate.errors ?? []).toEqual([]);
    const refs = JSON.stringify(received).match(/(?<="\$ref":")[^"]+/g) ?? [];
    for (const ref of refs) {
      const names = ref.split('/').slice(1);
      const found = names.reduce((parent: Part, name) => parent?.[name], received);
      expect([ref, typeof found]).toEqual([ref, 'object']);
    }
  }

  const idsOf = ({ paths }: Part) =>
    Object.values<Part>(paths).flatMap((item) =>
      Object.values<Part>(item).map(({ operationId }) => operationId),
    );

  test('/openapi.json is the document of the service, whole and valid', async () => {
    const control = controlOf(server);
    const { status, body } = await control.get('/openapi.json');
    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(server.openapi(control.token))));
    expect(body.info).toEqual(openapi.info);
    expect(idsOf(body)).toEqual(idsOf(openapi));
    expectWhole(body);
  });

  test('/control.openapi.json is the document of the control plane, whole and valid', () => {
    expect(document.info).toEqual(written.info);
    expect(idsOf(document)).toEqual(idsOf(written));
    expectWhole(document);
  });
});

test.each([
  ['/restore', { id: 'before-retry' }, 404],
  ['/requests/search', {}, 405],
  ['/customers?replace=true', { id: 'c1' }, 400],
  ['/reset', { all: true }, 400],
])('has one way to do a thing: POST %s with %j is refused', async (path, body, expected) => {
  expect((await controlOf(server).post(path, body)).status).toBe(expected);
});

test('says in every response whose it is, refusals included', async () => {
  const control = controlOf(server);
  for (const path of ['', '/health', '/account', '/customers', '/customers/nobody', '/nothing']) {
    const { headers } = await control.get(path);
    expect([path, headers['x-control-plane']]).toEqual([path, 'usage-billing-mock']);
  }
  const { headers } = await control.service.get('/measurements');
  expect(headers).not.toHaveProperty('x-control-plane');
});

describe('the documents over HTTP', () => {
  test('list the errors of each operation, common ones included', () => {
    const statusesOf = (path: string, method: string) =>
      Object.keys(document.paths[path][method].responses);
    expect(statusesOf('/health', 'get')).toEqual(['200', '400', '500']);
    expect(statusesOf('/accounts', 'get')).toEqual(['200', '400', '403', '500']);
    expect(statusesOf('/clock', 'get')).toEqual('200 400 401 403 404 500 503'.split(' '));
    expect(statusesOf('/{collection}/{id}', 'patch')).toEqual(
      '200 400 401 403 404 409 413 415 500 503'.split(' '),
    );
  });
});

test('health and readiness open no account', async () => {
  const full = await createMockServer({ dataset: 'empty', maxAccounts: 1 });
  await clientOf(full, 'only').get('/measurements');
  for (const path of ['/health', '/ready'])
    expect((await controlOf(full, 'other').get(path)).status).toBe(200);
  expect(full.resetAll()).toBe(1);
});

describe('a refusal of the control plane', () => {
  beforeAll(() => server.start());
  afterAll(() => server.stop());

  const over4MB = gzipSync(Buffer.alloc(4 * 2 ** 20 + 1, ' '));

  const refusals: readonly [string, (control: Control) => Promise<Part>, number, string][] = [
    ['an unknown path', (control) => control.get('/nothing'), 404, 'unknown-path'],
    ['the mount itself', (control) => control.post(''), 405, 'method-not-allowed'],
    ['a trailing slash', (control) => control.get('/account/'), 404, 'unknown-path'],
    ['a wrong method', (control) => control.post('/clock', {}), 405, 'method-not-allowed'],
    [
      'a method that a probe does not take',
      (control) => control.post('/health'),
      405,
      'method-not-allowed',
    ],
    [
      'a missing token',
      () => request(server.app).get('/__control/account') as unknown as Promise<Part>,
      401,
      'unauthorized',
    ],
    [
      'a token that is declared as refused',
      () => controlOf(server, 'token-refused').get('/account'),
      401,
      'unauthorized',
    ],
    [
      'malformed JSON',
      (control) =>
        control.put('/clock').set('Content-Type', 'application/json').send('{"advanceMs":'),
      400,
      'malformed-json',
    ],
    [
      'another media type',
      (control) => control.put('/clock').set('Content-Type', 'text/plain').send('{"real":true}'),
      415,
      'unsupported-media-type',
    ],
    ['a missing body', (control) => control.put('/clock'), 400, 'missing-body'],
    ['a wrong body', (control) => control.put('/clock', { real: 'yes' }), 400, 'invalid-request'],
    [
      'a wrong record, found by the library',
      (control) => control.patch('/customers/written', { shoeSize: 44 }),
      400,
      'invalid-request',
    ],
    [
      'a decision that is none',
      (control) => control.patch('/decisions', { nothing: 1 }),
      400,
      'invalid-request',
    ],
    ['an unknown record', (control) => control.get('/customers/x'), 404, 'unknown-identifier'],
    ['an unknown snapshot', (control) => control.delete('/snapshots/x'), 404, 'unknown-identifier'],
    [
      'an id that is taken',
      (control) => control.post('/contracts', { id: 'written-contract-1' }),
      409,
      'conflict',
    ],
    [
      'a body over 4 MB',
      async ({ token }) => {
        const response = await fetch(`${server.url}/__control/state`, {
          method: 'PUT',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            'Content-Encoding': 'gzip',
          },
          body: over4MB,
        });
        const type = response.headers.get('content-type');
        return { status: response.status, type, text: await response.text() };
      },
      413,
      'content-too-large',
    ],
  ];

  const decisions = [
    {},
    {
      'error-body': 'message',
      'invalid-request-status': 422,
      'unknown-identifier-status': 400,
    },
    { 'error-body': 'error-object' },
    { 'error-body': 'empty' },
  ] as const;

  test.each(refusals)(
    'for %s is a problem that rests on no decision',
    async (_what, call, status, name) => {
      for (const changes of decisions) {
        const control = controlOf(server);
        server.account(control.token).decisions.change(changes);
        const response = await call(control);
        expect(`${response.status} ${response.type}`).toBe(`${status} application/problem+json`);
        const problem = JSON.parse(response.text);
        expect(problem).toMatchObject({ type: `urn:usage-billing-mock:problem:${name}`, status });
        expect(Object.keys(problem)).not.toContain('decision');
        expect(violationsOf({ $ref: '#/components/schemas/Problem' }, problem)).toEqual([]);
        server.closeAccount(control.token);
      }
    },
  );

  test('the same decisions do change what the service answers', async () => {
    const control = controlOf(server);
    await control.patch('/decisions', decisions[1]);
    const { status, body } = await control.service.get('/measurements?limit=0');
    expect(status).toBe(422);
    expect(body).toEqual({ message: expect.stringContaining('/limit') });
  });
});

test.each([
  ['openapi.yaml', openapi],
  ['control.openapi.yaml', written],
])('%s names defaults that its schemas allow', (_file, specification) => {
  const wrong: string[] = [];
  const look = (part: Part, path: string) => {
    if (typeof part !== 'object' || part === null) return;
    if ('default' in part && ('type' in part || 'enum' in part))
      wrong.push(...violationsOf(part, part.default, specification).map((told) => path + told));
    for (const [name, value] of Object.entries<Part>(part)) look(value, `${path}/${name}`);
  };
  look(specification, '#');
  expect(wrong).toEqual([]);
});
