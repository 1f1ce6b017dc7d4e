import type { DecisionId } from '../../core/decisions/ledger.js';
import { MAX_ERRORS } from '../../core/errors/first-mistakes.js';
import { ProblemError } from '../../core/errors/problem-error.js';
import type { BrokenRule } from '../../core/openapi/judge.js';
import type { SchemaAt } from '../../core/openapi/references.js';
import { decisionBehind } from '../../core/openapi/requests-by-decision.js';
import type { OperationRoute } from '../../core/openapi/route-table.js';
import { expectationOfSchema, listedValuesOf } from '../../core/openapi/schema-in-words.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { memberOf, namesOfPointer } from '../../core/values/json-value.js';
import {
  adviceOnRule,
  type Mistake,
  mistakeInShort,
  unknownName,
} from '../../core/values/mistake.js';

/** The parts of a request as they were received, before the validator converts them. */
export interface ReceivedValues {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export function mistakeOf(
  { path, message, errorCode = '' }: BrokenRule,
  received: ReceivedValues,
  { schemaAt, operation }: Pick<OperationRoute, 'schemaAt' | 'operation'>,
): Mistake {
  const [, part = ''] = path.split('/');
  const place = part === 'body' || part === 'query' ? part : 'path';
  const names = namesOf(path.slice(part.length + 2), received[place]);
  const value = names.reduce<unknown>(memberOf, received[place]);
  const [rule = ''] = errorCode.split('.');
  const advice = (ADVICE[rule] ?? adviceOn)({
    rule,
    message,
    path: names,
    value,
    schema: schemaAt(place, rule === 'additionalProperties' ? names.slice(0, -1) : names),
  });
  const decision = decisionBehind(rule, partOf(operation, place, names));
  return { in: place, path: names, received: value, ...advice, decision };
}

function partOf(
  { parameters = [], requestBody }: OperationRoute['operation'],
  place: string,
  [name]: readonly string[],
) {
  if (place === 'body') return requestBody;
  return parameters.find((one) => 'in' in one && one.in === place && one.name === name);
}

interface Break {
  readonly rule: string;
  readonly message: string;
  readonly path: readonly string[];
  readonly value: unknown;
  readonly schema: ReturnType<SchemaAt>;
}

type Advice = Pick<Mistake, 'expected' | 'fix'>;

const ADVICE: Readonly<Record<string, (broken: Break) => Advice>> = {
  required: ({ path }) => ({ expected: `the member '${path.at(-1)}'`, fix: 'Add it.' }),
  additionalProperties: ({ path, value, schema }) =>
    unknownName(path, value, Object.keys(schema?.properties ?? {})),
  enum: adviceOnListed,
  oneOf: adviceOnListed,
};

function adviceOnListed(broken: Break): Advice {
  const { expected, fix } = adviceOn(broken);
  return { expected, fix: didYouMean(broken.value, listedValuesOf(broken.schema)) ?? fix };
}

function adviceOn({ rule, schema, message }: Break): Advice {
  const expected = expectationOfSchema(rule, schema, message);
  return { expected, fix: adviceOnRule(expected) };
}

/** The names in the pointer; the validator reports the name of an unknown member unescaped. */
function namesOf(pointer: string, value: unknown): readonly string[] {
  if (pointer === '') return [];
  if (memberOf(value, pointer) !== undefined) return [pointer];
  return namesOfPointer(`/${pointer}`);
}

/** The error that lists the first of `count` mistakes; if `hasStopped`, there may be even more. */
export function refusalOf(
  mistakes: readonly Mistake[],
  { count, hasStopped }: { readonly count: number; readonly hasStopped?: boolean | undefined },
): ProblemError {
  const listed = mistakes.slice(0, MAX_ERRORS);
  const number = hasStopped ? `${Math.min(count, MAX_ERRORS)} or more` : count;
  const are = number === 1 ? 'value is' : 'values are';
  const rest = count > MAX_ERRORS ? ` The first ${MAX_ERRORS} are listed.` : '';
  return new ProblemError(
    'invalid-request',
    `${number} ${are} invalid: ${listed.map(mistakeInShort).join('; ')}.${rest}`,
    { decision: decisionOf(mistakes), mistakes: listed },
  );
}

/** The decision that forbids all of the values, or else the decision on the status. */
function decisionOf(mistakes: readonly Mistake[]): DecisionId {
  const [decision, ...others] = new Set(mistakes.map((mistake) => mistake.decision));
  return decision === undefined || others.length > 0
    ? 'invalid-request-status'
    : (decision as DecisionId);
}
