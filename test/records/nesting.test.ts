import { join } from 'node:path';
import request from 'supertest';
import { createMockServer, FixtureError, InvalidInputError } from '../../src/index.js';
import { connectMockServer } from '../../src/mock/client/connect-mock-server.js';
import { type Control, controlOf } from '../support/control.js';
import { newFolder, writeFixture } from '../support/fixture.js';

const server = await createMockServer({ dataset: 'test/support/mixed-records.yaml' });
const DEPTH = 10_000;

/** JSON text with this many levels. */
function nestedText(depth = DEPTH): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** A value with this many levels; JSON.parse does not recurse. */
function nested(depth = DEPTH): never {
  return JSON.parse(nestedText(depth)) as never;
}

function send(
  { token }: Pick<Control, 'token'>,
  method: 'post' | 'put' | 'patch',
  path: string,
  { app } = server,
) {
  return (text: string) =>
    request(app)
      [method](path)
      .set('Authorization', `Bearer ${token}`)
      .set('Content-Type', 'application/json')
      .send(text);
}

describe('a body nested too deeply', () => {
  test.each([
    ['patch', '/customers/written', `{"address":${nestedText()}}`],
    ['put', '/state', `{"events":[{"id":"e","data":{"units":${nestedText()}}}]}`],
    ['patch', '/decisions', `{"repeat-delete":${nestedText()}}`],
    ['post', '/reset', nestedText(101)],
  ] as const)('is refused by %s %s', async (method, path, text) => {
    const control = controlOf(server);
    const before = server.account(control.token).fingerprint();
    const { status, body } = await send(control, method, `/__control${path}`)(text);
    expect(status).toBe(400);
    expect(body.detail).toContain('at most 100 levels of objects and lists');
    expect(server.account(control.token).fingerprint()).toBe(before);
  });

  test.each(['ignore', 'reject'] as const)(
    'is refused by the service, which may %s unknown members',
    async (value) => {
      const control = controlOf(server);
      server.account(control.token).decisions.change({ 'unknown-body-members': value });
      const post = send(control, 'post', '/events/delete-by-refs');
      for (const text of [
        `{"refs":["none"],"other":${nestedText()}}`,
        `{"refs":${nestedText()}}`,
        `{"refs":[${nestedText()}]}`,
        nestedText(),
      ]) {
        const { status, body } = await post(text);
        expect(status).toBe(400);
        expect(body.errors).toEqual([
          {
            in: 'body',
            pointer: '',
            expected: 'at most 100 levels of objects and lists',
            detail: 'Nest it less deeply.',
          },
        ]);
      }
    },
  );

  test('is in the journal as text', async () => {
    const control = controlOf(server);
    const post = send(control, 'post', '/events/delete-by-refs');
    const texts = [
      `{"refs":["a"],"other":${nestedText(2_600)}}`,
      `{"refs":["a"],"other":${nestedText(100)}}`,
      `{"refs":["a"],"other":${nestedText(99)}}`,
    ];
    for (const text of texts) await post(text);
    const { status, body } = await control.get('/requests');
    expect(status).toBe(200);
    expect(body.requests.map((one: { body: unknown }) => one.body)).toEqual([
      texts[0],
      texts[1],
      JSON.parse(texts[2] ?? ''),
    ]);
    const listed = server.account(control.token).journal.list();
    expect(body.requests).toEqual(listed);
  });
});

test('what is nearly too deep is saved, and listed by the remote control', async () => {
  const stateFile = join(newFolder(), 'state.json');
  const before = await createMockServer({ dataset: 'empty', stateFile });
  await before.start();
  const account = connectMockServer({ url: before.url }).account('deep');
  const body = nested(99);
  await account.stubs.add({ method: 'POST', path: '/deep', body });
  await send({ token: 'deep' }, 'post', '/deep', before)(nestedText(100));
  expect(await account.journal.list()).toMatchObject([{ body: nested(100) }]);
  await before.stop();
  const after = await createMockServer({ dataset: 'empty', stateFile });
  expect(after.account('deep').stubs.list()).toMatchObject([{ body }]);
});

describe('a value nested too deeply is refused in the library by', () => {
  const account = server.account('library');
  const { customers, faults, journal } = account;

  test.each<[string, () => unknown]>([
    ['put', () => customers.put({ id: 'x', name: nested() })],
    ['patch', () => customers.patch('written', nested())],
    ['importState', () => account.importState({ customers: [nested()] })],
    ['faults.add', () => faults.add({ kind: nested() })],
    ['journal.list', () => journal.list(nested())],
    ['put, of a value that refers to itself', () => customers.put(circular())],
  ])('%s', (_name, act) => {
    expect(act).toThrow(InvalidInputError);
    expect(act).toThrow('at most 100 levels of objects and lists');
  });

  function circular(): never {
    const value: Record<string, unknown> = { id: 'x' };
    value.address = value;
    return value as never;
  }
});

describe('a fixture nested too deeply is refused', () => {
  test.each<readonly [string, string, string]>([
    ['YAML', 'deep.yaml', `customers: [{ id: x, name: ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)} }]`],
    ...Object.entries({
      'keys.yaml': '? '.repeat(DEPTH),
      'values.yaml': ': '.repeat(DEPTH),
      'indented.yaml': Array.from({ length: 2000 }, (_, n) => `${' '.repeat(n)}a:\n`).join(''),
      'brackets-in-lists.yaml': `${'- '.repeat(60)}${'['.repeat(60)}${']'.repeat(60)}`,
      'aliases-in-aliases.yaml': Array.from(
        { length: 500 },
        (_, n) => `- &a${n + 1} [${n === 0 ? '' : `*a${n}`}]\n`,
      ).join(''),
    }).map(([name, text]) => ['YAML', name, text] as const),
    ['JSON', 'deep.json', `{"customers":[{"id":"x","name":${nestedText()}}]}`],
    ['JSON', 'less.json', `{"customers":[{"id":"x","name":${nestedText(150)}}]}`],
  ])('%s in %s', async (_format, name, text) => {
    const refused = createMockServer({ dataset: writeFixture(text, name) });
    await expect(refused).rejects.toThrow(FixtureError);
    await expect(refused).rejects.toThrow('at most 100 levels');
  });

  test('where its aliases stand for too much, however few they are', async () => {
    const twice = (n: number) => `- &a${n} [*a${n - 1}, *a${n - 1}]`;
    const lines = ['- &a0 [x, y]', ...Array.from({ length: 40 }, (_, n) => twice(n + 1))];
    const dataset = writeFixture(lines.join('\n'), 'doubled.yaml');
    await expect(createMockServer({ dataset })).rejects.toThrow(
      /doubled\.yaml:\d+:\d+ The alias \*a\d+ cannot be resolved: .*at most 1000 aliases/,
    );
  });

  test('at its line, before anything is built from it', async () => {
    const dataset = writeFixture(`customers:\n  ${'- '.repeat(DEPTH)}`, 'placed.yaml');
    await expect(createMockServer({ dataset })).rejects.toThrow(/placed\.yaml:2:1 is nested too/);
  });

  test('unless it has just as many levels, however they are written', async () => {
    const levels = Array.from({ length: 99 }, (_, n) => `${' '.repeat(n)}&a${n} a:\n`).join('');
    const dataset = writeFixture(`${levels}${' '.repeat(99)}- b`, 'allowed.yaml');
    await expect(createMockServer({ dataset })).rejects.toThrow("Unknown member 'a'.");
    await expect(createMockServer({ dataset })).rejects.not.toThrow('levels');
  });
});
