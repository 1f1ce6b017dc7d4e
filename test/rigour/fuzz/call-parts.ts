import fc from 'fast-check';
import type { Operation, Parameter } from './documents.js';
import { listed } from './listed.js';
import { sentValue } from './values.js';

const ODD_PATHS = listed(
  '%zz | % | %00 | %C0%AF | %2F | %2e%2e | . | .. | * | [object%20Object] | ;a=b | %ED%A0%80',
);

const ID_IN_PATH = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('1', '2', '3') },
  fc.constantFrom('0', '-1', '1.0', '1e0', '9007199254740993', '%31', 'x', ''),
);

export function pathOf({ path, parameters }: Operation): fc.Arbitrary<string> {
  const collection = path.split('/')[2];
  const values = parameters.filter((one) => one.in === 'path');
  return fc
    .tuple(...values.map((one) => inPath(one, one.name === 'id' ? collection : one.name)))
    .map((texts) =>
      values.reduce(
        (text, { name }, nth) => text.replace(`{${name}}`, () => texts[nth] ?? ''),
        path,
      ),
    );
}

function inPath({ schema }: Parameter, name: string | undefined): fc.Arbitrary<string> {
  if (schema.type === 'integer') return ID_IN_PATH;
  return fc.oneof(
    { weight: 12, arbitrary: sentValue(schema, name).map((value) => encoded(value)) },
    fc.constantFrom(...ODD_PATHS),
  );
}

/** As encodeURIComponent, but for what that refuses; of JSON for what is no text. */
export function encoded(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text === '{{own}}') return text;
  return encodeURIComponent(Buffer.from(text).toString()).slice(0, 6_000).replace(/%.?$/, '');
}

/** Of a parameter, in place of its name. */
const ODD_PAIRS = listed(
  'NAME= | NAME | NAME=1&NAME=2 | NAME[]=1 | NAME[a]=1 | NAME=%zz | NAME={{cursor}}',
);

const STRAY_PAIRS = [
  ...listed('x=1 | __proto__=1 | constructor[prototype]=1 | &&& | = | ? | a=%F0%9F | limit=10'),
  ...listed('of=server | for=server | of=all | of=account&of=server'),
  'a=1&'.repeat(400),
];

export function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const pairs = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) =>
      fc.oneof(
        {
          weight: 3,
          arbitrary: sentValue(schema, name).map((value) => `${name}=${encoded(value)}`),
        },
        fc.constantFrom(...ODD_PAIRS.map((pair) => pair.replaceAll('NAME', name))),
      ),
    );
  const all = [
    ...pairs.map((arbitrary) => ({ weight: 4, arbitrary })),
    { weight: 1, arbitrary: fc.constantFrom(...STRAY_PAIRS) },
  ];
  const some = fc.array(fc.oneof(...all), { minLength: 1, maxLength: 3 });
  const none = { weight: pairs.length > 0 ? 1 : 8, arbitrary: fc.constant<string[]>([]) };
  return fc.oneof(none, some).map((texts) => texts.join('&'));
}

const JSON_TYPE = 'application/json';
const HEADER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'Content-Type': [
    ...listed(`text/plain | ${JSON_TYPE}; charset=utf-16 | application/xml | `),
    ...listed(`${JSON_TYPE}; | ${JSON_TYPE}, text/html | application/x-www-form-urlencoded`),
    'multipart/form-data; boundary=x',
  ],
  'Content-Encoding': listed('gzip | br | identity | deflate | x | gzip, gzip'),
  Prefer: listed(
    'code=404 | code=400 | code=503 | code=500 | code=200 | code= | code=999 | wait=1',
    'code="401" | ;;,=,"',
  ),
  Accept: [
    ...listed(`text/html | */* | ${JSON_TYPE};q=0 | text/html;q=0.1, ${JSON_TYPE}`),
    'x'.repeat(2_000),
  ],
  Origin: listed('http://evil.example | null | http://localhost | x'),
  Host: listed('evil.example | localhost | 127.0.0.1 | [::1]:1 | a b | '),
  'X-Control-Token': ['x', ''],
  Expect: ['100-continue', '200-ok'],
  Range: ['bytes=0-1', 'bytes=9-1'],
  'If-None-Match': ['*', 'W/"x"'],
  'If-Modified-Since': ['Thu, 01 Jan 2099 00:00:00 GMT'],
  'Last-Event-ID': ['1', '-1', 'x'],
  'X-HTTP-Method-Override': ['DELETE'],
  'X-Forwarded-For': ['10.0.0.1'],
  'Access-Control-Request-Method': ['DELETE', 'x'],
  Cookie: ['a=b; __proto__=c'],
  Upgrade: ['websocket', 'h2c'],
};

export function headerFields(): fc.Arbitrary<Record<string, string>> {
  const field = fc.oneof(
    ...Object.entries(HEADER_FIELDS).map(([name, values]) =>
      fc.constantFrom(...values).map((value) => [name, value] as const),
    ),
  );
  return fc
    .array(field, { maxLength: 2, size: 'small' })
    .chain((fields) =>
      fc.constantFrom(true, false, false).map((has) => Object.fromEntries(has ? fields : [])),
    );
}

const ODD_BODIES = [
  ...listed(' | { | null | [ | " | \ufeff{} | {"a":1e999} | {"value":-0} | {"id":"a","id":"b"}'),
  ...listed('{"refs":["a"],"__proto__":{"x":1}} | NaN'),
  '{"name":"\\ud800","aliases":["\\udc00\\ud83d"]}',
  '['.repeat(3_000),
  `{"refs":[${'"x",'.repeat(1_001)}"y"]}`,
];

export function bodyOf(schema: Operation['body']): fc.Arbitrary<string | undefined> {
  if (!schema)
    return fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, fc.constantFrom('{}', 'x'));
  const json = sentValue(schema).map((value) => JSON.stringify(value) as string | undefined);
  return fc.oneof(
    { weight: 20, arbitrary: json },
    fc.constantFrom(undefined, ...ODD_BODIES),
    fc.tuple(json, fc.nat(400)).map(([text = '', at]) => text.slice(0, at)),
  );
}
