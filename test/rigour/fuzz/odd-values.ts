import fc from 'fast-check';
import { listed } from './listed.js';

/** Texts that a schema allows, and code may not expect. */
export const ODD_TEXTS = [
  ...[' ', '\0', '\n', 'x'.repeat(5_000), '\u{1f600}'.repeat(300), 'e\u0301'.repeat(500)],
  ...listed(' | . | .. | %00 | ../../etc/passwd | <script> | {{path.id}} | {{body | null | -0'),
  ...listed('__proto__ | constructor | prototype | toString | hasOwnProperty | length'),
  // Outside the first plane, alone and joined; halves of such characters.
  ...listed('\u{1f600} | a\u{1f469}\u200d\u{1f467}z | \u{10ffff} | \u{20bb7} | \ud800 | x\udc00y'),
  // Marks that combine, from right to left, of no width, and what is longer in another case.
  ...listed(
    'e\u0301 | a\u0308\u0323 | \u0645\u0631\u062d\u0628\u0627 | \u202eabc | \ufeffx | \u200b',
  ),
  ...listed('\u0130 | \u00df | \ufb03 | \u03a3\u03c2 | \u2028 | \ufffe | \ufffd'),
];

/** Points in time at an edge, some of which none have. */
export const ODD_DATES = listed(
  '9999-12-31T23:59:59.999Z | 0000-01-01T00:00:00Z | 0001-01-01T00:00:00.000Z | 2026-01-01',
  '1970-01-01T00:00:00.000Z | 1969-12-31T23:59:59.999Z | 2024-02-29T00:00:00.000Z',
  '2026-02-30T00:00:00Z | 2026-12-31T23:59:60Z | 2026-01-01T00:00:00+14:00',
  '+275760-09-13T00:00:00.000Z | -271821-04-20T00:00:00.000Z',
);

const ODD_NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, -1e308, 5e-324];

/** Values that no schema asks for. */
export const ODD_VALUES: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  fc.constantFrom(...ODD_DATES),
  fc.constantFrom(...ODD_NUMBERS),
  fc.constantFrom(
    ...[null, true, false, [], {}, [[]], [null]],
    nested(150),
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":1},"toString":1}'),
  ),
  fc.string({ unit: 'binary' }),
  fc.jsonValue(),
);

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

/** A change at one place of a value, counted through all its places. */
interface Change {
  readonly at: number;
  readonly act: 'replace' | 'remove' | 'add' | 'rename' | 'spread';
  readonly value: unknown;
}

const CHANGE: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(200),
  act: fc.constantFrom('replace', 'remove', 'add', 'rename'),
  value: ODD_VALUES,
});

/** The value with another in or at one of its places. */
export function valueWith(
  value: fc.Arbitrary<unknown>,
  other: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const act = fc.constantFrom<Change['act']>('replace', 'add', 'spread');
  const change = fc.record({ at: fc.nat(200), act, value: other });
  return fc.tuple(value, change).map(([one, how]) => applied(structuredClone(one), how));
}

/** The value with one to three changes. */
export function changedValue(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return (
    fc
      .tuple(value, fc.array(CHANGE, { minLength: 1, maxLength: 3 }))
      // The values of fast-check may be shared, those of the changes too.
      .map(([one, changes]) => changes.reduce(applied, structuredClone(one)))
  );
}

function applied(value: unknown, { at, act, value: shared }: Change): unknown {
  // Another change may change it in turn.
  const odd = structuredClone(shared);
  const places = placesOf(value);
  const place = places[at % places.length];
  if (!place) return odd;
  const { parent, key } = place;
  const isList = Array.isArray(parent);
  if (act === 'replace') set(parent, key, odd);
  else if (act === 'spread') Object.assign(parent, odd);
  else if (act === 'add') set(parent, isList ? String(parent.length) : 'unlisted', odd);
  else if (isList) parent.splice(Number(key), 1);
  else {
    if (act === 'rename') set(parent, `${key}s`, Reflect.get(parent, key));
    Reflect.deleteProperty(parent, key);
  }
  return value;
}

/** As JSON.parse does: `__proto__` is a name like any other. */
function set(parent: object, key: string, value: unknown): void {
  Object.defineProperty(parent, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

interface Place {
  readonly parent: object;
  readonly key: string;
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    { parent: value, key },
    ...placesOf(member),
  ]);
}
