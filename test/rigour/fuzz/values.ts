import fc from 'fast-check';
import { LEDGER, type LedgerRow } from '../../../src/core/decisions/ledger.js';
import type { Operation, Schema } from './documents.js';
import { BEARABLE, KNOWN, ODD_DATES, ODD_TEXTS, REPEATED } from './known.js';

/** Mostly the first, and the second once for every `weight` times. */
export function mostly<Value, Other>(
  good: fc.Arbitrary<Value>,
  odd: fc.Arbitrary<Other>,
  weight = 20,
): fc.Arbitrary<Value | Other> {
  return fc.oneof({ weight, arbitrary: good }, odd);
}

/** One of the texts, repeated up to `max` times. */
export function repeated(texts: readonly string[], max: number): fc.Arbitrary<string> {
  const count = fc.integer({ min: 1, max });
  return fc.tuple(fc.constantFrom(...texts), count).map(([one, times]) => one.repeat(times));
}

/** Values that are odd for any schema. */
const ODD_VALUES: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS, ...ODD_DATES),
  fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, -1e308, 5e-324),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null]),
  fc.string({ unit: 'binary' }),
  repeated(REPEATED, 12_000),
  fc.jsonValue(),
);

/** JSON to put in place of a value, with `{{was}}` for the value itself; undefined to remove it. */
export const ODD_JSON: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 12, arbitrary: ODD_VALUES.map((value) => JSON.stringify(value)) },
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.constantFrom('{{was}},"unlisted":1', '{{was}},{{was}}', '-0', '1e999', 'NaN', '', '"\\ud800"'),
  fc.constant('{"__proto__":{"polluted":1},"constructor":{"prototype":1},"toString":1}'),
  repeated(['"x",', '{},', '[],', 'null,'], 60_000).map((list) => `[${list}0]`),
);

/** The value as JSON, in which `put` replaces one of the members that are meant, if any. */
export function changedJson(
  value: unknown,
  at: number,
  put: string | undefined,
  isMeant: (member: unknown) => boolean = () => true,
): string {
  const mark = '\0mark';
  let [places, was] = [0, ''];
  const written = (place: number) =>
    JSON.stringify(value, (_name, member) => {
      if (!isMeant(member) || places++ !== place) return member;
      was = JSON.stringify(member);
      return put === undefined ? undefined : mark;
    }) ?? '';
  written(-1);
  const place = at % places;
  places = 0;
  return written(place).replace(JSON.stringify(mark), () => (put ?? '').replaceAll('{{was}}', was));
}

/** Mostly a value that fits the schema, sometimes an odd one. */
export function sentValue(schema: Schema, name?: string): fc.Arbitrary<unknown> {
  return mostly(fittingValue(schema, name), ODD_VALUES, 6);
}

/** A body that fits an operation. */
export function fittingBody({ operationId, body = {} }: Operation): fc.Arbitrary<unknown> {
  if (operationId !== 'patchDecisions') return fittingValue(body);
  const seen = { host: 'x', at: '2026-10-01T12:00:00.000Z', evidence: ['GET /customers/x -> 400'] };
  const changes = Object.entries<LedgerRow>(LEDGER).flatMap(([id, { values }]) =>
    Object.keys(values)
      .map((key) => (/^\d+$/.test(key) ? Number(key) : key))
      .flatMap((value) => [{ [id]: value }, { [id]: { value, seen } }]),
  );
  const some = fc.array(fc.constantFrom(...changes), { minLength: 1, maxLength: 3 });
  return some.map((all): object => Object.assign({}, ...all));
}

/** A value that fits the schema of a member with this name. */
function fittingValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const { type = '', oneOf, example } = schema;
  const bearable = BEARABLE[name] ?? schema.enum;
  if (bearable) return fc.constantFrom(...bearable);
  if (oneOf) return fc.oneof(...oneOf.map((one) => fittingValue(one, name)));
  const value = OF_TYPE[type]?.(schema, name);
  if (!value)
    return fc.oneof(fc.jsonValue(), fc.constantFrom('{{path.id}}', '{{token body.user}}'));
  if (example === undefined) return value;
  // Drawn values rarely fit in all members, and drawn ids are rarely new.
  const withoutId = typeof example === 'object' ? { ...example, id: undefined } : example;
  return mostly(fc.constantFrom(example, withoutId), value, 1);
}

const OF_TYPE: Readonly<Record<string, (schema: Schema, name: string) => fc.Arbitrary<unknown>>> = {
  boolean: () => fc.boolean(),
  integer: ({ minimum: min = -3, maximum: max = 2_000 }) => fc.integer({ min, max }),
  number: ({ minimum: min = -3, maximum: max = 2_000 }) =>
    fc.oneof(fc.integer({ min, max }), fc.double({ noNaN: true, min, max })),
  string: ({ format, maxLength = 40 }, name) => {
    const bounds = { min: new Date(0), max: new Date('9990-01-01'), noInvalidDate: true };
    const date = fc.date(bounds).map((one) => one.toISOString());
    if (format === 'date-time') return mostly(date, fc.constantFrom(...ODD_DATES), 12);
    const written = fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 40) });
    const free = mostly(written, fc.constantFrom(...ODD_TEXTS), 3);
    const known = KNOWN[name];
    return known ? mostly(fc.constantFrom(...known), free, 5) : free;
  },
  array: ({ items = {} }, name) =>
    fc.array(fittingValue(items, name === 'refs' ? 'ref' : ''), { maxLength: 4 }),
  object: ({ properties = {}, required = [], additionalProperties: others, maxProperties }) => {
    const members = Object.entries(properties).map(([name, one]) => ({
      [name]: fittingValue(one, name),
    }));
    const requiredKeys = required as never[];
    if (maxProperties === 1) return fc.oneof(...members.map((one) => fc.record(one)));
    if (members.length > 0)
      return fc.record(Object.assign({}, ...members), { requiredKeys, noNullPrototype: true });
    const names = fc.constantFrom('a', 'id', 'name', 'Location', 'content-type', 'Set-Cookie');
    const value = typeof others === 'object' ? fittingValue(others) : fc.jsonValue();
    return fc.dictionary(names, value, { maxKeys: 3, noNullPrototype: true });
  },
};
