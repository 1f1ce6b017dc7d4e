import fc from 'fast-check';
import { controlCall, serviceCall } from './arranged-calls.js';
import { pathOf } from './call-parts.js';
import { CONTROL_OPERATIONS, SERVICE_OPERATIONS } from './documents.js';
import { valueWith } from './odd-values.js';
import type { PlannedCall } from './planned-call.js';
import { fittingValue } from './values.js';

/** What a pattern may read again and again from each place where it occurs. */
const UNITS = [
  ...['token-', 'token-', 'secret_', 'api-key', 'eyJabcde.', 'password=', 'a=1&', 'a-'],
  ...['@', 'a@', '.', ', ', ';', ' ', '\t', '/', '\\', '"', '%', '0', '1e'],
  ...['{', '{{', '}', '{{path.', '[', '<', 'x', '\u{1f600}', 'e\u0301'],
];

/** A text that fits in a request line, and a longer one. */
const LONGEST_IN_LINE = 12_000;
const LONGEST_IN_BODY = 60_000;

function longTexts(longest: number): fc.Arbitrary<string> {
  const length = fc.constantFrom(3_000, 8_000, longest);
  return fc
    .tuple(fc.constantFrom(...UNITS), length, fc.constantFrom('', '!', '}', '='))
    .map(([unit, characters, end]) => unit.repeat(Math.ceil(characters / unit.length)) + end);
}

/** Lists and objects of thousands of elements, which hardly any schema wants. */
const LARGE_VALUES: fc.Arbitrary<object> = fc
  .tuple(
    fc.constantFrom<unknown>(1, null, '', 'text', {}, { x: 1 }, [], [[]], { id: 'one' }, '{{x}}'),
    fc.constantFrom(12_000, 60_000, 250_000),
    fc.boolean(),
  )
  .map(([element, count, isList]) =>
    isList ? Array(count).fill(element) : membersOf(count, element),
  );

function membersOf(count: number, element: unknown): object {
  return Object.fromEntries(Array.from({ length: count }, (_, nth) => [`m${nth}`, element]));
}

/** What shows the requests of the account. */
const SHOWN: readonly PlannedCall[] = ['format=har', ''].map((query) => ({
  ...controlCall('listRequests', '', undefined),
  query,
}));

/**
 * Calls with a long repetitive text at one place, or with a large list or object, and then what shows
 * them; or none.
 */
export function longCalls(): fc.Arbitrary<PlannedCall[]> {
  const one = fc.oneof({ weight: 2, arbitrary: inQuery() }, inPath(), inHeader(), {
    weight: 4,
    arbitrary: inBody(),
  });
  const some = fc.array(one, { minLength: 1, maxLength: 3, size: 'max' });
  const none = fc.constant<PlannedCall[]>([]);
  return fc.oneof(
    none,
    some.map((calls) => [...calls, ...SHOWN]),
  );
}

function inQuery(): fc.Arbitrary<PlannedCall> {
  const names = fc.constantFrom('cursor', 'limit', 'token', 'x', '');
  return fc.tuple(names, longTexts(LONGEST_IN_LINE)).map(([name, text]) => ({
    ...serviceCall('listMeasurements', ''),
    query: `${name}=${encodeURI(text).replaceAll('#', '%23')}`.slice(0, LONGEST_IN_LINE),
  }));
}

function inPath(): fc.Arbitrary<PlannedCall> {
  const ids = fc.constantFrom('getCustomer', 'getCustomerByName', 'deleteContract');
  return fc
    .tuple(ids, longTexts(LONGEST_IN_LINE))
    .map(([operationId, text]) => serviceCall(operationId, text));
}

function inHeader(): fc.Arbitrary<PlannedCall> {
  const names = ['Prefer', 'Accept', 'X-Request-Id', 'Cookie', 'Origin', 'Content-Type', 'X-Token'];
  return fc.tuple(fc.constantFrom(...names), longTexts(LONGEST_IN_LINE)).map(([name, text]) => ({
    ...serviceCall('listMeasurements', ''),
    headers: { [name]: text.replaceAll(/[^\x21-\x7e]/g, '~').slice(0, LONGEST_IN_LINE) },
  }));
}

/** Every operation with a body, of which one place is long. */
function inBody(): fc.Arbitrary<PlannedCall> {
  const operations = [...SERVICE_OPERATIONS, ...CONTROL_OPERATIONS].filter(({ body }) => body);
  const long = fc.oneof(longTexts(LONGEST_IN_BODY), LARGE_VALUES);
  const calls = operations.map((operation) =>
    fc
      .tuple(pathOf(operation), valueWith(fittingValue(operation.body ?? {}, ''), long))
      .map(([path, value]): PlannedCall => {
        const { method } = operation;
        const body = JSON.stringify(value);
        return { operation, actor: 'token', method, path, query: '', headers: {}, body };
      }),
  );
  return fc.oneof(...calls);
}
