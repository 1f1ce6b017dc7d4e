import { createMockServer } from '../../src/index.js';
import { withEachCollection } from '../../src/mock/control-plane/control-document.js';
import { controlOf } from '../support/control.js';
import { openapi } from '../support/document.js';

/** A part of a parsed document, untyped: the tests do not rely on generated types. */
type Part = typeof openapi;

const server = await createMockServer({ dataset: 'default' });
const { body: document } = await controlOf(server).get('/control.openapi.json');

function resolve(part: Part): Part {
  if (typeof part?.$ref !== 'string') return part;
  const names: string[] = part.$ref.split('/').slice(1);
  return resolve(names.reduce((parent: Part, name) => parent[name], document));
}

const operations = Object.entries<Part>(withEachCollection(document).paths).flatMap(
  ([path, item]) =>
    Object.entries<Part>(item).map(([method, operation]) => ({ path, method, operation })),
);

/** Every number that a schema accepts, by its place; records of the service have its own bounds. */
function numbersIn(given: Part, at: string, seen: readonly Part[] = []): [string, Part][] {
  const schema = resolve(given);
  const isRecord = Object.keys(openapi.components.schemas).some((name) =>
    String(given?.$ref).endsWith(`/${name}`),
  );
  if (!schema || isRecord || seen.includes(schema)) return [];
  if (['integer', 'number'].includes(schema.type)) return [[at, schema]];
  const within = [...seen, schema];
  return [
    ...Object.entries<Part>(schema.properties ?? {}).map(([name, one]) => [name, one] as const),
    ...[schema.additionalProperties, schema.items]
      .filter(Boolean)
      .map((one) => ['*', one] as const),
    ...['oneOf', 'anyOf', 'allOf'].flatMap((all) =>
      (schema[all] ?? []).map((one: Part) => ['', one] as const),
    ),
  ].flatMap(([name, one]) => numbersIn(one, name ? `${at}/${name}` : at, within));
}

const inParameters = operations.flatMap(({ path, method, operation }) =>
  (operation.parameters ?? [])
    .map(resolve)
    .filter(({ schema }: Part) => ['integer', 'number'].includes(schema.type))
    .map((parameter: Part) => [
      `${method.toUpperCase()} ${path} ${parameter.name}`,
      path,
      method,
      parameter,
    ]),
) as [string, string, string, Part][];

const inBodies = operations.flatMap(({ path, method, operation }) =>
  Object.values<Part>(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    numbersIn(schema, `${method.toUpperCase()} ${path}`),
  ),
);

test('every number that the control plane accepts has bounds', () => {
  const all = [
    ...inParameters.map(([title, , , { schema }]) => [title, schema] as const),
    ...inBodies,
  ];
  const unbounded = all.filter(
    ([, { minimum, maximum, enum: values }]) => !values && [minimum, maximum].includes(undefined),
  );
  expect(unbounded.map(([title]) => title)).toEqual([]);
  expect(inBodies.length).toBeGreaterThan(10);
});

const ODD = [
  'Infinity',
  '-Infinity',
  '1e309',
  'NaN',
  '0x10',
  '0b1',
  ' 5',
  '5 ',
  '5.',
  '.5',
  '+5',
  '5_0',
  '5,0',
  '',
  '2.5',
];

test.each(inParameters)(
  '%s is a decimal number within its bounds',
  async (_title, path, method, parameter) => {
    const { name, schema } = parameter;
    const control = controlOf(server);
    const send = control[method as 'get' | 'post' | 'delete'];
    const odd = parameter.in === 'path' ? [...ODD.filter(Boolean), '1e0', '1.0', '01', '-1'] : ODD;
    for (const value of [...odd, String(schema.minimum - 1), String(schema.maximum + 1)]) {
      const text = encodeURIComponent(value);
      const called =
        parameter.in === 'path' ? path.replace(`{${name}}`, text) : `${path}?${name}=${text}`;
      const { status, body } = await send(called);
      expect([value, status, body.errors?.[0]]).toEqual([
        value,
        400,
        expect.objectContaining({ in: parameter.in, pointer: `/${name}`, received: value }),
      ]);
    }
  },
);
