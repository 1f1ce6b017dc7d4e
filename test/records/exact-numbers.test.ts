import { createMockServer, FixtureError, type Problem } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { writeFixture } from '../support/fixture.js';

const server = await createMockServer({ dataset: 'empty' });

const CHANGED = [
  '1234567890123456789',
  '-9007199254740993',
  '1e400',
  '-1E+400',
  '1e-400',
  '0.12345678901234567890',
];

const KEPT = [
  ...['0', '-0', '0.0', '0.1', '1.0', '1.10', '1e3', '1E-2', '-12.50', '100000000000000000000'],
  ...['9007199254740992', '1e23', '5e-324', '1.7976931348623157e308'],
  // As languages write doubles that print 17 digits, or all.
  ...['0.30000000000000004', '0.10000000000000001'],
  '0.1000000000000000055511151231257827021181583404541015625',
];

/** The paths of the control plane, a body with a number in it, and the pointer to the number. */
const BODIES: readonly (readonly [string, string, (written: string) => string, string])[] = [
  [
    'POST',
    '/stubs',
    (n) => `{"method":"GET","path":"/me","body":{"a/b":[1,{"id":${n}}]}}`,
    '/body/a~1b/1/id',
  ],
  ['POST', '/faults', (n) => `{"kind":"respond","body":{"x":["]", ${n}]}}`, '/body/x/1'],
  ['POST', '/measurements', (n) => `{"value":\n${n}\n}`, '/value'],
  ['PUT', '/state', (n) => `{"measurements":[{"id":"m","value":${n}}]}`, '/measurements/0/value'],
];

describe.each(BODIES)('in the body of %s %s', (method, path, bodyWith, pointer) => {
  const send = (control: ReturnType<typeof controlOf>, written: string) =>
    server.fetch(`/__control${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${control.token}`,
        'Content-Type': 'application/json',
      },
      body: bodyWith(written),
    });

  test.each(CHANGED)('%s is refused, and nothing changes', async (written) => {
    const control = controlOf(server);
    const account = server.account(control.token);
    const before = account.exportState();
    const response = await send(control, written);
    const { detail, errors } = (await response.json()) as Problem;
    expect([response.status, errors]).toMatchObject([
      400,
      [{ in: 'body', pointer, received: written }],
    ]);
    expect(detail).toContain(
      ` is ${written}; expected a finite number that a double holds. Write it as a string`,
    );
    expect(account.exportState()).toEqual(before);
    expect([account.stubs.list(), account.faults.list()]).toEqual([[], []]);
  });

  test('numbers whose value stays are accepted', async () => {
    for (const written of KEPT) {
      const { status } = await send(controlOf(server), written);
      expect([written, status]).toEqual([written, { POST: 201, PUT: 200 }[method]]);
    }
  });
});

test('the bodies of operations keep no number, and refuse none', async () => {
  const response = await server.fetch('/events/delete-by-refs', {
    method: 'POST',
    headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json' },
    body: '{"refs":["x"],"traceId":1234567890123456789}',
  });
  expect(response.status).toBe(200);
  const [noted] = server.account('t').journal.list();
  expect(noted?.body).toBe('{"refs":["x"],"traceId":1234567890123456789}');
});

describe.each([
  ['YAML', 'yaml', (n: string) => `measurements:\n  - value: ${n}\n`, ':2:12'],
  ['JSON', 'json', (n: string) => `{ "measurements": [\n{ "value": ${n} }]}`, ':2:12'],
  ['a stub of YAML', 'yaml', stubOf((n) => `{ id: ${n} }`), ':4:17'],
  ['a name in YAML', 'yaml', stubOf((n) => `{ ${n}: 1 }`), ':4:13'],
] as const)('in a fixture of %s', (name, extension, textWith, place) => {
  const ofYaml = extension === 'yaml' ? ['0x20000000000001', '.inf', '-.INF', '.nan'] : [];
  test.each([...CHANGED, ...ofYaml])('%s stops the start', async (written) => {
    const file = writeFixture(textWith(written), `changed.${extension}`);
    const refusal = await createMockServer({ dataset: file }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FixtureError);
    expect(String(refusal)).toContain(
      `${file}${place} A number is ${written}; expected a finite number that a double holds. Write it as a string`,
    );
  });

  test('numbers whose value stays are loaded', async () => {
    const ofThis = name === 'YAML' ? ['+1', '0x1F', '.5', '0o17'] : [];
    for (const written of [...KEPT, ...ofThis]) {
      const dataset = writeFixture(textWith(written), `kept.${extension}`);
      expect(await createMockServer({ dataset })).toHaveProperty('fetch');
    }
  });
});

function stubOf(bodyWith: (written: string) => string) {
  return (written: string) =>
    `stubs:\n  - method: GET\n    path: /me\n    body: ${bodyWith(written)}\n`;
}
