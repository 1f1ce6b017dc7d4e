import type { DecisionId } from '../billing/decisions.js';
import { expectationOf } from '../billing/expectation.js';
import { type InvalidValue, pointerTo } from '../billing/problems.js';
import { cut, shown } from '../billing/shown.js';

/** A broken rule as the validator tells it; its `path` is such as `/query/limit` or `/body/refs/0`. */
export interface BrokenRule {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** The parts of a request as they were received, before the validator changes types. */
export interface ReceivedValues {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Puts what the validator found into the words of a problem. */
export function toInvalidValue(
  { path, message, errorCode = '' }: BrokenRule,
  received: ReceivedValues,
): InvalidValue {
  const [, part = ''] = path.split('/');
  const place = part === 'body' || part === 'query' ? part : 'path';
  const names = namesOf(path.slice(part.length + 2), received[place]);
  const value = names.reduce<unknown>(memberOf, received[place]);
  const [rule = ''] = errorCode.split('.');
  const { expected, detail } = ADVICE[rule] ?? adviceOn(message);
  const decision = DECISIONS[`${place} ${rule}`];
  return {
    in: place,
    pointer: pointerTo(...names),
    expected,
    ...(value !== undefined && { received: value }),
    detail,
    ...(decision && { decision }),
  };
}

type Advice = Pick<InvalidValue, 'expected' | 'detail'>;

/** What to do about certain rules; of any other, the expectation says it. */
const ADVICE: Readonly<Record<string, Advice>> = {
  required: { expected: 'this member', detail: 'Add it.' },
  additionalProperties: { expected: 'no member of this name', detail: 'Take it out.' },
};

/** The decisions that put a rule into the document. */
const DECISIONS: Readonly<Record<string, DecisionId>> = {
  'query minimum': 'limit-out-of-bounds',
  'query maximum': 'limit-out-of-bounds',
  'body additionalProperties': 'unknown-body-members',
};

function adviceOn(message: string): Advice {
  const expected = expectationOf(message);
  return { expected, detail: `Make it ${expected}.` };
}

/** The names on the way; the validator tells the name of an unknown member as it came, unescaped. */
function namesOf(way: string, value: unknown): readonly string[] {
  if (way === '') return [];
  if (memberOf(value, way) !== undefined) return [way];
  return way.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** A long value is shown as its beginning, so that an error never outgrows what caused it. */
export function shorten(value: InvalidValue): InvalidValue {
  if (typeof value.received === 'string') return { ...value, received: cut(value.received) };
  const text = shown(value.received);
  return text.endsWith('…') ? { ...value, received: text } : value;
}
