import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Call } from '../server/call.js';
import { OPERATIONS, type Operation } from './documents.js';
import { ARRANGED, FIELDS, listed, ODD_TEXTS, REPEATED } from './known.js';
import { changedJson, fittingBody, mostly, ODD_JSON, repeated, sentValue } from './values.js';

/**
 * A planned call. Its placeholders are filled in when its turn comes: the account's `{{token}}` and
 * `{{id}}`, its record `{{own}}`, the id of an `{{other}}` account, and the last `{{cursor}}`.
 */
export interface PlannedCall {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** How the body is sent, if not as text. */
  readonly coding?: string | undefined;
}

/** The calls of a case: one after the other, or all at once. */
export interface CallPlan {
  readonly isBurst: boolean;
  readonly calls: readonly PlannedCall[];
}

/** How a body becomes bytes, and the header field that says so. */
const CODINGS: Readonly<Record<string, readonly [field: object, code: (text: string) => Buffer]>> =
  {
    gzip: [{ 'Content-Encoding': 'gzip' }, (text) => gzipSync(text)],
    deflate: [{ 'Content-Encoding': 'deflate' }, (text) => deflateSync(text)],
    br: [{ 'Content-Encoding': 'br' }, (text) => brotliCompressSync(text)],
    utf16: [
      { 'Content-Type': 'application/json; charset=utf-16' },
      (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    ],
    latin1: [{ 'Content-Type': 'application/json' }, (text) => Buffer.from(text, 'latin1')],
  };

/** A planned call as it is sent. */
export function callOf(planned: PlannedCall, filling: Readonly<Record<string, string>>): Call {
  const fill = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name) => filling[name] ?? placeholder);
  const { method, path, query, headers, coding = '' } = planned;
  const body = planned.body === undefined ? undefined : fill(planned.body);
  const [field, code] = (body !== undefined && CODINGS[coding]) || [];
  return {
    method,
    path: fill(path) + (query === '' ? '' : `?${fill(query)}`),
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json', ...field }),
      ...JSON.parse(fill(JSON.stringify(headers))),
    },
    body: body !== undefined && code ? code(body) : body,
  };
}

/** Paths outside the documents, which a stub or the page may answer. */
const BESIDE = listed(
  'GET /invoices/1 | GET /invoices/%00 | POST /login | GET / | GET /__control | GET /__control/ui',
  'GET /__control/nothing',
).map((text): Operation => {
  const [method = '', path = ''] = text.split(' ');
  return { operationId: 'none', method, path, parameters: [] };
});

/** What changes whole accounts; drawn rarely, because it hides everything else. */
const RARE = /^(closeAllAccounts|resetAllAccounts|closeAccount|resetAccount|putState)$/;
const weightOf = ({ operationId, path }: Operation) =>
  operationId !== 'none' && !path.startsWith('/__control') ? 36 : RARE.test(operationId) ? 3 : 6;

export function callPlans(): fc.Arbitrary<CallPlan> {
  const calls = [...OPERATIONS, ...BESIDE].map((operation) => ({
    weight: weightOf(operation),
    arbitrary: callsOf(operation),
  }));
  const parts = fc.tuple(
    fc.subarray(ARRANGED.map(([name, id, body]) => callTo(name, id, body))),
    mostly(fc.constant<PlannedCall[]>([]), oddlyNamed(), 2),
    fc.array(fc.oneof(...calls), { minLength: 1, maxLength: 12, size: 'max' }),
  );
  return fc.record({
    isBurst: mostly(fc.constant(false), fc.constant(true), 5),
    // The last two calls show the requests of all others.
    calls: parts.map((all) => [...all.flat(), LISTED, ARCHIVED]),
  });
}

const BEARER = { Authorization: 'Bearer {{token}}' };

/** Other ways to say who makes a call. */
const ACTORS: readonly Readonly<Record<string, string>>[] = [
  { 'X-Account-Id': '{{id}}' },
  {},
  { Authorization: 'Basic {{token}}' },
  { Authorization: 'Bearer token-refused' },
  { 'X-Account-Id': '0c7a2f5e-8d1b-4a63-9f0e-5b2d7c4e1a98' },
  { ...BEARER, 'X-Account-Id': '{{other}}' },
];

/** A call of an operation, given by its id or its method and path, with a value in its path. */
export function callTo(name: string, value = '', body?: object): PlannedCall {
  const operation = OPERATIONS.find((one) =>
    [one.operationId, `${one.method} ${one.path}`].includes(name),
  );
  if (!operation) throw new Error(`The documents have no operation ${name}.`);
  const { method } = operation;
  const path = operation.path.replace(/\{\w+\}/, () => encoded(value));
  return { operation, method, path, query: '', headers: BEARER, body: JSON.stringify(body) };
}

const LISTED = callTo('listRequests');
const ARCHIVED = callTo('getArchive');

/**
 * A customer with an unusual name, which is then read by that name and listed. Drawn separately,
 * the names would hardly ever match.
 */
function oddlyNamed(): fc.Arbitrary<PlannedCall[]> {
  return fc
    .constantFrom(...ODD_TEXTS)
    .map((name) => [
      callTo('PUT /__control/customers/{id}', 'c2', { name, aliases: [name], externalId: name }),
      callTo('getCustomerByName', name),
      callTo('getCustomer', name),
    ]);
}

const METHODS = listed('HEAD | OPTIONS | POST | PUT | DELETE | PATCH | GET | TRACE | QUERY');

