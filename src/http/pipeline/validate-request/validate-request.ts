import type { DecisionId } from '../../../decisions/ledger.js';
import { MOST_ERRORS } from '../../../errors/describe-problem.js';
import { type InvalidValue, ProblemError } from '../../../errors/problem-error.js';
import { shown } from '../../../messages/received-value.js';
import { valuesOfPath } from '../../../openapi/path-values.js';
import { createSchemaAt } from '../../../openapi/schema-at.js';
import { createStep } from '../exchange.js';
import { pathOf } from '../match-path.js';
import { boundLists } from './bound-lists.js';
import { checkPath } from './check-path.js';
import { checkQuery, knownQuery } from './check-query.js';
import { describeInvalidValue, shorten } from './describe-invalid-value.js';

/** Validates the request against the document and refuses it with every invalid value at once. */
export const validateRequest = createStep(
  ['route', 'specification', 'decisions'],
  async (exchange, request, response, next) => {
    const { route, specification, decisions } = exchange;
    for (const id of route.decisionsInDocument) decisions.apply(id);
    const { template, operation } = route;
    const path = { template, values: valuesOfPath(template, pathOf(request)) };
    const received = {
      path: path.values,
      query: { ...request.query },
      body: request.body,
    };
    const wrong = checkQuery(operation, received.query);
    const malformed = checkPath(received.path);
    if (malformed.length > 0) throw refusal([...malformed, ...wrong]);
    // Express parses the query each time it is read; from here on it is this object.
    const query = knownQuery(operation, received.query);
    Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true });
    request.body = boundLists(received.body);
    const isCut = request.body !== received.body;
    const validation = await specification.validator(path, request, response);
    const schemaAt = createSchemaAt(specification.document, operation);
    const others = validation.brokenRules.map((rule) =>
      describeInvalidValue(rule, received, schemaAt),
    );
    const invalid = [...wrong, ...others.filter((other) => !wrong.some(isSamePlace(other)))];
    if (invalid.length > 0) throw refusal(invalid, isCut);
    if (isCut) request.body = received.body;
    exchange.validation = validation;
    next();
  },
);

function isSamePlace(one: InvalidValue): (other: InvalidValue) => boolean {
  return (other) => other.in === one.in && other.pointer === one.pointer;
}

function refusal(values: readonly InvalidValue[], isCut = false): ProblemError {
  const listed = values.slice(0, MOST_ERRORS);
  const sentences = listed.map(sentenceOf);
  const number = isCut ? `${values.length} or more` : values.length;
  const count = values.length === 1 ? '1 value is' : `${number} values are`;
  const rest = values.length > MOST_ERRORS ? ` The first ${MOST_ERRORS} are listed.` : '';
  return new ProblemError('invalid-request', `${count} invalid: ${sentences.join('; ')}.${rest}`, {
    decision: decisionOf(values),
    errors: listed.map(shorten),
  });
}

function sentenceOf({ in: place, pointer, expected, received, detail }: InvalidValue): string {
  // The suggestion says more than the list of all that is known.
  const question = detail?.startsWith('Did you mean') ? ` (${detail})` : '';
  return `${[place, pointer].join(' ').trimEnd()}: expected ${expected}, received ${shown(received)}${question}`;
}

/** The decision that forbids all of the values; if there is none, the one on their status. */
function decisionOf(values: readonly InvalidValue[]): DecisionId {
  const [decision, ...others] = new Set(values.map((value) => value.decision));
  return decision === undefined || others.length > 0
    ? 'invalid-request-status'
    : (decision as DecisionId);
}
