import type { ErrorObject } from 'ajv';
import type { OperationId } from '../billing/operation.js';
import { CUSTOMER_SOURCES } from '../decisions/customer-sources.js';
import { memberOf, namesOfPointer, pointerTo, valueAt } from '../errors/json-pointer.js';
import { expectationOf } from '../openapi/expectation.js';
import { createSchemaCheck } from '../openapi/schema-check.js';
import { successPlaceOf } from './documented-members.js';
import { isSuccess } from './exchange.js';
import type { Seen } from './observation.js';
import { type Described, type Place, pointerBelow, unlistedIn, walk } from './places.js';
import { shapeOf, shownWord } from './shape.js';
import { createTally, type Occurrence } from './tally.js';
import type { Violation, ViolationKind } from './violation.js';

const MOST_VIOLATIONS = 100;

/** More than a page of 1,000 measurements has. */
const MOST_ELEMENTS = 30_000;

const KINDS: Readonly<Record<string, ViolationKind>> = {
  type: 'wrong-type',
  format: 'wrong-format',
  required: 'missing-member',
};

/**
 * Compares every success with the document's schemas: each violation once, the most frequent ones
 * first, at most 100. Refusals, and bodies that a recording does not contain, are left out.
 */
export function violationsOf({ exchanges, document }: Seen): readonly Violation[] {
  const tally = createTally();
  const places = new Map<OperationId, Place>();
  const check = createSchemaCheck(document.components ?? {}, MOST_ELEMENTS);
  for (const exchange of exchanges) {
    const { body } = exchange.answer;
    const { operationId } = exchange.call;
    if (!isSuccess(exchange) || body.kind === 'unknown') continue;
    const place = places.get(operationId) ?? successPlaceOf(operationId, document);
    places.set(operationId, place);
    const value = body.kind === 'json' ? body.value : undefined;
    walk(place, value, (described) => {
      tally.look(operationId, described);
      for (const occurrence of occurrencesIn(described)) tally.add(operationId, occurrence);
    });
    if (body.kind !== 'json') tally.add(operationId, NOT_JSON[body.kind]);
    for (const error of body.kind === 'json' ? check(place.schema, value) : []) {
      tally.add(operationId, ofError(error, value, place));
    }
  }
  return tally.violations().slice(0, MOST_VIOLATIONS);
}

const NOT_JSON: Readonly<Record<'text' | 'empty', Occurrence>> = {
  text: notJson('a text that is not JSON'),
  empty: notJson('no body'),
};

function notJson(example: string): Occurrence {
  return { kind: 'wrong-type', pointer: '', expected: 'an object', example };
}

/** What the rules of JSON Schema do not report: the document's objects and lists of values are open. */
function occurrencesIn(described: Described): Occurrence[] {
  const { value } = described;
  const { pointer } = described.place;
  const names = unlistedIn(described).slice(0, MOST_VIOLATIONS);
  const unlisted = names.map((name) => ({
    kind: 'unlisted-member' as const,
    pointer: `${pointer}${pointerTo(shownWord(name))}`,
    example: shapeOf(memberOf(value, name)),
  }));
  const [, known] = OPEN_LISTS.find(([end]) => pointer.endsWith(end)) ?? [];
  const isUnlisted = known && typeof value === 'string' && !known.includes(value);
  if (!isUnlisted) return unlisted;
  const expected = `one of ${known.join(', ')}`;
  return [...unlisted, { kind: 'unlisted-value', pointer, expected, example: shownWord(value) }];
}

/** The fields under the decision `enum-values`, with the values that are documented. */
const OPEN_LISTS: readonly (readonly [end: string, known: readonly string[]])[] = [
  ['/customer/source', CUSTOMER_SOURCES],
  ['/duration/unit', ['MONTH']],
  ['/pricing/type', ['ONE_TIME']],
];

function ofError(
  { keyword, instancePath, params, message }: ErrorObject,
  body: unknown,
  place: Place,
): Occurrence {
  const pointer = pointerBelow(place, namesOfPointer(instancePath));
  const kind = KINDS[keyword] ?? 'out-of-bounds';
  if (kind === 'missing-member') {
    return { kind, pointer: `${pointer}${pointerTo(params.missingProperty)}` };
  }
  const expected = expectationOf({ keyword, params, ...(message && { message }) });
  return { kind, pointer, expected, example: shapeOf(valueAt(body, instancePath)) };
}
