import fc from 'fast-check';
import { LEDGER, type LedgerRow } from '../../../src/decisions/ledger.js';
import { nameIn, SCHEMAS, type Schema } from './documents.js';
import { FAULTS, KNOWN, RECORDS, STUBS } from './known.js';
import { changedValue, ODD_DATES, ODD_TEXTS, ODD_VALUES } from './odd-values.js';

/** A value as the schema asks for it, or one that it does not, all in all or in some members. */
export function sentValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const fitting = fittingValue(schema, name);
  return fc.oneof(
    { weight: 12, arbitrary: fitting },
    {
      weight: 3,
      arbitrary: changedValue(fitting),
    },
    { weight: 1, arbitrary: ODD_VALUES },
  );
}

/** Schemas whose values the documents leave open, or of which not all are bearable. */
const OWN: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  ...Object.fromEntries(
    Object.entries(RECORDS).map(([name, records]) => [name, () => oneOfThese(records, name)]),
  ),
  DecisionChanges: decisionChanges,
  FaultRequest: () => oneOfThese(FAULTS, 'FaultRequest'),
  StubRequest: () => oneOfThese(STUBS, 'StubRequest'),
  MergePatch: () =>
    fc.oneof(...Object.keys(RECORDS).map((name) => oneOfThese(RECORDS[name] ?? [], name)), {
      weight: 3,
      arbitrary: fc.constantFrom({ name: null }, { name: 'Renewed' }, { value: 3 }, {}),
    }),
  ClockSetting: () =>
    fc.oneof(
      fc.record({ frozenAt: fittingValue({ type: 'string', format: 'date-time' }, '') }),
      fc.record({ advanceMs: fc.constantFrom(0, 1, 60_000, -1, 1.5, 1e15) }),
      fc.constantFrom({ frozenNow: true }, { real: true }, {}, { frozenNow: false }),
    ),
};

/** Mostly one of these, for few values of the schema itself fit in all their members. */
function oneOfThese(values: readonly object[], schema: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...values) },
    fittingValue(SCHEMAS[schema] ?? {}, ''),
  );
}

/** Members whose values the schema allows, but which would only take time. */
const BEARABLE: Readonly<Record<string, readonly unknown[]>> = {
  delayMs: [0, 1, 20, -1, 3_600_001],
  timeoutMs: [0, 1, 20, -1, 600_001],
  latency: [0, 1, 5, '0..3', '2..1', '5', -1, 60_001, 'x', 1.5],
};

/** A value as the schema asks for it, under the name of a member. */
export function fittingValue(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { $ref, oneOf, type, example } = schema;
  if ($ref) return (OWN[nameIn($ref)] ?? (() => fittingValue(SCHEMAS[nameIn($ref)] ?? {}, name)))();
  const bearable = BEARABLE[name];
  if (bearable) return fc.constantFrom(...bearable);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (oneOf) return fc.oneof(...oneOf.map((one) => fittingValue(one, name)));
  const make = OF_TYPE[type ?? ''];
  if (!make) return fc.oneof(fc.jsonValue(), fc.constantFrom('{{path.id}}', '{{token body.user}}'));
  const value = make(schema, name);
  return example === undefined
    ? value
    : fc.oneof({ weight: 4, arbitrary: value }, fc.constant(example));
}

const OF_TYPE: Readonly<Record<string, (schema: Schema, name: string) => fc.Arbitrary<unknown>>> = {
  boolean: () => fc.boolean(),
  integer: ({ minimum = -3, maximum = 2_000 }) => fc.integer({ min: minimum, max: maximum }),
  number: ({ minimum = -3, maximum = 2_000 }) =>
    fc.oneof(
      fc.integer({ min: minimum, max: maximum }),
      fc.double({ noNaN: true, min: minimum, max: maximum }),
    ),
  string: textOf,
  array: ({ items = {} }, name) =>
    fc.array(fittingValue(items, name === 'refs' ? 'ref' : ''), { maxLength: 4 }),
  object({ properties = {}, required = [], additionalProperties }) {
    const members = Object.entries(properties).map(([name, one]) => [
      name,
      fittingValue(one, name),
    ]);
    if (members.length > 0) {
      return fc.record(Object.fromEntries(members), {
        requiredKeys: required.filter((name) => name in properties) as never[],
        noNullPrototype: true,
      });
    }
    const value =
      typeof additionalProperties === 'object'
        ? fittingValue(additionalProperties, '')
        : fc.jsonValue();
    return fc.dictionary(
      fc.constantFrom('a', 'Location', 'content-type', 'x-y', 'Set-Cookie'),
      value,
      { maxKeys: 3 },
    );
  },
};

function textOf({ format, maxLength = 40 }: Schema, name: string): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const date = fc
      .date({ min: new Date(0), max: new Date('9990-01-01'), noInvalidDate: true })
      .map((one) => one.toISOString());
    return fc.oneof({ weight: 12, arbitrary: date }, fc.constantFrom(...ODD_DATES));
  }
  if (format === 'email') return fc.emailAddress();
  const known = KNOWN[name];
  const free = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 40) }) },
    fc.constantFrom(...ODD_TEXTS),
  );
  return known ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, free) : free;
}

function decisionChanges(): fc.Arbitrary<unknown> {
  const values = Object.entries<LedgerRow>(LEDGER).map(([id, row]) => {
    const all = Object.keys(row.values).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
    const value = fc.constantFrom<string | number>(...all);
    return [id, fc.oneof(value, fc.record({ value }, { noNullPrototype: true }))] as const;
  });
  const one = fc.oneof(...values.map(([id, value]) => value.map((plain) => [id, plain] as const)));
  return fc.array(one, { minLength: 1, maxLength: 3 }).map((pairs) => Object.fromEntries(pairs));
}
