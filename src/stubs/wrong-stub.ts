import type { Mistake } from '../errors/mistake.js';
import { isTooDeep } from '../errors/nesting.js';
import { didYouMean } from '../messages/nearest-name.js';
import { overlaps, parametersOf, shapeOf } from '../openapi/path-template.js';
import { METHODS } from '../openapi/route-table.js';
import { contentTypeOf, isJson, wrongHeader } from './header-fields.js';
import { placeholdersIn } from './placeholders.js';

/** An operation of the service: no stub may answer any of its calls. */
export interface TakenCall {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
}

/** The calls that the operations of a document answer. */
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
 * Finds the mistakes of a stub that its schema cannot express. Ignores values of the wrong type, which
 * the schema refuses.
 */
export function* wrongStub(value: unknown, taken: readonly TakenCall[]): Generator<Mistake, void> {
  if (isTooDeep(value)) return;
  const { method, path, status, headers, body } = membersOf(value);
  const parameters = typeof path === 'string' ? parametersOf(path) : [];
  if (typeof path === 'string') yield* wrongPath(path, method, taken);
  for (const [name, text] of Object.entries(membersOf(headers))) yield* wrongHeader(name, text);
  yield* wrongTexts(['headers'], headers, parameters);
  yield* wrongTexts(['body'], body, parameters);
  yield* wrongBody(status, headers, body);
}

/** Every mistake of a list of stubs, with the index of each stub: duplicates too. */
export function wrongStubs(list: unknown, taken: readonly TakenCall[]): Mistake[] {
  const seen = new Set<string>();
  return (Array.isArray(list) ? list : []).flatMap((stub: unknown, index) => {
    const { method, path } = membersOf(stub);
    const key = `${method} ${shapeOf(String(path))}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    const expected = 'a method and path that no other stub of the list has';
    return [
      ...wrongStub(stub, taken),
      ...(isRepeated ? [{ path: ['path'], expected, received: path }] : []),
    ].map((mistake) => ({ ...mistake, path: [String(index), ...mistake.path] }));
  });
}

/** A parameter, or the characters that a segment of a path may have (RFC 3986, section 3.3). */
const SEGMENT = /^(\{[A-Za-z]\w*\}|([\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*)$/;

function wrongPath(path: string, method: unknown, taken: readonly TakenCall[]): Mistake[] {
  const [beginning, ...segments] = path.split('/');
  const names = parametersOf(path);
  const isPath =
    beginning === '' &&
    segments.length > 0 &&
    segments.every((segment) => SEGMENT.test(segment)) &&
    // The last one is empty after a slash at the end.
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
    return wrong('a path outside of /__control, which is the control plane', 'Use another path.');
  }
  const owner = taken.find((call) => call.method === method && overlaps(call.path, path));
  if (!owner) return [];
  return wrong(
    `calls that no operation answers; ${owner.operationId} answers ${owner.method} ${owner.path}`,
    'Use another path or method; what an operation answers is changed by records, decisions and faults.',
  );
}

const EXPECTED_PLACEHOLDER =
  '{{path.NAME}}, {{query.NAME}}, {{body.NAME}}, or {{token body.NAME}} for a bearer token';

/** The placeholders, in all texts of a value, that are malformed or name an unknown parameter. */
function* wrongTexts(
  path: readonly string[],
  value: unknown,
  parameters: readonly string[],
): Generator<Mistake, void> {
  if (typeof value !== 'string') {
    for (const [name, member] of Object.entries(membersOf(value))) {
      yield* wrongTexts([...path, name], member, parameters);
    }
    return;
  }
  for (const { written, placeholder } of placeholdersIn(value)) {
    if (!placeholder) yield { path, expected: EXPECTED_PLACEHOLDER, received: written };
    else if (placeholder.source === 'path' && !parameters.includes(placeholder.name)) {
      const fix = didYouMean(placeholder.name, parameters);
      const expected = `a parameter of the path: ${parameters.join(', ') || 'it has none'}`;
      yield { path, expected, received: written, ...(fix && { fix }) };
    }
  }
}

/** Statuses whose answers have no body (RFC 9110). */
const WITHOUT_BODY: readonly unknown[] = [204, 205, 304];

function wrongBody(status: unknown, headers: unknown, body: unknown): Mistake[] {
  if (body === undefined) return [];
  const wrong = (expected: string) => [{ path: ['body'], expected, received: body }];
  if (WITHOUT_BODY.includes(status)) return wrong(`no body with the status ${status}`);
  const mediaType = contentTypeOf(membersOf(headers));
  return typeof body !== 'string' && !isJson(mediaType)
    ? wrong(`a string with the Content-Type '${mediaType}'`)
    : [];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
