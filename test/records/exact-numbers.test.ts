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

const send = (method: string, path: string, body: string, token = 'kept') =>
  server.fetch(`/__control${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body,
  });

describe.each(BODIES)('in the body of %s %s', (method, path, bodyWith, pointer) => {
  test.each(path === '/stubs' ? CHANGED : CHANGED.slice(0, 1))(
    '%s is refused, and nothing changes',
    async (written) => {
      const { token } = controlOf(server);
      const account = server.account(token);
      const before = account.exportState();
      const response = await send(method, path, bodyWith(written), token);
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
    },
  );
});

test('in a body numbers whose value stays are accepted', async () => {
  const body = `{"method":"GET","path":"/me","body":[${KEPT}]}`;
  expect((await send('POST', '/stubs', body)).status).toBe(201);
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

const OF_YAML = ['0x20000000000001', '.inf', '-.INF', '.nan'];

test('in a fixture each number whose value changes stops the start', async () => {
  const all = [...CHANGED, ...OF_YAML];
  const values = all.map((written) => `  - value: ${written}\n`);
  const file = writeFixture(`measurements:\n${values.join('')}`);
  const refusal = await createMockServer({ dataset: file }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(FixtureError);
  expect((refusal as FixtureError).message.split('\n')).toEqual(
    all.map((written, nth) =>
      expect.stringContaining(
        `${file}:${nth + 2}:12 A number is ${written}; expected a finite number that a double holds. Write it as a string`,
      ),
    ),
  );
});

test.each([
  ['JSON', 'json', (n: string) => `{ "measurements": [\n{ "value": ${n} }]}`, ':2:12'],
  ['a stub', 'yaml', stubOf((n) => `{ id: ${n} }`), ':4:17'],
  ['a name', 'yaml', stubOf((n) => `{ ${n}: 1 }`), ':4:13'],
] as const)('so does one in %s of a fixture', async (_where, extension, textWith, place) => {
  const file = writeFixture(textWith('-9007199254740993'), `changed.${extension}`);
  await expect(createMockServer({ dataset: file })).rejects.toThrow(
    `${file}${place} A number is -9007199254740993; expected`,
  );
});

test('in a fixture numbers whose value stays are loaded', async () => {
  const all = [...KEPT, '+1', '0x1F', '.5', '0o17'];
  const dataset = writeFixture(`measurements: [${all.map((n) => `{ value: ${n} }`).join()}]`);
  const { measurements } = (await createMockServer({ dataset })).account('t');
  expect(measurements.list().map(({ value }) => value)).toEqual(all.map(Number));
});

function stubOf(bodyWith: (written: string) => string) {
  return (written: string) =>
    `stubs:\n  - method: GET\n    path: /me\n    body: ${bodyWith(written)}\n`;
}
