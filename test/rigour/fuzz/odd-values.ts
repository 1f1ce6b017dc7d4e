import fc from 'fast-check';

/** Values that no schema asks for. */
export const ODD_VALUES: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    ...[
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 53,
      1e300,
      '',
      ' ',
      '.',
      '..',
      '\0',
      '\ud800',
      '\u2028',
    ],
    ...['__proto__', 'constructor', 'toString', '{{path.id}}', '{{body', '%00', '../../etc/passwd'],
    ...[[], {}, [[]], [null], 'x'.repeat(5_000), '\u{1F600}'.repeat(300), '<script>'],
    ...['9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01'],
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
  readonly act: 'replace' | 'remove' | 'add' | 'rename';
  readonly value: unknown;
}

const CHANGE: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(200),
  act: fc.constantFrom('replace', 'remove', 'add', 'rename'),
  value: ODD_VALUES,
});

/** The value with one to three changes. */
export function changedValue(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return (
    fc
      .tuple(value, fc.array(CHANGE, { minLength: 1, maxLength: 3 }))
      // The values of fast-check may be shared.
      .map(([one, changes]) => changes.reduce(applied, structuredClone(one)))
  );
}

function applied(value: unknown, { at, act, value: odd }: Change): unknown {
  const places = placesOf(value);
  const place = places[at % places.length];
  if (!place) return odd;
  const { parent, key } = place;
  const isList = Array.isArray(parent);
  if (act === 'replace') set(parent, key, odd);
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
