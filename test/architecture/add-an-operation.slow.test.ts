import { createMockServer } from '../../src/index.js';
import { copyProject } from '../support/copy-of-project.js';

const CONTRACT = '65b000000000000000000001';
const { contracts } = (await createMockServer()).account('t');

const ERRORS = `        "400": { $ref: "#/components/responses/InvalidRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
        "500": { $ref: "#/components/responses/InternalError" }
        "503": { $ref: "#/components/responses/TooManyAccounts" }
`;

const GET_CONTRACT = `    get:
      operationId: getContract
      tags: [Contracts]
      summary: Get a contract
      description: Returns one contract, deleted or not.
      x-decision: [unknown-query-parameters]
      parameters:
        - { name: contractId, in: path, required: true, description: Its id., schema: { type: string }, example: ${CONTRACT} }
      responses:
        "200":
          description: The contract.
          content:
            application/json:
              schema: { type: object, required: [contract], properties: { contract: { $ref: "#/components/schemas/Contract" } } }
              example: ${JSON.stringify({ contract: contracts.get(CONTRACT) })}
        "404": { $ref: "#/components/responses/UnknownIdentifier" }
${ERRORS}`;

const CREATE_CUSTOMER = `  /customers:
    post:
      operationId: createCustomer
      tags: [Customers]
      summary: Create a customer
      description: Stores a customer, and returns it with its id.
      x-decision: [unknown-body-members, unknown-query-parameters]
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [name], properties: { name: { type: string } } }
            example: { name: Initech }
      responses:
        "201":
          description: The customer.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/FoundCustomer" }
              example: { customer: { name: Initech, id: created-1, createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" } }
        "413": { $ref: "#/components/responses/ContentTooLarge" }
        "415": { $ref: "#/components/responses/UnsupportedMediaType" }
${ERRORS}
`;

const GET_CONTRACT_RUNS = `import { type Operation, unknownIdentifier } from '../operation.js';

/** Returns one contract by its id, deleted or not. */
export const getContract: Operation<'getContract'> = {
  run({ account }, { path: { contractId } }) {
    const contract = account.store.contracts.get(contractId);
    if (contract) return { contract };
    throw unknownIdentifier('This account has no contract with this id.');
  },
  refusals: () => ['unknown-identifier'],
};
`;

const CREATE_CUSTOMER_RUNS = `import type { Operation } from '../operation.js';

/** Stores a customer and returns it with its id. */
export const createCustomer: Operation<'createCustomer'> = {
  run({ account, now }, { body }) {
    const { customers } = account.store;
    const createdAt = now.toISOString();
    const id = \`created-\${customers.changeCount + 1}\`;
    const customer = { ...body, id, createdAt, updatedAt: createdAt };
    customers.put(customer);
    return { customer };
  },
  refusals: () => [],
};
`;

const testOf = (
  title: string,
  call: string,
  expectations: string,
) => `import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';

test('${title}', async () => {
  const server = await createMockServer();
  const client = clientOf(server);
  server.account(client.token).decisions.change({ 'success-status': 202 });
  const { status, body } = await client.${call};
${expectations}
});
`;

/** The tests that list operations, read the documents, or start what is built from them. */
const TESTS = [
  'test/operations/(get-contract|create-customer|delete-contract)',
  'test/(contract|openapi)/',
  'test/http/(unknown-calls|methods|errors|authentication|response-validation)',
  'test/control-plane/(document|start|faults|prefer|journal|decisions)\\.test',
  'test/(decisions|coverage)/.*(?<!slow)\\.test',
  'test/settle/(conformity|deletions|records|recordings|sender)\\.test',
  'test/kit/(matchers|expectations)\\.test',
  'test/command-line/command\\.test',
  'test/architecture/.*(?<!slow)\\.test',
];

/** The one file of the code that a new operation changes. */
const TABLE = 'src/billing/operation-table.ts';

test('an operation is added in the document, a file, a line of the table and a test', async () => {
  const copy = copyProject();
  const add = (name: string, file: string, operation: string, test: string) => {
    copy.write(`src/billing/operations/${file}.ts`, operation);
    copy.replace(TABLE, '\n/**', `import { ${name} } from './operations/${file}.js';\n\n/**`);
    copy.replace(TABLE, '\n};', `\n  ${name},\n};`);
    copy.write(`test/operations/${file}.test.ts`, test);
  };
  const path = '  /contracts/{contractId}:\n';
  copy.replace('openapi.yaml', path, path + GET_CONTRACT);
  const next = '  /customers/name/{name}:\n';
  copy.replace('openapi.yaml', next, CREATE_CUSTOMER + next);
  add(
    'getContract',
    'get-contract',
    GET_CONTRACT_RUNS,
    testOf(
      'getContract returns a contract',
      `get('/contracts/${CONTRACT}')`,
      `  expect([status, body.contract.id]).toEqual([200, '${CONTRACT}']);`,
    ),
  );
  add(
    'createCustomer',
    'create-customer',
    CREATE_CUSTOMER_RUNS,
    testOf(
      'createCustomer stores a customer',
      `post('/customers', { name: 'Initech' })`,
      `  expect([status, body.customer.name]).toEqual([201, 'Initech']);
  expect(server.account(client.token).customers.get(body.customer.id)).toEqual(body.customer);`,
    ),
  );

  expect((await copy.run('npm', 'run', '--silent', 'generate')).code).toBe(0);
  const types = await copy.run(process.execPath, 'node_modules/typescript/bin/tsc');
  expect(types).toEqual({ code: 0, output: '' });
  const ran = await copy.run('npm', 'test', '--', ...TESTS);
  expect(ran.code === 0 ? '' : ran.output).toBe('');
  expect(ran.output).toMatch(/^Tests: .* passed/m);
}, 600_000);
