import { readFileSync } from 'node:fs';
import { createMockServer } from '../../src/index.js';
import { copyProject } from '../support/copy-of-project.js';

/** A contributor's change: a new file, or a text that replaces one in a file. */
interface Edit {
  readonly file: string;
  readonly known?: string;
  readonly text: string;
}

const CONTRACT = '65b000000000000000000001';
const { contracts, events } = (await createMockServer()).account('t');
const EVENT = String(events.list()[0]?.id);

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

const GET_EVENT = `  /events/{eventId}:
    get:
      operationId: getEvent
      tags: [Events]
      summary: Get a usage event
      description: Returns one usage event, deleted or not.
      x-decision: [unknown-query-parameters]
      parameters:
        - { name: eventId, in: path, required: true, description: Its id., schema: { type: string }, example: ${EVENT} }
      responses:
        "200":
          description: The usage event.
          content:
            application/json:
              schema: { type: object, required: [event], properties: { event: { $ref: "#/components/schemas/UsageEvent" } } }
              example: ${JSON.stringify({ event: events.get(EVENT) })}
        "404": { $ref: "#/components/responses/UnknownIdentifier" }
${ERRORS}
`;

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
        "409": { $ref: "#/components/responses/CustomerExists" }
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

const GET_EVENT_RUNS = `import { type Operation, unknownIdentifier } from '../operation.js';

/** Returns one usage event by its id, deleted or not. */
export const getEvent: Operation<'getEvent'> = {
  run({ account }, { path: { eventId } }) {
    const event = account.store.events.get(eventId);
    if (event) return { event };
    throw unknownIdentifier('This account has no event with this id.');
  },
  refusals: () => ['unknown-identifier'],
};
`;

const CREATE_CUSTOMER_RUNS = `import { ProblemError } from '../../errors/problem-error.js';
import type { Operation } from '../operation.js';

/** Stores a customer and returns it with its id. */
export const createCustomer: Operation<'createCustomer'> = {
  run({ account, now }, { body }) {
    const { customers } = account.store;
    if (customers.find('name', body.name).length > 0) {
      throw new ProblemError('customer-exists', 'A customer has this name; expected another.');
    }
    const createdAt = now.toISOString();
    const id = \`created-\${customers.changeCount + 1}\`;
    const customer = { ...body, id, createdAt, updatedAt: createdAt };
    customers.put(customer);
    return { customer };
  },
  refusals: () => ['customer-exists'],
};
`;

const testOf = (
  title: string,
  call: string,
  expectations: string,
) => `import { createMockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { openapi } from '../support/document.js';

test('${title}', async () => {
  const server = await createMockServer();
  const client = clientOf(server);
  server.account(client.token).decisions.change({ 'success-status': 202 });
  const { status, body } = await client.${call};
${expectations}
});
`;

const PROBLEM: Edit = {
  file: 'src/core/errors/problem-types.ts',
  known: "  'malformed-http': {",
  text: `  'customer-exists': {
    title: 'Customer exists',
    status: 409,
    component: 'CustomerExists',
    response: {
      description: 'A customer has this name. Nothing was changed.',
      example: { detail: 'A customer has this name; expected another.' },
    },
  },
  'malformed-http': {`,
};

/** An operation without its line in the table. */
const operation = (file: string, code: string, test: string): Edit[] => [
  { file: `src/core/billing/operations/${file}.ts`, text: code },
  { file: `test/operations/${file}.test.ts`, text: test },
];

const inTable = (name: string, file: string): Edit[] => [
  {
    file: TABLE,
    known: '\n/**',
    text: `import { ${name} } from './operations/${file}.js';\n\n/**`,
  },
  { file: TABLE, known: '\n};', text: `\n  ${name},\n};` },
];

const TABLE = 'src/core/billing/operation-table.ts';
const inDocument = (next: string, operation: string): Edit => ({
  file: 'openapi.yaml',
  known: next,
  text: operation + next,
});

const OPERATIONS: Edit[] = [
  PROBLEM,
  inDocument('    delete:\n      operationId: deleteContract\n', GET_CONTRACT),
  inDocument('  /customers/name/{name}:\n', CREATE_CUSTOMER),
  // Before a path that also matches its own.
  inDocument('  /events/delete-by-refs:\n', GET_EVENT),
  ...operation(
    'get-contract',
    GET_CONTRACT_RUNS,
    testOf(
      'getContract returns a contract',
      `get('/contracts/${CONTRACT}')`,
      `  expect([status, body.contract.id]).toEqual([200, '${CONTRACT}']);`,
    ),
  ),
  ...operation(
    'get-event',
    GET_EVENT_RUNS,
    testOf(
      'getEvent returns a usage event',
      `get('/events/${EVENT}')`,
      `  expect([status, body.event.id]).toEqual([200, '${EVENT}']);`,
    ),
  ),
  ...operation(
    'create-customer',
    CREATE_CUSTOMER_RUNS,
    testOf(
      'createCustomer stores a customer',
      `post('/customers', { name: 'Initech' })`,
      `  expect([status, body.customer.name]).toEqual([201, 'Initech']);
  const again = await client.post('/customers', { name: 'Initech' });
  const { CustomerExists } = openapi.components.responses;
  expect(again.body).toEqual(CustomerExists.content['application/problem+json'].example);
  const account = server.account(client.token);
  expect(account.customers.get(body.customer.id)).toEqual(body.customer);
  expect(account.rewind(1)).toBe(1);
  expect(account.customers.get(body.customer.id)).toBeUndefined();`,
    ),
  ),
];

const IN_TABLE = [
  ...inTable('getContract', 'get-contract'),
  ...inTable('getEvent', 'get-event'),
  ...inTable('createCustomer', 'create-customer'),
];

