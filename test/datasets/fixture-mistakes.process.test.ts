import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockServer, FixtureError } from '../../src/index.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';

async function refusalOf(dataset: string): Promise<string> {
  const refusal = await createMockServer({ dataset }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(FixtureError);
  return (refusal as FixtureError).message;
}

/** This many unknown members, in flow style. */
const members = (count: number) =>
  Array.from({ length: count }, (_, nth) => `m${nth}: x`).join(', ');

describe('a fixture with a mistake stops the start and says where, what, and what was expected', () => {
  test.each([
    [
      'a misspelt collection',
      'custumers: []',
      ":1:1 Unknown member 'custumers'. Did you mean 'customers'?",
    ],
    [
      'a misspelt field',
      'customers:\n  - nmae: A',
      ":2:5 Unknown member 'nmae' in 'customers/0'. Did you mean 'name'?",
    ],
    [
      'a wrong type',
      'customers:\n  - name: A\n    aliases: a',
      ':3:5 \'customers/0/aliases\' is "a"; expected an array',
    ],
    [
      'a number for an id',
      'events:\n  - id: 650000',
      ":2:5 'events/0/id' is 650000; expected a string",
    ],
    [
      'a date that is none',
      "contracts:\n  - startDate: '2026-02-30T00:00:00Z'",
      ':2:5 \'contracts/0/startDate\' is "2026-02-30T00:00:00Z"; expected a value in the format date-time',
    ],
    [
      'a value deep inside',
      'contracts:\n  - products:\n      - pricing:\n          price: free',
      ':4:11 \'contracts/0/products/0/pricing/price\' is "free"; expected a number',
    ],
    ['a list for a record', 'customers:\n  - []', ":2:5 'customers/0' is []; expected an object"],
    [
      'pairs of YAML 1.1 for records',
      '%YAML 1.1\n---\ncontracts: !!pairs\n  - a: 1',
      ":3:1 Unknown member 'a' in 'contracts/0'. Remove it, or correct it to one of id,",
    ],
    [
      'an id given twice',
      'customers:\n  - id: a\n  - id: b\n  - id: a',
      ':4:5 \'customers/2/id\' is "a"; expected a unique id',
    ],
    [
      'a decision that there is not',
      'decisions:\n  repeat-deletes: gone',
      ":2:3 Unknown decision 'repeat-deletes' in 'decisions'. Did you mean 'repeat-delete'?",
    ],
    [
      'a decision with a value that it cannot take',
      'decisions: { repeat-delete: never }',
      ':1:14 \'decisions/repeat-delete\' is "never"; expected one of not-found, same-result, gone, conflict',
    ],
    [
      'an empty id',
      'measurements:\n  - id: ""',
      ':2:5 \'measurements/0/id\' is ""; expected a text of 1 to 1000 characters',
    ],
    ['a seed below 0', 'seed: -1', ":1:1 'seed' is -1; expected at least 0"],
    ['broken YAML', 'customers: [a\nevents: b', ':2:1 is not YAML: '],
    ['several documents', 'seed: 1\n---\nseed: 2', ':2:1 is not YAML: a fixture is one document, '],
    ['a key given twice', 'seed: 1\nseed: 2', ':2:1 is not YAML: Map keys must be unique.'],
    [
      'a date-time that a response may not have',
      "contracts:\n  - startDate: '2026-01-01 00:00:00Z'",
      ':2:5 \'contracts/0/startDate\' is "2026-01-01 00:00:00Z"; expected a value in the format date-time',
    ],
    [
      'a range that ends before it starts',
      "generate:\n  from: '2026-02-01'\n  to: '2026-01-01'",
      ':3:3 \'generate/to\' is "2026-01-01"; expected 2026-02-01 or later',
    ],
    [
      'a range beyond every calendar',
      "generate:\n  from: '2026-02-01'\n  to: '9999-12-31'",
      ':3:3 \'generate/to\' is "9999-12-31"; expected at most 2999-12-31',
    ],
    [
      'two meters of one id',
      "generate:\n  from: '2026-01-01'\n  to: '2026-01-02'\n  meters:\n    - { id: m, dailyUsage: 1 }\n    - { id: m, dailyUsage: 2 }",
      ':6:9 \'generate/meters/1/id\' is "m"; expected a unique id',
    ],
    [
      'a number too long to be an id',
      'customers:\n  - id: 65e000000000000000000001',
      ":2:5 'customers/0/id' is 65e000000000000000000001; expected a string. Put it in quotes.",
    ],
    [
      'a contract of nobody',
      'customers: [{ id: a }]\ncontracts:\n  - customerId: b',
      ':3:5 \'contracts/0/customerId\' is "b"; expected the id of a customer. Give a customer this id, or correct the reference; ids of generated customers depend on the seed.',
    ],
    [
      'a measurement of nobody',
      'measurements:\n  - value: 1\n    customerId: b',
      ':3:5 \'measurements/0/customerId\' is "b"; expected the id of a customer',
    ],
    [
      'an event of nobody, though a customer has the alias as its name',
      'customers: [{ name: a, aliases: [x] }]\nevents:\n  - customerAlias: a',
      ':3:5 \'events/0/customerAlias\' is "a"; expected an alias of a customer',
    ],
    [
      'a dataset to extend that is not there',
      'extends: defualt',
      ':1:1 \'extends\' is "defualt"; expected default, demo, edge-cases, empty, large, or the path of an existing YAML or JSON file',
    ],
    [
      'an account over a dataset that is not there',
      'accounts:\n  token-b: { dataset: ./nowhere.yaml }',
      ':2:14 \'accounts/token-b/dataset\' is "./nowhere.yaml"; expected default, demo',
    ],
    [
      'an account of no token',
      'accounts:\n  "two words": { dataset: empty }',
      ':2:3 \'accounts/two words\' is "two words"; expected a bearer token',
    ],
    [
      'a merge key',
      'customers:\n  - &a { name: A }\n  - { <<: *a }',
      'Merge keys are not read: write the members out.',
    ],
    [
      'a meter that lacks a member',
      'generate: { meters: [{ id: m }] }',
      ':1:22 \'generate/meters/0\' is {"id":"m"}; expected the member \'dailyUsage\'. Add it.',
    ],
    [
      'more measurements than fit',
      'customers: [{ name: A }]\ngenerate:\n  customers: 10000\n  meters: [{ id: m, dailyUsage: 1 }, { id: n, dailyUsage: 1 }, { id: o, dailyUsage: 1 }]',
      ':2:1 \'generate\' is {"customers":10001,"meters":3,"days":90}; expected at most 1000000 measurements (customers x meters x days), not 2700270',
    ],
    [
      'more days than fit into the dataset that it extends',
      'extends: large\ngenerate: { to: "2035-12-31" }',
      ':2:1 \'generate\' is {"customers":1000,"meters":2,"days":3652}; expected at most 1000000 measurements (customers x meters x days), not 7304000',
    ],
    [
      'a day that no calendar has',
      'measurements:\n  - usageDate: { year: 2026, month: 2, day: 30 }',
      ':2:5 \'measurements/0/usageDate\' is {"year":2026,"month":2,"day":30}; expected a day in the calendar.',
    ],
    [
      'a month that no year has, though its day is left out',
      'measurements:\n  - usageDate: { year: 2026, month: 13 }',
      ':2:5 \'measurements/0/usageDate\' is {"year":2026,"month":13}; expected a day in the calendar',
    ],
    [
      'a member without a name, told where its parent stands,',
      'contracts:\n  - products:\n      - pricing:\n          : 3',
      ":3:9 Unknown member '' in 'contracts/0/products/0/pricing'.",
    ],
    [
      'a value that stands where another is repeated',
      'customers:\n  - &a\n    nmae: A\n  - *a',
      ":4:5 Unknown member 'nmae' in 'customers/1'.",
    ],
    ['an alias of nothing', 'customers:\n  - *nope', ':2:5 The alias *nope cannot be resolved: '],
    ['an alias of what it stands in', 'customers: &c\n  - *c', ']…; expected at most 100 levels'],
    ['a text for a fixture', 'hello', ':1:1 The value is "hello"; expected an object'],
  ])('%s', async (_words, text, expected) => {
    const file = writeFixture(text);
    const message = await refusalOf(file);
    expect(message).toContain(expected);
    expect(message).toContain(file);
  });

  test.each(['// why', '# why'])('the comment %s in JSON, which has none', async (comment) => {
    const text = `{\n  "customers": [{ "name": "http://a \\" //b #" }], ${comment}\n  "seed": 1 }`;
    const file = writeFixture(text, 'commented.json');
    expect(await refusalOf(file)).toBe(
      `${file}:2:51 is not JSON: comments are not allowed. Remove the comment, or write it after # in a file that ends with .yaml.`,
    );
  });

  test.each([
    ['without-extension', 'without-extension'],
    ['in-yaml', 'in-yaml.yaml'],
    ['in-yml', 'in-yml.yml'],
    ['in-json', 'in-json.json'],
  ])(
    'a file that is named as a dataset of the package would be, with how to name it (%s)',
    async (dataset, file) => {
      const folder = process.cwd();
      writeFixture('seed: 1', file);
      try {
        process.chdir(fixtureFolder);
        expect(await refusalOf(dataset)).toContain(
          `The dataset is '${dataset}'; expected './${file}' for that file.`,
        );
      } finally {
        process.chdir(folder);
      }
    },
  );

  test('a name that no dataset has', async () => {
    expect(await refusalOf('defualt')).toContain(
      "The dataset is 'defualt'; expected default, demo, edge-cases, empty, large, or",
    );
  });

  test('a file that is not there', async () => {
    expect(await refusalOf('nowhere/mine.yaml')).toContain("The dataset is 'nowhere/mine.yaml'");
    const file = writeFixture('nme: 1');
    await expect(createMockServer({ dataset: file })).rejects.toHaveProperty(
      'name',
      'FixtureError',
    );
  });

  test('the mistakes of a file are told together, in its order', async () => {
    const file = writeFixture(
      'nme: 1\ncustomers: [{ id: c1 }, { id: c1 }]\nextends: defualt\ndecisions: { total-counts: none }',
    );
    expect((await refusalOf(file)).replaceAll(file, '').split('\n')).toEqual([
      expect.stringContaining(":1:1 Unknown member 'nme'."),
      expect.stringMatching(/:2:27 'customers\/1\/id' is .*; expected a unique id/),
      expect.stringMatching(/:3:1 'extends' is .*; expected default, demo,/),
      expect.stringMatching(/:4:14 'decisions\/total-counts' is .*; expected one of all,/),
    ]);
  });

  test('a file is refused before those that it extends or binds to tokens are read', async () => {
    const broken = writeFixture('customers: [a', 'syntax.yaml');
    const naming = ['extends: ./syntax.yaml', 'accounts: { t: { dataset: ./syntax.yaml } }'];
    for (const line of naming) {
      const file = writeFixture(`${line}\nseed: x`);
      expect((await refusalOf(file)).split('\n')).toEqual([
        expect.stringContaining(`${file}:2:1 'seed' is "x"; expected an integer`),
      ]);
      expect(await refusalOf(writeFixture(line))).toContain(`${broken}:1:14 is not YAML`);
    }
  });

  test('references are checked when all else is right, those of every file at once', async () => {
    const dangling = 'contracts: [{ customerId: zz }]';
    const alone = await refusalOf(writeFixture(`${dangling}\nnme: 1`));
    expect(alone.split('\n')).toEqual([expect.stringContaining(":2:1 Unknown member 'nme'")]);
    const bound = writeFixture(`seed: 2\n${dangling}`, 'bound.yaml');
    const file = writeFixture(`${dangling}\naccounts: { t: { dataset: ./bound.yaml } }`);
    expect((await refusalOf(file)).split('\n')).toEqual([
      expect.stringContaining(`${file}:1:15 'contracts/0/customerId' is "zz"; expected the id of`),
      expect.stringContaining(`${bound}:2:15 'contracts/0/customerId' is "zz"; expected the id of`),
    ]);
  });

  test('an inherited event whose customer was replaced by one without its alias', async () => {
    const message = await refusalOf(
      writeFixture('extends: default\ncustomers: [{ id: 65a000000000000000000001, name: New }]'),
    );
    expect(message).toMatch(/default\.yaml:\d+:\d+ 'events\/0\/customerAlias' is "acme"; expected/);
  });

  test('an empty file, which an editor may be about to fill', async () => {
    expect(await refusalOf(writeFixture(''))).toContain(
      ':1:1 The value is null; expected an object',
    );
  });

  test('a file that may not be read, or is none, and says which', async () => {
    expect(await refusalOf(`${fixtureFolder}/`)).toContain('it is a folder; name a file in it');
  });

  const onUnix = process.platform === 'win32' ? test.skip : test;

  onUnix('a pipe, which nobody may ever write to, and a device (not on Windows)', async () => {
    const pipe = join(fixtureFolder, 'pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, '/dev/zero']) {
      expect(await refusalOf(path)).toContain('it is a pipe or a device; name a regular file');
    }
  });

  test('a file that is extended and is no fixture, of which nothing is quoted', async () => {
    const secret = writeFixture('hunter2: hunter2', 'passwords.txt');
    const message = await refusalOf(writeFixture(`extends: ${secret}`));
    expect(message).toContain(
      `'extends' is "${secret}"; expected the path of a file that ends with .yaml, .yml, .json`,
    );
    expect(message).not.toContain('hunter2');
  });

  test.each([
    ['23 of them', `customers:\n${'  - nmae: A\n'.repeat(23)}`],
    ['as many as make the file long', `customers:\n${'  - { id: c, nmae: A }\n'.repeat(20_000)}`],
    ['in one record', `customers: [{ ${members(20_000)} }]`],
    ['in one section', `decisions: { ${members(20_000)} }`],
  ])('the first 20 of many mistakes are listed: %s', async (_words, content) => {
    const [, twentieth, last, ...others] = (await refusalOf(writeFixture(content)))
      .split('\n')
      .slice(18);
    expect(twentieth).toMatch(/:\d+ (Unknown \w+ '\w+' in )?'(customers|decisions)/);
    expect(last).toMatch(/ has more mistakes; the first 20 are listed\.$/);
    expect(others).toEqual([]);
  });

  test('the mistakes of a fixture that is extended are told with its own name', async () => {
    const base = writeFixture('customers: [{ nmae: A }]', 'broken-base.yaml');
    const message = await refusalOf(writeFixture('extends: ./broken-base.yaml'));
    expect(message).toContain(`${base}:1:15 Unknown member 'nmae' in 'customers/0'`);
  });

  test('two fixtures that extend each other are refused', async () => {
    const one = writeFixture('extends: ./circle-two.yaml', 'circle-one.yaml');
    const two = writeFixture('extends: ./circle-one.yaml', 'circle-two.yaml');
    expect(await refusalOf(one)).toContain(
      `${two}:1:1 'extends' is "./circle-one.yaml"; expected a dataset that does not extend this one`,
    );
  });

  test('a fixture that only an account is bound to is refused at the start too', async () => {
    const broken = writeFixture('customers: [{ nmae: A }]');
    const refusal = createMockServer({ accounts: { t: { dataset: broken } } });
    await expect(refusal).rejects.toThrow(`${broken}:1:15 Unknown member 'nmae' in 'customers/0'`);
  });

  test('a reversed range and too many records are told together', async () => {
    const file = writeFixture(
      'generate: { eventsPerCustomer: 1000000, customers: 20, from: 2026-05-01, to: 2026-01-01 }',
    );
    expect((await refusalOf(file)).replaceAll(file, '').split('\n')).toEqual([
      expect.stringContaining(
        ':1:1 \'generate\' is {"customers":20,"eventsPerCustomer":1000000}; expected at most 1000000 events',
      ),
      expect.stringMatching(/:1:74 'generate\/to' is .*; expected 2026-05-01 or later/),
    ]);
  });

  test.each([
    ["generate: { from: '2025-13-01', to: '2025-06-01' }", "'generate/from'"],
    [
      'decisions: { repeat-delete: true }',
      'expected one of not-found, same-result, gone, conflict',
    ],
  ])('%s is told once, without what follows from it', async (text, expected) => {
    const told = (await refusalOf(writeFixture(text))).split('\n');
    expect(told).toEqual([expect.stringContaining(expected)]);
  });

  test('too large a generate section is reported for the file that has it, though another extends that', async () => {
    const base = writeFixture(
      'seed: 1\ngenerate: { customers: 20, eventsPerCustomer: 1000000 }',
      'large-base.yaml',
    );
    const message = await refusalOf(writeFixture('extends: ./large-base.yaml\nseed: 2'));
    expect(message).toContain(
      `${base}:2:1 'generate' is {"customers":20,"eventsPerCustomer":1000000}; expected at most 1000000 events`,
    );
  });

  const meters = 'meters: [{ id: m, dailyUsage: 1 }]';
  test.each([
    ['contracts', 'customers: 200, contractsPerCustomer: 1000', 200_000],
    ['contracts', 'customers: 66667, contractsPerCustomer: 3', 200_001],
    ['events', 'customers: 1, eventsPerCustomer: 1000000', 1_000_000],
    ['events', 'customers: 3, eventsPerCustomer: 333334', 1_000_002],
    ['measurements', `${meters}, customers: 100, from: 1970-01-01, to: 1997-05-18`, 1_000_000],
    ['measurements', `${meters}, customers: 101, from: 1970-01-01, to: 1997-02-08`, 1_000_001],
  ])('at most so many %s are made: %s', async (what, generate, size) => {
    const file = writeFixture(`generate: { ${generate} }`);
    // The dataset is read and checked, but not built, because nobody uses the token.
    const start = createMockServer({ dataset: 'empty', accounts: { t: { dataset: file } } });
    const outcome = await start.catch(({ message }: FixtureError) => message);
    const most = { contracts: 200_000, events: 1_000_000, measurements: 1_000_000 }[what] ?? 0;
    if (size <= most) expect(outcome).toHaveProperty('app');
    else expect(outcome).toContain(`expected at most ${most} ${what}`);
  });
});

describe('a fixture in another encoding than UTF-8', () => {
  const text = 'seed: 1\ncustomers:\n  - name: Caf\u00e9 Z\u00fcrich\n';

  test('is refused, and the place told of the first byte that is not', async () => {
    const file = writeFixture('', 'latin.yaml');
    writeFileSync(file, Buffer.from(text, 'latin1'));
    expect(await refusalOf(file)).toBe(
      `${file}:3:14 is not UTF-8 but in another encoding, such as Latin-1. Save the file as UTF-8.`,
    );
  });

  test('is refused by the name of UTF-16 where it begins with its mark', async () => {
    const file = writeFixture('', 'wide.yaml');
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      writeFileSync(file, bytes);
      expect(await refusalOf(file)).toContain(`${file}:1:1 is not UTF-8 but UTF-16.`);
    }
  });

  test('but with the mark of UTF-8 is read', async () => {
    for (const name of ['marked.yaml', 'marked.json']) {
      const content = name.endsWith('.json') ? '{ "customers": [{ "name": "Caf\u00e9" }] }' : text;
      const file = writeFixture(`\ufeff${content}`, name);
      const server = await createMockServer({ dataset: file });
      expect(server.account('t').customers.list()).toMatchObject([
        { name: expect.stringMatching(/^Caf\u00e9/) },
      ]);
    }
  });
});
