import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockServer, FixtureError } from '../../src/index.js';
import { clientOf } from '../support/client.js';

const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a fixture file and returns its path. */
function fixture(text: string, name = 'fixture.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function refusalOf(dataset: string): Promise<string> {
  const refusal = await createMockServer({ dataset }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(FixtureError);
  return (refusal as FixtureError).message;
}

describe('a fixture with a mistake stops the start and says where, what, and what was expected', () => {
  test.each([
    ['a misspelt collection', 'custumers: []', ":1:1 'custumers': expected no member of this name"],
    [
      'a misspelt field',
      'customers:\n  - nmae: A',
      ":2:5 'customers/0/nmae': expected no member of this name",
    ],
    [
      'a wrong type',
      'customers:\n  - name: A\n    aliases: a',
      ':3:5 \'customers/0/aliases\': expected an array; received "a"',
    ],
    [
      'a number for an id',
      'events:\n  - id: 650000',
      ":2:5 'events/0/id': expected a string; received 650000",
    ],
    [
      'a date that is none',
      "contracts:\n  - startDate: '2026-02-30T00:00:00Z'",
      ":2:5 'contracts/0/startDate': expected a value in the format date-time",
    ],
    [
      'a value deep inside',
      'contracts:\n  - products:\n      - pricing:\n          price: free',
      ':4:11 \'contracts/0/products/0/pricing/price\': expected a number; received "free"',
    ],
    [
      'a list for a record',
      'customers:\n  - []',
      ":2:5 'customers/0': expected an object; received []",
    ],
    [
      'an id given twice',
      'customers:\n  - id: a\n  - id: b\n  - id: a',
      ':4:5 \'customers/2/id\': expected an id of its own; received "a"',
    ],
    ['a seed below 0', 'seed: -1', ":1:1 'seed': expected at least 0; received -1"],
    [
      'a generate section without dates',
      'generate:\n  customers: 3',
      ":1:1 'generate': expected the member 'from'",
    ],
    ['broken YAML', 'customers: [a\nevents: b', ':2:1 is not YAML: '],
    ['a key given twice', 'seed: 1\nseed: 2', ':2:1 is not YAML: Map keys must be unique'],
    [
      'a number that is none',
      'measurements:\n  - value: .nan',
      ":2:5 'measurements/0/value': expected a number; received NaN",
    ],
    [
      'a date-time that answers may not have',
      "contracts:\n  - startDate: '2026-01-01 00:00:00Z'",
      ":2:5 'contracts/0/startDate': expected a value in the format date-time",
    ],
    [
      'a leap second, which no instant of JavaScript is',
      "contracts:\n  - createdAt: '2026-12-31T23:59:60Z'",
      ":2:5 'contracts/0/createdAt': expected a value in the format date-time",
    ],
    [
      'a range that ends before it starts',
      "generate:\n  from: '2026-02-01'\n  to: '2026-01-01'",
      ':3:3 \'generate/to\': expected 2026-02-01 or later; received "2026-01-01"',
    ],
    [
      'a range beyond every calendar',
      "generate:\n  from: '2026-02-01'\n  to: '9999-12-31'",
      ":3:3 'generate/to': expected at most 2999-12-31",
    ],
    [
      'two meters of one id',
      "generate:\n  from: '2026-01-01'\n  to: '2026-01-02'\n  meters:\n    - { id: m, dailyUsage: 1 }\n    - { id: m, dailyUsage: 2 }",
      ":6:9 'generate/meters/1/id': expected an id of its own",
    ],
    ['an alias of nothing', 'customers:\n  - *nope', ' cannot be resolved: '],
    ['an alias of what it stands in', 'customers: &c\n  - *c', ' cannot be resolved: '],
    ['a text for a fixture', 'hello', ':1:1 \'the fixture\': expected an object; received "hello"'],
  ])('%s', async (_words, text, expected) => {
    const file = fixture(text);
    expect(await refusalOf(file)).toContain(`${file}${expected}`);
  });

  test('every mistake of the file is told at once', async () => {
    const message = await refusalOf(fixture('seed: x\ncustomers:\n  - nmae: A\n  - name: 3\n'));
    expect(message.split('\n').map((line) => line.slice(folder.length + 13, -1))).toEqual([
      expect.stringMatching(/^:1:1 'seed': expected an integer/),
      expect.stringMatching(/^:3:5 'customers\/0\/nmae'/),
      expect.stringMatching(/^:4:5 'customers\/1\/name'/),
    ]);
  });

  test('a name that no dataset has', async () => {
    expect(await refusalOf('defualt')).toContain("no dataset named 'defualt'; expected default");
  });

  test('a file that is not there', async () => {
    expect(await refusalOf('nowhere/mine.yaml')).toContain("no fixture file 'nowhere/mine.yaml'");
  });

  test('a folder', async () => {
    expect(await refusalOf(`${folder}/`)).toContain('cannot be read');
  });
});

describe('a fixture of the user', () => {
  test('may leave out ids and stamps', async () => {
    const server = await createMockServer({ dataset: fixture('customers: [{ name: Acme }]') });
    const { status, body } = await clientOf(server).get('/customers/name/Acme');
    expect(status).toBe(200);
    expect(body.customer).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Acme',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('may be JSON', async () => {
    const dataset = fixture('{ "customers": [{ "id": "j", "name": "J" }] }', 'fixture.json');
    const server = await createMockServer({ dataset });
    expect((await clientOf(server).get('/customers/j')).body.customer.name).toBe('J');
  });

  test('may be empty', async () => {
    const server = await createMockServer({ dataset: fixture('# nothing yet\n') });
    expect((await clientOf(server).get('/measurements')).body.total).toBe(0);
  });

  test('may hold records that are deleted already', async () => {
    const text = "contracts: [{ id: gone, deletedAt: '2026-01-01T00:00:00.000Z' }]";
    const server = await createMockServer({ dataset: fixture(text) });
    const { status, body } = await clientOf(server).delete('/contracts/gone');
    expect(status).toBe(404);
    expect(body.decision).toBe('repeat-delete');
  });
});
