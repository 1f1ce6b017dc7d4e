import request from 'supertest';
import type { OperationId } from '../../src/core/billing/operation.js';
import { OPERATIONS, refusalsOf } from '../../src/core/billing/operation-table.js';
import { SCHEMA_OF } from '../../src/core/billing/resources.js';
import { DecisionsBehindResponse } from '../../src/core/decisions/decisions-behind-response.js';
import { DEFAULT_DECISIONS, LEDGER } from '../../src/core/decisions/ledger.js';
import { PROBLEM_NAMES, type ProblemName, statusOf } from '../../src/core/errors/problem-types.js';
import { createMockServer, type MockServerOptions, ProblemError } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { openapi, operations, resolve, violationsOf } from '../support/document.js';

const server = await createMockServer();
const { body: control } = await controlOf(server).get('/control.openapi.json');

/** The request that an operation's examples form, with or without the cursor. */
function exampleRequest(
  { path, method, operation }: (typeof operations)[number],
  sendsCursor: boolean,
) {
  const parameters: { in: string; name: string; example: unknown }[] = operation.parameters ?? [];
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const url = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .filter(({ name }) => sendsCursor || name !== 'cursor');
  const body = operation.requestBody?.content['application/json'].example;
  return request(server.app)
    [method as 'get' | 'post' | 'delete'](url)
    .query(Object.fromEntries(query.map(({ name, example }) => [name, example])))
    .set('Authorization', `Bearer example-${operation.operationId}-${sendsCursor}`)
    .send(body);
}

/** The value, with times that the call itself sets replaced by one instant. */
function atOneInstant(value: unknown, method: string): unknown {
  const stamps = method === 'post' ? /(?<="\w+At":")[^"]+/g : /(?<="deletedAt":")[^"]+/g;
  return JSON.parse(JSON.stringify(value).replaceAll(stamps, 'now'));
}

/** The problems with which operations refuse under some value of a decision. */
function refusalsUnderAnyDecisions(): ReadonlySet<ProblemName> {
  const inForce = Object.entries(LEDGER).flatMap(([id, { values }]) =>
    Object.keys(values).map((value) => ({ ...DEFAULT_DECISIONS, [id]: value })),
  );
  const refusals = inForce.flatMap((decisions) =>
    Object.keys(OPERATIONS).flatMap((id) =>
      refusalsOf(id as OperationId, new DecisionsBehindResponse(decisions)),
    ),
  );
  return new Set(refusals);
}

async function refused(options: MockServerOptions, path: string, body?: string, type = 'json') {
  const { app } = await createMockServer({ logLevel: 'silent', ...options });
  const call = body === undefined ? request(app).get(path) : request(app).post(path).send(body);
  return call.set('Authorization', 'Bearer t').type(type);
}

const DELETE = '/events/delete-by-refs';

/** A call for each refusal that operations list. */
const REFUSED: Readonly<Record<string, () => PromiseLike<request.Response>>> = {
  Unauthorized: () => request(server.app).get('/customers/x'),
  InvalidRequest: () => refused({}, '/measurements?limit=ten'),
  UnknownIdentifier: () => refused({}, '/customers/nobody'),
  UnsupportedMediaType: () => refused({}, DELETE, 'refs', 'text/plain'),
  ContentTooLarge: () => refused({}, DELETE, `"${' '.repeat(10 * 2 ** 20)}"`),
  async TooManyRequests() {
    const limited = await createMockServer({ decisions: { 'rate-limit': '100/1m' } });
    const call = () => request(limited.app).get('/customers/x').set('Authorization', 'Bearer t');
    for (let calls = 0; calls < 100; calls += 1) await call();
    const response = await call();
    // The window began some seconds ago on a busy machine.
    response.body.detail = response.body.detail.replace(/\d+ s,/, '60 s,');
    return response;
  },
  async ServiceUnavailable() {
    const full = await createMockServer();
    for (let opened = 0; opened < 10_000; opened += 1) full.account(`t${opened}`);
    return request(full.app).get('/customers/x').set('Authorization', 'Bearer t');
  },
  InternalError: () =>
    refused(
      {
        routes() {
          // A mistake without a path cannot be written.
          throw new ProblemError('invalid-request', 'Odd.', { mistakes: [{} as never] });
        },
      },
      '/routed',
    ),
};

