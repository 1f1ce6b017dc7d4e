import fc from 'fast-check';
import {
  GOOD_FIELDS,
  GOOD_FRAMINGS,
  GOOD_REQUESTS,
  ODD_BODIES,
  ODD_FIELDS,
  ODD_FRAMINGS,
  ODD_METHODS,
  ODD_TARGETS,
  ODD_VERSIONS,
  OTHER_PROTOCOLS,
} from './raw-parts.js';

/** What is sent over one connection, and how. */
export interface RawPlan {
  /** The bytes as latin1 text, `{{token}}` where the token of the case goes. */
  readonly text: string;
  /** Where they are cut into pieces that are sent one after the other, from 0 to 1. */
  readonly cuts: readonly number[];
  /** How the client ends: it closes its side, waits for a response first, or resets. */
  readonly ending: 'half-close' | 'wait' | 'reset';
}

/** Requests one after the other, some of them odd in one way, or with bytes changed. */
export function rawPlans(): fc.Arbitrary<RawPlan> {
  const before = mostly(fc.constant(''), fc.constantFrom(...OTHER_PROTOCOLS));
  const changes = fc.oneof(
    { weight: 2, arbitrary: fc.constant<Mutation[]>([]) },
    fc.array(mutations(), { minLength: 1, maxLength: 3 }),
  );
  return fc.record({
    text: fc
      .tuple(before, fc.array(requests(), { minLength: 1, maxLength: 3 }), changes)
      .map(([first, texts, all]) => all.reduce(mutated, first + texts.join(''))),
    cuts: fc.array(PLACE, { maxLength: 4 }),
    ending: fc.constantFrom('half-close', 'wait', 'wait', 'reset'),
  });
}

/** The second one time in twenty-one: every third request is odd in one of its parts. */
function mostly<Value>(good: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 20, arbitrary: good }, odd);
}

/** A place in a text, from 0 to 1, every one as likely. */
const PLACE = fc.nat(9_999).map((place) => place / 10_000);

/** The value that the good request has. */
const AS_IT_IS = fc.constant(undefined);

function requests(): fc.Arbitrary<string> {
  const odd = <Value>(values: readonly Value[]) => mostly(AS_IT_IS, fc.constantFrom(...values));
  const fields = mostly(fc.constantFrom(...GOOD_FIELDS), fc.constantFrom(...ODD_FIELDS));
  return fc
    .record({
      good: fc.constantFrom(...GOOD_REQUESTS),
      method: odd(ODD_METHODS),
      target: mostly(AS_IT_IS, fc.oneof(fc.constantFrom(...ODD_TARGETS), bytes(20))),
      version: odd(ODD_VERSIONS),
      needed: odd(['', 'Host: localhost', 'Authorization: Bearer {{token}}']),
      fields: fc.array(mostly(fields, bytes(30)), { maxLength: 2 }),
      body: odd(ODD_BODIES),
      framing: mostly(fc.constantFrom(...GOOD_FRAMINGS), fc.constantFrom(...ODD_FRAMINGS)),
      newline: odd(['\n', '\r']),
    })
    .map(({ good, framing, fields, newline = '\r\n', version = 'HTTP/1.1', ...others }) => {
      const [method, target, sent] = good.split(' ');
      const body = others.body ?? sent;
      const [field, text] = body === undefined ? [undefined, ''] : framing(body);
      const head = [
        `${others.method ?? method} ${others.target ?? target} ${version}`,
        ...[others.needed ?? NEEDED].flat(),
        ...fields,
        ...(field === undefined ? [] : [field]),
      ];
      return `${head.join(newline)}${newline}${newline}${text}`;
    });
}

const NEEDED = [
  'Host: localhost',
  'Authorization: Bearer {{token}}',
  'Content-Type: application/json',
];

function bytes(maxLength: number): fc.Arbitrary<string> {
  return fc.uint8Array({ maxLength }).map((array) => Buffer.from(array).toString('latin1'));
}

/** A change of the bytes at a place, from 0 to 1. */
interface Mutation {
  readonly at: number;
  readonly taken: number;
  readonly put: string;
}

const PUT = ['', '\r\n', '\r\n\r\n', '\n', '\0', ':', ' ', 'x'.repeat(5_000)];

function mutations(): fc.Arbitrary<Mutation> {
  return fc.record({
    at: PLACE,
    taken: fc.oneof(fc.nat(2), fc.nat(200)),
    put: fc.oneof(bytes(3), fc.constantFrom(...PUT)),
  });
}

function mutated(text: string, { at, taken, put }: Mutation): string {
  const place = Math.floor(at * text.length);
  return text.slice(0, place) + put + text.slice(place + taken);
}
