import type { ErrorObject } from 'ajv';
import { createSchemaCheck, expectationOf, type OperationId } from '#spec';
import { isObject, namesOfPointer, pointerTo, valueAt } from '../../core/values/json-value.js';
import { count } from '../../core/values/plural.js';
import {
  type Place,
  pointerBelow,
  type SeenData,
  successPlaceOf,
  walk,
} from './seen/documented-members.js';
import { isAccepted } from './seen/samples.js';
import type { Violation, ViolationKind } from './settle-report.js';

const MAX_VIOLATIONS = 100;
const MAX_NAME_LENGTH = 60;

/** More than a page of 1,000 measurements has. */
const MAX_ELEMENTS = 30_000;

const KINDS: Readonly<Record<string, ViolationKind>> = {
  type: 'wrong-type',
  format: 'wrong-format',
  required: 'missing-member',
};

/**
 * Lists where successful responses violate the document's schemas: each violation once, the most
 * frequent first, at most 100. What the document leaves open, such as further members, decisions
 * tell. Skips bodies that a recording lacks.
 */
export function violationsOf({ samples, document }: SeenData): readonly Violation[] {
  const found = new Map<string, Omit<Violation, 'of'>>();
  const looks = new Map<string, number>();
  const add = (operationId: OperationId, occurrence: Occurrence) => {
    const key = [operationId, occurrence.pointer, occurrence.kind].join(' ');
    const known = found.get(key) ?? { ...occurrence, operationId, count: 0 };
    found.set(key, { ...known, count: known.count + 1 });
  };
  const check = createSchemaCheck(document.components ?? {}, MAX_ELEMENTS);
  for (const { request, response } of samples.filter(isAccepted)) {
    const { operationId } = request;
    const { body } = response;
    if (body.kind === 'unknown') continue;
    const place = successPlaceOf(operationId, document);
    const value = body.kind === 'json' ? body.value : undefined;
    walk(place, value, ({ place: { pointer } }) => {
      const key = `${operationId} ${pointer}`;
      looks.set(key, (looks.get(key) ?? 0) + 1);
    });
    if (body.kind !== 'json') {
      const example = body.kind === 'text' ? 'text that is not JSON' : 'no body';
      add(operationId, { kind: 'wrong-type', pointer: '', expected: 'an object', example });
      continue;
    }
    for (const error of check(place.schema, value)) add(operationId, ofError(error, value, place));
  }
  return [...found.values()]
    .map((one) => {
      // Items are counted among all items, members among their parents.
      const whole = one.pointer.replace(/\/[^/*]+$/, '');
      return { ...one, of: looks.get(`${one.operationId} ${whole}`) ?? 0 };
    })
    .sort((one, other) => other.count - one.count)
    .slice(0, MAX_VIOLATIONS);
}

function ofError(error: ErrorObject, body: unknown, place: Place): Occurrence {
  const { keyword, instancePath, params, message } = error;
  const pointer = pointerBelow(place, namesOfPointer(instancePath));
  const kind = KINDS[keyword] ?? 'out-of-bounds';
  if (kind === 'missing-member') {
    return { kind, pointer: `${pointer}${pointerTo(params.missingProperty)}` };
  }
  const expected = expectationOf({ keyword, params, ...(message && { message }) });
  return { kind, pointer, expected, example: shapeOf(valueAt(body, instancePath)) };
}

/** Describes a value without quoting it: `a text of 12 characters`. */
function shapeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${count(value.length, 'item')}`;
  if (isObject(value)) return `an object of ${count(Object.keys(value).length, 'member')}`;
  if (typeof value !== 'string') return `a ${typeof value}`;
  if (value === '') return 'an empty text';
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return 'an e-mail address';
  // With zeros for digits, dates, numbers and phone numbers still show their format.
  const isNumeric = /^[\d\s.,:+()/TZ-]+$/.test(value) && /\d/.test(value);
  if (isNumeric && value.length <= MAX_NAME_LENGTH) return `'${value.replaceAll(/\d/g, '0')}'`;
  return `a text of ${count(value.length, 'character')}`;
}

type Occurrence = Omit<Violation, 'operationId' | 'count' | 'of'>;