const FAULT_PATH = '  /faults/{faultId}:\n';
const GET_FAULT = `    get:
      operationId: getFault
      tags: [Faults]
      summary: Get a fault
      description: One fault, with how often it has fired.
      parameters:
        - $ref: "#/components/parameters/FaultId"
      responses:
        "200":
          description: The fault.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Fault" }
              example: { id: 1, kind: reset, phase: before, skip: 0, times: 1, seen: 0, fired: 0, explanation: "Resets the connection before any operation runs; it has fired 0 of 1 times." }
`;

const FAULTS = 'src/mock/accounts/faults.ts';
const LIST_FAULTS = '  list(): Fault[] {\n';
const ON_SERVER = '  clearFaults: (';
const IN_CLIENT = "    list: () => call('GET /faults'";
const IN_VERBS = "  ['faults: all', ";

/** The verb `faults.get`, without the lines of the server and the client. */
const VERB: Edit[] = [
  { file: 'control.openapi.yaml', known: FAULT_PATH, text: FAULT_PATH + GET_FAULT },
  {
    file: FAULTS,
    known: '  list(): Fault[];\n',
    text: '  list(): Fault[];\n  /** One fault; undefined if there is none. */\n  get(id: number): Fault | undefined;\n',
  },
  {
    file: FAULTS,
    known: LIST_FAULTS,
    text: `  get(id: number): Fault | undefined {
    return this.list().find((fault) => fault.id === id);
  }

${LIST_FAULTS}`,
  },
  {
    file: 'test/client/verbs.ts',
    known: IN_VERBS,
    text: `  ...[1, 2, 99, 'x'].map((id): Step => [\`faults: get \${id}\`, ({ account }) => account.faults.get(odd(id))]),\n${IN_VERBS}`,
  },
];

const ON_BOTH_SIDES: Edit[] = [
  {
    file: 'src/mock/control-plane/operations/on-behaviour.ts',
    known: ON_SERVER,
    text: `  getFault: ({ account }, { path: { faultId } }) =>
    account.faults.get(faultId) ?? refuseUnknown('fault', faultId),\n${ON_SERVER}`,
  },
  {
    file: 'src/mock/client/remote-account.ts',
    known: IN_CLIENT,
    text: `    get: (id) => ifMayBeId(id, (faultId) => call('GET /faults/{faultId}', { path: { faultId } })),\n${IN_CLIENT}`,
  },
];

/** The tests that list operations or verbs, read the documents, or start what is built from them. */
const TESTS = [
  'test/operations/(get-contract|get-event|create-customer|delete-events)',
  'test/contract/',
  'test/http/(unknown-calls|methods)',
  'test/control-plane/document',
  'test/client/parity',
];

/** The files and folders in the paragraph of CONTRIBUTING that begins with this heading. */
function placesOf(heading: string): string[] {
  const [, following = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(`\n**${heading}**`);
  const [paragraph = ''] = following.split('\n\n');
  const quoted = paragraph.matchAll(/`([\w.-]+[./][\w./-]+)`/g);
  return Array.from(quoted, ([, place = '']) => place).sort();
}

const copy = copyProject();

function write(edits: readonly Edit[]): void {
  for (const { file, known, text } of edits) {
    if (known === undefined) copy.write(file, text);
    else copy.replace(file, known, text);
  }
}

const OF_SRC = 'tsconfig.of-src.json';

/** The exit code of the compiler for src/, the files in which it finds mistakes, and what it says of each. */
async function compile() {
  const { code, output } = await copy.run(
    process.execPath,
    ...['node_modules/typescript/bin/tsc', '-p', OF_SRC, '--pretty', 'false'],
    ...['--incremental', '--tsBuildInfoFile', 'types.tsbuildinfo'],
  );
  const mistakes = output.matchAll(/^([\w./-]+)\(\d+,\d+\): (.*)$/gm);
  return { code, ...Object.fromEntries(Array.from(mistakes, ([, file, words]) => [file, words])) };
}

describe('operations, one of them with another success and a problem of its own, and a verb of the control plane', () => {
  test.each([
    ['An operation', [...OPERATIONS, ...IN_TABLE]],
    ['A control operation', [...VERB, ...ON_BOTH_SIDES]],
  ])('need the places that CONTRIBUTING names: %s', (heading, edits) => {
    const places = placesOf(heading);
    const changed = edits.map(({ file }) => places.find((place) => file.startsWith(place)) ?? file);
    expect([...new Set(changed)].sort()).toEqual(places);
  });

  test('do not compile without their lines in the table, on the server and in the client', async () => {
    write([...OPERATIONS, ...VERB]);
    copy.write(OF_SRC, JSON.stringify({ extends: './tsconfig.json', include: ['src'] }));
    const { code, output } = await copy.run('npm', 'run', '--silent', 'generate');
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(await compile()).toEqual({
      code: 2,
      [TABLE]: expect.stringMatching(/(?=.*getContract)(?=.*getEvent)(?=.*createCustomer)/),
      'src/mock/control-plane/control-plane.ts': expect.stringContaining("'getFault'"),
      'src/mock/client/remote-account.ts': expect.stringContaining("'get'"),
    });
  });

  test('pass the tests of start, HTTP, the control plane and documents with them', async () => {
    write([...IN_TABLE, ...ON_BOTH_SIDES]);
    const [compiled, ran] = await Promise.all([compile(), copy.run('npm', 'test', '--', ...TESTS)]);
    expect(compiled).toEqual({ code: 0 });
    expect(ran.code === 0 ? '' : ran.output).toBe('');
    expect(ran.output).toMatch(/^Tests: .* passed/m);
  });
});
