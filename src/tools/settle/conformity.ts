import type { ErrorObject } from 'ajv';
import { createSchemaCheck, expectationOf, type OperationId } from '#spec';
import {
  isObject,
  memberOf,
  namesOfPointer,
  pointerTo,
  valueAt,
} from '../../core/values/json-value.js';
import { count } from '../../core/values/plural.js';
import { OPEN_FIELDS } from './observers/observe-enum-values.js';
import {
  type Described,
  type Place,
  pointerBelow,
  type Schema,
  successPlaceOf,
  unlistedIn,
  walk,
} from './seen/documented-members.js';
import { isAccepted, type Seen } from './seen/samples.js';
import type { Violation, ViolationKind } from './settle-report.js';

const MOST_VIOLATIONS = 100;
const LONGEST_NAME = 60;

/** More than a page of 1,000 measurements has. */
const MOST_ELEMENTS = 30_000;

const KINDS: Readonly<Record<string, ViolationKind>> = {
  type: 'wrong-type',
  format: 'wrong-format',
  required: 'missing-member',
};

/**
 * Lists how successful responses violate the document's schemas: each violation once, the most
 * frequent first, at most 100. Skips bodies that a recording lacks.
 */
export function violationsOf({ samples, document }: Seen): readonly Violation[] {
  const tally = createTally();
  const check = createSchemaCheck(document.components ?? {}, MOST_ELEMENTS);
  for (const { request, response } of samples.filter(isAccepted)) {
    const { operationId } = request;
    const { body } = response;
    if (body.kind === 'unknown') continue;
    const place = successPlaceOf(operationId, document);
    const value = body.kind === 'json' ? body.value : undefined;
    walk(place, value, (described) => {
      tally.look(operationId, described);
      for (const occurrence of occurrencesIn(described)) tally.add(operationId, occurrence);
    });
    if (body.kind !== 'json') {
      const example = body.kind === 'text' ? 'text that is not JSON' : 'no body';
      tally.add(operationId, { kind: 'wrong-type', pointer: '', expected: 'an object', example });
      continue;
    }
    for (const error of check(place.schema, value)) {
      tally.add(operationId, ofError(error, value, place));
    }
  }
  return tally.violations().slice(0, MOST_VIOLATIONS);
}

/**
 * The schema check does not report unlisted members and values, because the document leaves its
 * objects and lists of values open.
 */
function occurrencesIn(described: Described): Occurrence[] {
  const { value } = described;
  const { pointer } = described.place;
  const names = unlistedIn(described).slice(0, MOST_VIOLATIONS);
  const unlisted = names.map((name) => ({
    kind: 'unlisted-member' as const,
    pointer: `${pointer}${pointerTo(shownWord(name))}`,
    example: shapeOf(memberOf(value, name)),
  }));
  const known = OPEN_FIELDS.find((field) => pointer.endsWith(field.pointer))?.documented;
  if (!known || typeof value !== 'string' || known.includes(value)) return unlisted;
  const expected = `one of ${known.join(', ')}`;
  return [...unlisted, { kind: 'unlisted-value', pointer, expected, example: shownWord(value) }];
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
  if (isNumeric && value.length <= LONGEST_NAME) return `'${value.replaceAll(/\d/g, '0')}'`;
  return `a text of ${count(value.length, 'character')}`;
}

/** Quotes what looks like an identifier, and describes anything else by its shape. */
function shownWord(word: string): string {
  const isWord = word.length <= LONGEST_NAME && /^[\p{L}_$][\w$.-]*$/u.test(word);
  return isWord ? word : `(${shapeOf(word)})`;
}

type Occurrence = Omit<Violation, 'operationId' | 'count' | 'of'>;

/** Which members were ever seen in the objects of one schema. */
interface Presence extends Pick<Violation, 'operationId' | 'pointer'> {
  readonly present: Set<string>;
  count: number;
}

interface Found {
  readonly first: Occurrence & Pick<Violation, 'operationId'>;
  /** Up to five unlisted values, or a single example of anything else. */
  readonly examples: Set<string>;
  count: number;
}

const MOST_VALUES = 5;

function createTally() {
  const found = new Map<string, Found>();
  const looks = new Map<string, number>();
  const kinds = new Map<Schema, Presence>();

  return {
    look(operationId: OperationId, { place, value }: Described): void {
      const { pointer, schema } = place;
      const key = `${operationId} ${pointer}`;
      looks.set(key, (looks.get(key) ?? 0) + 1);
      // The body itself does not count: `nextCursor` is rightly absent from a last page.
      if (pointer === '' || !isObject(value)) return;
      const presence = kinds.get(schema) ?? { operationId, pointer, present: new Set(), count: 0 };
      kinds.set(schema, presence);
      presence.count += 1;
      for (const name of Object.keys(value)) presence.present.add(name);
    },

    add(operationId: OperationId, occurrence: Occurrence): void {
      const { kind, pointer, example } = occurrence;
      const key = `${operationId} ${pointer} ${kind}`;
      const first = { ...occurrence, operationId };
      const entry = found.get(key) ?? { first, examples: new Set(), count: 0 };
      found.set(key, entry);
      entry.count += 1;
      const most = kind === 'unlisted-value' ? MOST_VALUES : 1;
      if (example !== undefined && entry.examples.size < most) entry.examples.add(example);
    },

    violations(): Violation[] {
      const seen = [...found.values()].map(({ first, examples, count }) => {
        // Items are counted among all items, members among their parents.
        const whole = first.pointer.replace(/\/[^/*]+$/, '');
        const of = looks.get(`${first.operationId} ${whole}`) ?? 0;
        const shown = examples.size > 0 && { example: [...examples].join(', ') };
        return { ...first, count, of, ...shown };
      });
      const missing = [...kinds].flatMap(([schema, presence]) => neverPresent(schema, presence));
      return [...seen, ...missing].sort((one, other) => other.count - one.count);
    },
  };
}

function neverPresent(schema: Schema, presence: Presence): Violation[] {
  const { operationId, pointer, present, count } = presence;
  const { properties = {}, required = [] } = schema;
  const kind = 'never-present';
  return Object.keys(properties)
    .filter((name) => !present.has(name) && !required.includes(name))
    .map((name) => ({ kind, operationId, pointer: pointer + pointerTo(name), count, of: count }));
}
