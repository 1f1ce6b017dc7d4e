import { readFileSync } from 'node:fs';
import { createMockServer } from '../../src/index.js';
import { type CopyOfProject, copyProject } from '../support/copy-of-project.js';

/** A contributor's change: a new file, or a text that replaces one in a file. */
interface Edit {
  readonly file: string;
  readonly known?: string;
  readonly text: string;
}

const { events } = (await createMockServer()).account('t');
const EVENT = String(events.list()[0]?.id);

const ERRORS = `        "400": { $ref: "#/components/responses/InvalidRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
        "500": { $ref: "#/components/responses/InternalError" }
        "503": { $ref: "#/components/responses/TooManyAccounts" }
`;

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

const GET_EVENT_EDITS: Edit[] = [
  // Before a path that also matches its own.
  inDocument('  /events/delete-by-refs:\n', GET_EVENT),
  ...operation(
    'get-event',
    GET_EVENT_RUNS,
    testOf(
      'getEvent returns a usage event',
      `get('/events/${EVENT}')`,
      `  expect([status, body.event.id]).toEqual([200, '${EVENT}']);`,
    ),
  ),
];

const CREATE_CUSTOMER_EDITS: Edit[] = [
  PROBLEM,
  inDocument('  /customers/name/{name}:\n', CREATE_CUSTOMER),
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

const LEDGER = 'src/core/decisions/ledger.ts';
const BY_NAME = 'src/core/billing/operations/get-customer-by-name.ts';
const DECISION: Edit[] = [
  {
    file: LEDGER,
    known: "  'duplicate-name': {",
    text: `  'name-spaces': {
    section: '4.2',
    question: 'Do the spaces around a name count?',
    default: 'kept',
    values: { kept: 'They do.', trimmed: 'They do not: names are looked up without them.' },
  },
  'duplicate-name': {`,
  },
  {
    file: BY_NAME,
    known: 'const found = find(account.store, name);',
    text: "const found = find(account.store, NAME_SPACES[decisions.apply('name-spaces')](name));",
  },
  {
    file: BY_NAME,
    known: 'interface NameMatch {',
    text: `const NAME_SPACES: Record<DecisionValue<'name-spaces'>, (name: string) => string> = {
  kept: (name) => name,
  trimmed: (name) => name.trim(),
};

interface NameMatch {`,
  },
  {
    file: 'openapi.yaml',
    known: 'x-decision: [name-matches, duplicate-name,',
    text: 'x-decision: [name-matches, name-spaces, duplicate-name,',
  },
  {
    file: 'test/decisions/ledger.test.ts',
    known: "  ['duplicate-name', 'oldest',",
    text: `  ['name-spaces', 'kept', statusOf('/customers/name/%20Acme%20Corporation'), 404],
  ['name-spaces', 'trimmed', statusOf('/customers/name/%20Acme%20Corporation'), 200],
  ['duplicate-name', 'oldest',`,
  },
];

const SERVER = 'src/host/server/mock-server.ts';
const OPTION: Edit[] = [
  {
    file: 'src/host/options/mock-server-options.ts',
    known: '  readonly dataset?: string;\n',
    text: '  readonly dataset?: string;\n  /** A sentence to log at the start. */\n  readonly note?: string;\n',
  },
  {
    file: 'src/host/options/option-table.ts',
    known: '  stateBytes: {\n',
    text: `  note: {
    ...FOR_SERVER,
    words: 'a sentence to log at the start',
    ...text('text', 'a sentence'),
  },
  stateBytes: {
`,
  },
];
const READS_OPTION: Edit[] = [
  {
    file: SERVER,
    known: "'closeIdleAfter' | 'logFormat'",
    text: "'closeIdleAfter' | 'note' | 'logFormat'",
  },
  {
    file: SERVER,
    known: '  const documents = readDocuments(basePath);\n',
    text: '  if (options.note !== undefined) logger.info(options.note);\n  const documents = readDocuments(basePath);\n',
  },
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

const VERB_ROW: Edit[] = [
  {
    file: 'src/mock/client/verbs.ts',
    known: "  list: { route: 'GET /faults'",
    text: `  get: { route: 'GET /faults/{faultId}', takes: asId('faultId') },
  list: { route: 'GET /faults'`,
  },
];

/** A change as CONTRIBUTING words it: how many files it needs, and the lines that are asked for. */
interface Change {
  readonly what: string;
  /** The paragraph of CONTRIBUTING that begins with it. */
  readonly heading: string;
  readonly files: number;
  readonly edits: readonly Edit[];
  /** What the compiler asks for, by the file in which it says so. */
  readonly asked: Readonly<Record<string, RegExp>>;
  readonly answer: readonly Edit[];
  /** The tests that name the tables. */
  readonly tests: readonly string[];
}

const OF_OPERATIONS = [
  'test/operations/(get-event|create-customer|delete-events)',
  'test/contract/',
  'test/http/(unknown-calls|methods)',
  'test/library/routes',
];

const CHANGES: readonly Change[] = [
  {
    what: 'an operation',
    heading: 'An operation',
    files: 4,
    edits: GET_EVENT_EDITS,
    asked: { [TABLE]: /getEvent/ },
    answer: inTable('getEvent', 'get-event'),
    tests: OF_OPERATIONS,
  },
  {
    what: 'an operation with another success and a problem of its own',
    heading: 'An operation',
    files: 5,
    edits: CREATE_CUSTOMER_EDITS,
    asked: { [TABLE]: /createCustomer/ },
    answer: inTable('createCustomer', 'create-customer'),
    tests: OF_OPERATIONS,
  },
  {
    what: 'a decision, of which settle need not know',
    heading: 'A decision',
    files: 4,
    edits: DECISION,
    asked: {},
    answer: [],
    tests: [
      'test/decisions/',
      'test/documentation/specification',
      'test/contract/',
      'test/settle/sender',
    ],
  },
  {
    what: 'a verb of the control plane',
    heading: 'A control operation',
    files: 4,
    edits: VERB,
    asked: {
      'src/mock/client/remote-account.ts': /'get'/,
      'src/mock/client/verbs.ts': /'get'/,
      'src/mock/control-plane/control-plane.ts': /GET .faults.{faultId}/,
    },
    answer: VERB_ROW,
    tests: ['test/control-plane/document', 'test/client/parity'],
  },
  {
    what: 'an option',
    heading: 'An option',
    files: 3,
    edits: OPTION,
    asked: { [SERVER]: /NoneUnread/ },
    answer: READS_OPTION,
    tests: ['test/documentation/command-line'],
  },
];

/** The files and folders in the paragraph of CONTRIBUTING that begins with this heading. */
function placesOf(heading: string): string[] {
  const [, following = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(`\n**${heading}**`);
  const [paragraph = ''] = following.split('\n\n');
  const quoted = paragraph.matchAll(/`([\w.-]+[./][\w./-]+)`/g);
  return Array.from(quoted, ([, place = '']) => place);
}

function write(copy: CopyOfProject, edits: readonly Edit[]): void {
  for (const { file, known, text } of edits) {
    if (known === undefined) copy.write(file, text);
    else copy.replace(file, known, text);
  }
}

const OF_SRC = 'tsconfig.of-src.json';

/** What the compiler says of src/, by the files in which it finds mistakes. */
async function compile(copy: CopyOfProject): Promise<Record<string, string>> {
  copy.write(OF_SRC, JSON.stringify({ extends: './tsconfig.json', include: ['src'] }));
  const tsc = 'node_modules/typescript-7/bin/tsc';
  const { output } = await copy.run(process.execPath, tsc, '-p', OF_SRC, '--pretty', 'false');
  const mistakes = output.matchAll(/^([\w./-]+)\(\d+,\d+\): (.*)$/gm);
  return Object.fromEntries(Array.from(mistakes, ([, file, words]) => [file, words]));
}

async function generate(copy: CopyOfProject): Promise<void> {
  const { code, output } = await copy.run('npm', 'run', '--silent', 'generate');
  expect({ code, output }).toEqual({ code: 0, output: '' });
}

async function passes(copy: CopyOfProject, ...tests: readonly string[]): Promise<void> {
  const { code, output } = await copy.run('npm', 'test', ...(tests[0] ? ['--', ...tests] : []));
  expect(code === 0 ? '' : output).toBe('');
  expect(output).toMatch(/^Tests: .* passed/m);
}

describe.each(CHANGES)('$what', ({ heading, files, edits, asked, answer, tests }) => {
  const copy = copyProject();
  const changed = [...new Set([...edits, ...answer].map(({ file }) => file))];

  test(`needs ${files} files, which CONTRIBUTING names`, () => {
    const places = placesOf(heading);
    expect(changed.filter((file) => !places.some((place) => file.startsWith(place)))).toEqual([]);
    expect(changed).toHaveLength(files);
  });

  test('is asked by the compiler for what it lacks', async () => {
    write(copy, edits);
    await generate(copy);
    const said = Object.entries(asked).map(([file, words]) => [file, expect.stringMatching(words)]);
    expect(await compile(copy)).toEqual(Object.fromEntries(said));
  });

  test('compiles and passes the tests that name the tables', async () => {
    write(copy, answer);
    await generate(copy);
    expect(await compile(copy)).toEqual({});
    await passes(copy, ...tests);
  });
});

test('all of them at once pass every quick test', async () => {
  const copy = copyProject();
  for (const { edits, answer } of CHANGES) write(copy, [...edits, ...answer]);
  await generate(copy);
  await passes(copy);
});
