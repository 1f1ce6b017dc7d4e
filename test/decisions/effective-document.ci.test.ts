import request from 'supertest';
import { LEDGER, type LedgerRow } from '../../src/core/decisions/ledger.js';
import { createMockServer, type Decisions, type MockServer } from '../../src/index.js';
import { openapi, violationsOf } from '../support/document.js';

const CONTRACT = '/contracts/65b000000000000000000001';

type Call = readonly [
  operationId: string,
  method: 'get' | 'post' | 'delete',
  path: string,
  refs?: unknown,
];

/** Calls that get every kind of response of an operation, in this order. */
const CALLS: readonly Call[] = [
  ['deleteContract', 'delete', CONTRACT],
  ['deleteContract', 'delete', CONTRACT],
  ['deleteContract', 'delete', '/contracts/nobody'],
  ['deleteContract', 'delete', '/contracts/%zz'],
  ['getCustomer', 'get', '/customers/65a000000000000000000001'],
  ['getCustomer', 'get', '/customers/nobody'],
  ['getCustomerByName', 'get', '/customers/name/Acme%20Corporation'],
  ['getCustomerByName', 'get', '/customers/name/Twin'],
  ['listMeasurements', 'get', '/measurements?limit=3'],
  ['listMeasurements', 'get', '/measurements?limit=0'],
  ['listMeasurements', 'get', '/measurements?limit=2.5'],
  ['listMeasurements', 'get', '/measurements?cursor=made-up'],
  ['listMeasurements', 'get', '/measurements?limit=&cursor='],
  ['listMeasurements', 'get', '/measurements?customerId=x'],
  ['deleteEventsByRefs', 'post', '/events/delete-by-refs', { refs: ['globex-march'] }],
  ['deleteEventsByRefs', 'post', '/events/delete-by-refs', { refs: ['globex-march', 'nothing'] }],
  ['deleteEventsByRefs', 'post', '/events/delete-by-refs', { refs: ['a'], dryRun: true }],
  ['deleteEventsByRefs', 'post', '/events/delete-by-refs', { refs: [] }],
];

async function send(server: MockServer, [, method, path, body]: Call, token: string) {
  const call = request(server.app)[method](path);
  if (token !== '') call.set('Authorization', `Bearer ${token}`);
  return body === undefined ? call : call.send(body as object);
}

/** How a response differs from the document in force. */
function surprises(document: typeof openapi, [operationId]: Call, response: request.Response) {
  const operation = Object.values<Record<string, { operationId: string }>>(document.paths)
    .flatMap((item) => Object.values(item))
    .find((candidate) => candidate.operationId === operationId) as typeof openapi;
  const { $ref, ...inline } = operation.responses[response.status] ?? {};
  const documented = $ref ? document.components.responses[$ref.split('/').at(-1)] : inline;
  if (!operation.responses[response.status])
    return [`${operationId} does not document ${response.status}`];
  const [mediaType = ''] = (response.headers['content-type'] ?? '').split(';');
  if (!documented.content) return response.text === '' ? [] : [`${operationId} documents no body`];
  const schema = documented.content[mediaType]?.schema;
  if (!schema) return [`${operationId} does not document ${mediaType} for ${response.status}`];
  return violationsOf(schema, response.body, document);
}

const alternatives = Object.entries<LedgerRow>(LEDGER).flatMap(([id, row]) =>
  Object.keys(row.values).map((value) => [id, value, row.isServerWide ?? false] as const),
);

const shared = await createMockServer();

/** Makes every call under a token, and compares each response with the account's document. */
async function expectNoSurprises(server: MockServer, account: string, token: string) {
  const { customers } = server.account(account);
  for (const twin of ['one', 'other']) customers.put({ id: twin, name: 'Twin' });
  const document = server.openapi(account);
  for (const call of CALLS) {
    const response = await send(server, call, token);
    expect([call[2], surprises(document, call, response)]).toEqual([call[2], []]);
  }
}

describe('the document in force', () => {
  test.each(alternatives.filter(([, , isServerWide]) => !isServerWide))(
    'says what every call answers to an account under %s: %s',
    async (id, value) => {
      const token = `${id}-${value.replaceAll(/[^\w-]/g, '-')}`;
      shared.account(token).decisions.change({ [id]: value });
      await expectNoSurprises(shared, token, token);
    },
  );

  test.each(alternatives.filter(([, , isServerWide]) => isServerWide))(
    'says what every call answers without a token under %s: %s',
    async (id, value) => {
      const server = await createMockServer({ decisions: { [id]: value } as Partial<Decisions> });
      await expectNoSurprises(server, 't', '');
      await expectNoSurprises(server, 't', 't');
    },
  );

  test('is openapi.yaml under the defaults', () => {
    expect(shared.openapi('fresh')).toEqual(openapi);
  });

  test.each([
    ['reject', [undefined, undefined]],
    ['absent', [true, true]],
  ] as const)(
    'says under empty-parameter: %s whether a parameter may be empty',
    (value, expected) => {
      const token = `empty-${value}`;
      shared.account(token).decisions.change({ 'empty-parameter': value });
      const document: typeof openapi = shared.openapi(token);
      const { parameters } = document.paths['/measurements'].get;
      const inQuery = parameters.map((parameter: typeof openapi) => parameter.allowEmptyValue);
      expect(inQuery).toEqual(expected);
    },
  );

  test.each([
    ['repeat-delete', 'gone', 'deleteContract', '410'],
    ['repeat-delete', 'conflict', 'deleteContract', '409'],
    ['duplicate-name', 'conflict', 'getCustomerByName', '409'],
    ['unmatched-refs', 'not-found', 'deleteEventsByRefs', '404'],
    ['invalid-request-status', '422', 'listMeasurements', '422'],
    ['unauthorized-status', '403', 'getCustomer', '403'],
    ['success-status', '202', 'deleteContract', '202'],
  ])(
    'has under %s: %s for %s the status %s, and not otherwise',
    async (id, value, operationId, status) => {
      const statuses = async (decisions: Partial<Decisions>) => {
        const document: typeof openapi = (await createMockServer({ decisions })).openapi('t');
        const items = Object.values<Record<string, typeof openapi>>(document.paths);
        const found = items
          .flatMap((item) => Object.values(item))
          .find((operation) => operation.operationId === operationId);
        return Object.keys(found.responses);
      };
      expect(await statuses({})).not.toContain(status);
      expect(await statuses({ [id]: value } as Partial<Decisions>)).toContain(status);
    },
  );
});