function callsOf(operation: Operation): fc.Arbitrary<PlannedCall> {
  return fc.record(
    {
      operation: fc.constant(operation),
      method: mostly(fc.constant(operation.method), fc.constantFrom(...METHODS)),
      path: pathOf(operation),
      query: queryOf(operation),
      headers: fc
        .tuple(mostly(fc.constant(BEARER), fc.constantFrom(...ACTORS), 9), headerFields())
        .map(([actor, fields]) => ({ ...actor, ...fields })),
      body: bodyOf(operation),
      coding: mostly(fc.constant(undefined), fc.constantFrom(...Object.keys(CODINGS))),
    },
    { noNullPrototype: true },
  );
}

const ODD_PATHS = listed(
  '%zz | % | %00 | %C0%AF | %2F | %2e%2e | . | .. | * | [object%20Object] | ;a=b | %ED%A0%80',
);
const NUMBERS = listed(
  '1 | 2 | 3 | 1 | 2 | 3 | 0 | -1 | 1.0 | 1e0 | 9007199254740993 | %31 | x | ',
);

/** The path of an operation, with values for its parameters. */
function pathOf({ path, parameters }: Operation): fc.Arbitrary<string> {
  const values = parameters
    .filter((one) => one.in === 'path')
    .map(({ name, schema }) => {
      if (schema.type === 'integer') return fc.constantFrom(...NUMBERS);
      const value = sentValue(schema, name === 'id' ? path.split('/')[2] : name);
      return mostly(value.map(encoded), fc.constantFrom(...ODD_PATHS), 12);
    });
  return fc.tuple(...values).map((texts) => {
    let nth = 0;
    return path.replace(/\{\w+\}/g, () => texts[nth++] ?? '');
  });
}

/** Like encodeURIComponent, but never throws, and fits in a request line; objects become JSON. */
function encoded(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (text === '{{own}}') return text;
  return encodeURIComponent(Buffer.from(text).toString()).slice(0, 12_000).replace(/%.?$/, '');
}

/** Odd forms of a query parameter, whose name replaces `NAME`. */
const ODD_PAIRS = listed(
  'NAME= | NAME | NAME=1&NAME=2 | NAME[]=1 | NAME[a]=1 | NAME=%zz | NAME={{cursor}}',
);
const STRAY_PAIRS = [
  ...listed('x=1 | __proto__=1 | constructor[prototype]=1 | &&& | = | ? | a=%F0%9F | limit=10'),
  ...listed('of=server | for=server | of=all | of=account&of=server'),
  'a=1&'.repeat(400),
];

function queryOf({ parameters }: Operation): fc.Arbitrary<string> {
  const pairs = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) =>
      mostly(
        sentValue(schema, name).map((value) => `${name}=${encoded(value)}`),
        fc.constantFrom(...ODD_PAIRS.map((pair) => pair.replaceAll('NAME', name))),
        3,
      ),
    );
  const stray = fc.constantFrom(...STRAY_PAIRS);
  const one = pairs.length > 0 ? mostly(fc.oneof(...pairs), stray, 4 * pairs.length) : stray;
  const some = fc.array(one, { minLength: 1, maxLength: 3 }).map((texts) => texts.join('&'));
  return mostly(fc.constant(''), some, pairs.length > 0 ? 1 : 8);
}

/** Fields whose values a pattern may search. */
const SEARCHED = listed('Prefer | Accept | X-Request-Id | Cookie | Origin | Content-Type');

function headerFields(): fc.Arbitrary<Record<string, string>> {
  const known = fc.constantFrom(...FIELDS).map((line) => line.split(/: ?(.*)/s));
  const long = fc
    .tuple(fc.constantFrom(...SEARCHED), repeated(REPEATED, 3_000))
    .map(([name, text]) => [name, text.slice(0, 12_000).replaceAll(/[^\x21-\x7e]/g, '~')]);
  const some = fc.array(mostly(known, long), { minLength: 1, maxLength: 2 });
  return mostly(fc.constant({}), some.map(Object.fromEntries), 2);
}

const ODD_BODIES = [
  ...listed(' | { | null | [ | " | \ufeff{} | {"a":1e999} | {"value":-0} | {"id":"a","id":"b"}'),
  ...listed('{"refs":["a"],"__proto__":{"x":1}} | NaN | {"name":"\\ud800","aliases":["\\udc00"]}'),
];

function bodyOf(operation: Operation): fc.Arbitrary<string | undefined> {
  if (!operation.body) return mostly(fc.constant(undefined), fc.constantFrom('{}', 'x'), 12);
  const fitting = fittingBody(operation);
  const json = fitting.map((value) => JSON.stringify(value));
  const changed = fc
    .tuple(fitting, fc.nat(200), ODD_JSON)
    .map(([value, at, put]) => changedJson(value, at, put));
  return fc.oneof(
    { weight: 14, arbitrary: json },
    { weight: 6, arbitrary: changed },
    fc.constantFrom(undefined, ...ODD_BODIES),
    fc.tuple(json, fc.nat(400)).map(([text, at]) => text.slice(0, at)),
  );
}

/** Calls of each operation with a body, in which one of the texts replaces a value. */
export function callsWith(
  texts: readonly string[],
  isMeant?: (member: unknown) => boolean,
): fc.Arbitrary<PlannedCall> {
  const calls = OPERATIONS.filter(({ body }) => body).map((operation) => {
    const body = fc
      .tuple(fittingBody(operation), fc.nat(20), fc.constantFrom(...texts))
      .map(([value, at, text]) => changedJson(value, at, text, isMeant));
    return fc
      .tuple(pathOf(operation), body)
      .map(([path, text]) => ({ ...callTo(operation.operationId), path, body: text }));
  });
  return fc.oneof(...calls);
}
