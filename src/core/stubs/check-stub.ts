import { STUB_SCHEMA } from '../../generated/stub-schema.js';
import { isTooDeep } from '../errors/nesting-depth.js';
import { matchesTemplate, parametersOf, shapeOf } from '../openapi/path-template.js';
import { METHODS } from '../openapi/route-table.js';
import { contentTypeOf, isJson, WITHOUT_BODY } from '../values/body-type.js';
import { didYouMean } from '../values/did-you-mean.js';
import { membersOf } from '../values/json-value.js';
import type { Mistake } from '../values/mistake.js';
import { wrongHeader } from './header-fields.js';
import { placeholdersIn } from './placeholder-syntax.js';

/** A fixture can declare this many stubs. */
export const MAX_STUBS = 1_000;

const OF_RESPONSE = Object.keys(STUB_SCHEMA.properties.responses.items.properties);

/** A call that an operation of the service answers, so that no stub can. */
export interface TakenCall {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
}

export function takenCalls(paths: object): TakenCall[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      method: method.toUpperCase(),
      path,
      operationId: String(item[method].operationId),
    })),
  );
}

/**
 * Finds mistakes in a stub that its schema cannot express. Ignores values of the wrong type, which
 * the schema refuses.
 */
export function* wrongStub(value: unknown, taken: readonly TakenCall[]): Generator<Mistake, void> {
  if (isTooDeep(value)) return;
  const stub = membersOf(value);
  const { method, path, responses } = stub;
  const parameters = typeof path === 'string' ? parametersOf(path) : [];
  if (typeof path === 'string') yield* wrongPath(path, method, taken);
  if (!Array.isArray(responses)) return yield* wrongResponse(stub, parameters);
  for (const name of OF_RESPONSE.filter((one) => stub[one] !== undefined)) {
    const fix = 'Move it into one of `responses`, or leave `responses` out.';
    const expected = `no ${name} beside \`responses\``;
    yield { path: [name], expected, received: stub[name], fix };
  }
  for (const [index, response] of responses.entries()) {
    for (const mistake of wrongResponse(membersOf(response), parameters)) {
      yield { ...mistake, path: ['responses', String(index), ...mistake.path] };
    }
  }
}

/**
 * Finds mistakes in a response that its schema cannot express. Its texts may have placeholders for
 * these parameters of the path; without `parameters`, placeholders are not looked for.
 */
export function* wrongResponse(
  response: object,
  parameters?: readonly string[],
): Generator<Mistake, void> {
  const { status, headers, body } = membersOf(response);
  for (const [name, text] of Object.entries(membersOf(headers))) yield* wrongHeader(name, text);
  if (parameters) {
    yield* wrongTexts(['headers'], headers, parameters);
    yield* wrongTexts(['body'], body, parameters);
  }
  yield* wrongBody(status, headers, body);
}

/**
 * Finds mistakes in a list of stubs that its schema cannot express, duplicates included. The path
 * of each begins with the index of the stub.
 */
export function wrongStubs(list: unknown, taken: readonly TakenCall[]): Mistake[] {
  const seen = new Map<string, string>();
  return (Array.isArray(list) ? list : []).flatMap((stub: unknown, index) => {
    const { method, path } = membersOf(stub);
    const key = `${method} ${shapeOf(String(path))}`;
    const equal = seen.get(key);
    if (!equal) seen.set(key, `stubs/${index} has ${method} ${path}`);
    const expected = `another method or path: ${equal}`;
    return [
      ...wrongStub(stub, taken),
      ...(equal ? [{ path: ['path'], expected, received: path }] : []),
    ].map((mistake) => ({ ...mistake, path: [String(index), ...mistake.path] }));
  });
}

/** A path segment: a parameter, or the characters of RFC 3986, section 3.3. */
const SEGMENT = /^(\{[A-Za-z]\w*\}|([\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*)$/;

function wrongPath(path: string, method: unknown, taken: readonly TakenCall[]): Mistake[] {
  const [beginning, ...segments] = path.split('/');
  const names = parametersOf(path);
  const isPath =
    beginning === '' &&
    segments.length > 0 &&
    segments.every((segment) => SEGMENT.test(segment)) &&
    // The last segment is empty if the path ends with a slash.
    !segments.slice(0, -1).includes('') &&
    new Set(names).size === names.length;
  const wrong = (expected: string, fix: string) => [
    { path: ['path'], expected, received: path, fix },
  ];
  if (!isPath) {
    return wrong(
      'a path such as /login or /invoices/{id}',
      'Begin it with a slash, percent-encode other characters, leave out the query, and give each parameter a whole segment and a different name.',
    );
  }
  if (segments[0] === '__control') {
    return wrong('a path outside /__control, which is the control plane', 'Use another path.');
  }
  const owner = taken.find((call) => call.method === method && matchesTemplate(call.path, path));
  if (!owner) return [];
  return wrong(
    'a call that no operation answers',
    `A stub cannot replace ${owner.method} ${owner.path} (${owner.operationId}). Change records, decisions or faults instead, or stub another path.`,
  );
}

const EXPECTED_PLACEHOLDER =
  '{{path.NAME}}, {{query.NAME}}, {{body.NAME}}, or {{token body.NAME}} for a bearer token';

/** Finds placeholders in the texts of a value that are malformed or name an unknown parameter. */
function* wrongTexts(
  path: readonly string[],
  value: unknown,
  parameters: readonly string[],
): Generator<Mistake, void> {
  if (typeof value !== 'string') {
    // The entries of a long list, all at once, would take many times its memory.
    const members = Array.isArray(value) ? value.entries() : Object.entries(membersOf(value));
    for (const [name, member] of members) {
      yield* wrongTexts([...path, String(name)], member, parameters);
    }
    return;
  }
  for (const { written, placeholder } of placeholdersIn(value)) {
    if (!placeholder) yield { path, expected: EXPECTED_PLACEHOLDER, received: written };
    else if (placeholder.source === 'path' && !parameters.includes(placeholder.name)) {
      const fix = didYouMean(placeholder.name, parameters);
      const expected =
        parameters.length > 0
          ? `a parameter of the path: ${parameters.join(', ')}`
          : 'no {{path.NAME}}, because the path has no parameter';
      yield {
        path,
        expected,
        received: written,
        fix: fix ?? 'Name a parameter of the path, or add this one to it.',
      };
    }
  }
}

function wrongBody(status: unknown, headers: unknown, body: unknown): Mistake[] {
  if (body === undefined) return [];
  const wrong = (expected: string, fix?: string) => [
    { path: ['body'], expected, received: body, fix },
  ];
  if (WITHOUT_BODY.includes(status)) {
    return wrong(`no body with the status ${status}`, 'Leave it out, or use another status.');
  }
  const mediaType = contentTypeOf(membersOf(headers));
  return typeof body !== 'string' && !isJson(mediaType)
    ? wrong(`a string with the Content-Type '${mediaType}'`)
    : [];
}
