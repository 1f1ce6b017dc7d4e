import type { DecisionId } from '../decisions/ledger.js';
import { MOST_ERRORS } from '../errors/invalid-input.js';
import { type InvalidValue, ProblemError } from '../errors/problem-error.js';
import type { BrokenRule } from '../openapi/judge.js';
import type { SchemaAt } from '../openapi/references.js';
import { expectationOfSchema, listedValuesOf } from '../openapi/schema-in-words.js';
import { adviceOnName, didYouMean } from '../values/did-you-mean.js';
import { memberOf, namesOfPointer, pointerTo } from '../values/json-value.js';
import { cut, shown } from '../values/received-value.js';

/** The parts of a request as they were received, before the validator changes types. */
export interface ReceivedValues {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Describes a rule that the validator found broken as an invalid value of the problem. */
export function describeInvalidValue(
  { path, message, errorCode = '' }: BrokenRule,
  received: ReceivedValues,
  schemaAt: SchemaAt,
): InvalidValue {
  const [, part = ''] = path.split('/');
  const place = part === 'body' || part === 'query' ? part : 'path';
  const names = namesOf(path.slice(part.length + 2), received[place]);
  const value = names.reduce<unknown>(memberOf, received[place]);
  const [rule = ''] = errorCode.split('.');
  const { expected, detail } = (ADVICE[rule] ?? adviceOn)({
    rule,
    message,
    name: names.at(-1) ?? '',
    value,
    schema: schemaAt(place, rule === 'additionalProperties' ? names.slice(0, -1) : names),
  });
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

/** What is known of a broken rule: its value with its name, and the schema that it broke. */
interface Break {
  readonly rule: string;
  readonly message: string;
  readonly name: string;
  readonly value: unknown;
  readonly schema: ReturnType<SchemaAt>;
}

type Advice = Pick<InvalidValue, 'expected' | 'detail'>;

/** What to do about certain rules; for any other, the expectation says it. */
const ADVICE: Readonly<Record<string, (broken: Break) => Advice>> = {
  required: () => ({ expected: 'this member', detail: 'Add it.' }),
  additionalProperties: ({ name, schema }) => ({
    expected: 'no member of this name',
    detail: adviceOnName(name, Object.keys(schema?.properties ?? {})),
  }),
  enum: adviceOnListed,
  oneOf: adviceOnListed,
};

function adviceOnListed(broken: Break): Advice {
  const { expected, detail } = adviceOn(broken);
  return { expected, detail: didYouMean(broken.value, listedValuesOf(broken.schema)) ?? detail };
}

/** The decisions that put a rule into the document. */
const DECISIONS: Readonly<Record<string, DecisionId>> = {
  'query minimum': 'limit-out-of-bounds',
  'query maximum': 'limit-out-of-bounds',
  'body additionalProperties': 'unknown-body-members',
};

function adviceOn({ rule, schema, message }: Break): Advice {
  const expected = expectationOfSchema(rule, schema, message);
  return { expected, detail: `Make it ${expected}.` };
}

/** The names in the pointer; the validator reports the name of an unknown member unescaped. */
function namesOf(pointer: string, value: unknown): readonly string[] {
  if (pointer === '') return [];
  if (memberOf(value, pointer) !== undefined) return [pointer];
  return namesOfPointer(`/${pointer}`);
}

/** A longer pointer has names that nobody gave on purpose. */
const LONGEST_POINTER = 1_000;

/** Cuts a long value, so that an error is never larger than what caused it. */
export function shorten(value: InvalidValue): InvalidValue {
  const short = { ...value, pointer: cut(value.pointer, LONGEST_POINTER) };
  if (typeof value.received === 'string') return { ...short, received: cut(value.received) };
  const text = shown(value.received);
  return text.endsWith('…') ? { ...short, received: text } : short;
}

/** The refusal of the values; there may be more, some of which were not counted if it was an excerpt. */
export function refusalOf(
  values: readonly InvalidValue[],
  { count, isExcerpt }: { readonly count: number; readonly isExcerpt?: boolean | undefined },
): ProblemError {
  const listed = values.slice(0, MOST_ERRORS);
  const sentences = listed.map(sentenceOf);
  const number = isExcerpt ? `${Math.min(count, MOST_ERRORS)} or more` : count;
  const are = number === 1 ? 'value is' : 'values are';
  const rest = count > MOST_ERRORS ? ` The first ${MOST_ERRORS} are listed.` : '';
  const detail = `${number} ${are} invalid: ${sentences.join('; ')}.${rest}`;
  return new ProblemError('invalid-request', detail, {
    decision: decisionOf(values),
    errors: listed.map(shorten),
  });
}

function sentenceOf({ in: place, pointer, expected, received, detail }: InvalidValue): string {
  // The suggestion says more than the list of all that is known.
  const question = detail?.startsWith('Did you mean') ? ` (${detail})` : '';
  return `${[place, cut(pointer)].join(' ').trimEnd()}: expected ${expected}, received ${shown(received)}${question}`;
}

/** The decision that forbids all of the values; if there is none, the one on their status. */
function decisionOf(values: readonly InvalidValue[]): DecisionId {
  const [decision, ...others] = new Set(values.map((value) => value.decision));
  return decision === undefined || others.length > 0
    ? 'invalid-request-status'
    : (decision as DecisionId);
}