describe('openapi.yaml', () => {
  test.each(operations.map((found) => [found.operation.operationId, found] as const))(
    'the example of %s is what the server answers to the example request',
    async (_operationId, found) => {
      const [[success, response] = []] = Object.entries<typeof openapi>(found.operation.responses);
      const content = response.content['application/json'];
      const examples: unknown[] = content.examples
        ? Object.values<{ value: unknown }>(content.examples).map(({ value }) => value)
        : [content.example];
      for (const [page, example] of examples.entries()) {
        const { status, body } = await exampleRequest(found, page > 0);
        expect(status).toBe(Number(success));
        expect(atOneInstant(body, found.method)).toEqual(atOneInstant(example, found.method));
      }
    },
  );

  test.each(Object.entries<{ example: unknown }>(openapi.components.schemas))(
    'the example of the schema %s is valid',
    (name, { example }) => {
      expect(example).toBeDefined();
      expect(violationsOf({ $ref: `#/components/schemas/${name}` }, example)).toEqual([]);
    },
  );

  test.each(['customers', 'contracts', 'measurements', 'events'] as const)(
    'the examples of %s are records of the default dataset',
    (resource) => {
      const { example } = openapi.components.schemas[SCHEMA_OF[resource]];
      expect(server.account('fresh')[resource].get(example.id)).toEqual(example);
    },
  );

  const problems = Object.entries<{ content: object }>(openapi.components.responses);
  test.each(problems)('the example of the response %s is a valid problem', (_name, response) => {
    const [content] = Object.values<{ schema: object; example: object }>(
      response.content as Record<string, never>,
    );
    expect(violationsOf(content?.schema, content?.example)).toEqual([]);
  });

  test.each(problems)('the example of the response %s is what the server answers', async (name) => {
    const { example } = openapi.components.responses[name].content['application/problem+json'];
    expect((await REFUSED[name]?.())?.body).toEqual(example);
  });

  test('every response of every operation has an example', () => {
    for (const { operation } of operations) {
      for (const response of Object.values(operation.responses)) {
        for (const content of Object.values<object>(resolve(response).content)) {
          expect('example' in content || 'examples' in content).toBe(true);
        }
      }
    }
  });

  test('x-decision names decisions of the ledger only, and every one that the document meets', () => {
    const named = new Set<string>();
    JSON.stringify(openapi, (key, value) => {
      if (key === 'x-decision') for (const id of [value].flat()) named.add(id);
      return value;
    });
    expect([...named].filter((id) => !Object.hasOwn(LEDGER, id))).toEqual([]);
    const unnamed = Object.keys(LEDGER).filter((id) => !named.has(id));
    expect(unnamed).toEqual(['optional-fields', 'undocumented-fields']);
  });

  test('lists the responses that no operation has, as the table of problems has them', () => {
    const decisions = new DecisionsBehindResponse(DEFAULT_DECISIONS);
    const rows = [...openapi.info.description.matchAll(/^\| (\d+) \| `([\w-]+)` \|/gm)];
    const listed = new Map(rows.map(([, status, name]) => [name, Number(status)]));
    for (const [name, status] of listed) {
      expect([name, statusOf(name as ProblemName, decisions)]).toEqual([name, status]);
    }
    const ofOperations = operations.flatMap(({ operation }) => Object.keys(operation.responses));
    const known = new Set([...ofOperations.map(Number), ...listed.values()]);
    const others = PROBLEM_NAMES.filter((name) => !known.has(statusOf(name, decisions)));
    const byOtherDecisions = refusalsUnderAnyDecisions();
    const ofControlPlane = JSON.stringify(control);
    const isElsewhere = (name: ProblemName) =>
      byOtherDecisions.has(name) || ofControlPlane.includes(`:problem:${name}"`);
    expect(others.filter((name) => !isElsewhere(name))).toEqual([]);
    expect([...listed.keys()]).toEqual(expect.arrayContaining(['malformed-http', 'unknown-path']));
  });

  test('no field of a resource is marked as required, and no list of values is closed', () => {
    for (const name of [
      'Contract',
      'ContractProduct',
      'Customer',
      'Contact',
      'Measurement',
      'UsageEvent',
    ]) {
      expect(openapi.components.schemas[name]).not.toHaveProperty('required');
      expect(JSON.stringify(openapi.components.schemas[name])).not.toContain('"enum"');
    }
  });
});
