import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { DecisionId, Decisions, LEDGER } from '../decisions/ledger.js';
import { isObject, memberOf } from '../values/json-value.js';
import { followReference } from './references.js';

/** The validator's extension for operations that accept undocumented query parameters. */
export const UNKNOWN_ALLOWED = 'x-eov-allow-unknown-query-parameters';

/** This mock's extension for schemas whose bounds replace numbers beyond them. */
export const CLAMPED = 'x-clamped';

/** What a value changes in the document, wherever `x-decision` names its decision. */
interface Change {
  /** Members of the operation or the parameter. */
  readonly part?: object;
  /** Members of the schema of the parameter or the body. */
  readonly schema?: object;
}

interface RequestDecision<Value extends PropertyKey = string> {
  readonly values: Readonly<Record<Value, Change>>;
  /** The keywords of schemas that refuse a request because of the decision. */
  readonly refusesBy: readonly string[];
}

type RequestDecisions = {
  readonly [Id in DecisionId]?: RequestDecision<keyof (typeof LEDGER)[Id]['values']>;
};

/** The decisions on which requests are valid, as far as a document can say it. */
const REQUEST_DECISIONS = {
  'limit-out-of-bounds': {
    values: { reject: {}, clamp: { schema: { [CLAMPED]: true } } },
    refusesBy: ['minimum', 'maximum'],
  },
  'fractional-limit': {
    values: { 'round-down': {}, reject: { schema: { type: 'integer' } } },
    refusesBy: ['type'],
  },
  'empty-parameter': {
    values: { reject: {}, absent: { part: { allowEmptyValue: true } } },
    refusesBy: [],
  },
  'unknown-query-parameters': {
    values: { reject: {}, ignore: { part: { [UNKNOWN_ALLOWED]: true } } },
    refusesBy: [],
  },
  'unknown-body-members': {
    values: { ignore: {}, reject: { schema: { additionalProperties: false } } },
    refusesBy: ['additionalProperties'],
  },
} satisfies RequestDecisions;

const DECISIONS = new Map<string, RequestDecision>(Object.entries(REQUEST_DECISIONS));

/** Those that the `x-decision` of an operation, a parameter or a body names. */
export function requestDecisionsOf(part: object | undefined): DecisionId[] {
  const named = part && 'x-decision' in part ? [part['x-decision']].flat() : [];
  return [...DECISIONS.keys()].filter((id) => named.includes(id)) as DecisionId[];
}

/** The decision of a parameter or a body because of which a keyword of its schema refuses it. */
export function decisionBehind(keyword: string, part: object | undefined): DecisionId | undefined {
  return requestDecisionsOf(part).find((id) => DECISIONS.get(id)?.refusesBy.includes(keyword));
}

/** What the values in force change in the document, by decision. */
export function requestChanges(decisions: Decisions): Readonly<Record<string, Change>> {
  const changes = [...DECISIONS].map(([id, { values }]) => [
    id,
    values[decisions[id as DecisionId]],
  ]);
  return Object.fromEntries(changes);
}

/** Every combination of values of these decisions. */
export function everyRequestChange(): readonly Partial<Decisions>[] {
  return [...DECISIONS].reduce<readonly Partial<Decisions>[]>(
    (before, [id, { values }]) =>
      before.flatMap((one) => Object.keys(values).map((value) => ({ ...one, [id]: value }))),
    [{}],
  );
}

/** Applies the values in force to an operation of the document. */
export function changeRequests(
  operation: OpenAPIV3.OperationObject,
  decisions: Decisions,
  document: object,
): void {
  const changes = requestChanges(decisions);
  for (const one of [operation, ...(operation.parameters ?? []), operation.requestBody]) {
    const part = followReference(one, document);
    for (const id of requestDecisionsOf(part)) {
      Object.assign(part ?? {}, changes[id]?.part);
      const described = part && 'content' in part ? part.content?.['application/json'] : part;
      const schema = changes[id]?.schema;
      if (schema) Object.assign(described ?? {}, changed({ ...described }, { schema }, document));
    }
  }
}

/** A copy with the changes, since a response may refer to the same schema. */
function changed(given: unknown, change: object, document: object): object {
  const whole: object = Object(followReference(given, document));
  const members = Object.entries(change).map(([name, value]) => [
    name,
    isObject(value) ? changed(memberOf(whole, name), value, document) : value,
  ]);
  return { ...whole, ...Object.fromEntries(members) };
}

/**
 * The values whose changes a schema has, as the end of the name of its validator. Under the default
 * decisions it is empty.
 */
export function nameOfChanges(schema: unknown, document: object): string {
  return [...DECISIONS]
    .flatMap(([id, { values }]) => Object.entries(values).map((one) => [id, ...one] as const))
    .filter(([, , { schema: change }]) => change && isValidated(change))
    .filter(([, , { schema: change = {} }]) => isChanged(schema, change, document))
    .map(([id, value]) => ` ${id}=${value}`)
    .join('');
}

/** Whether the validators know the keywords of a change. */
function isValidated(change: object): boolean {
  return !Object.keys(change).every((keyword) => keyword.startsWith('x-'));
}

function isChanged(given: unknown, change: object, document: object): boolean {
  const whole = followReference(given, document);
  return Object.entries(change).every(([name, value]) => {
    const member = memberOf(whole, name);
    return isObject(value) ? isChanged(member, value, document) : member === value;
  });
}
