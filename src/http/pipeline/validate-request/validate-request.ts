import type { DecisionId } from '../../../decisions/ledger.js';
import { MOST_ERRORS } from '../../../errors/mistake.js';
import { type InvalidValue, ProblemError } from '../../../errors/problem-error.js';
import { cut, shown } from '../../../messages/received-value.js';
import { valuesOfPath } from '../../../openapi/path-values.js';
import { createSchemaAt } from '../../../openapi/schema-at.js';
import { createStep } from '../exchange.js';
import { pathOf } from '../match-path.js';
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
    if (malformed.length > 0)
      throw refusal([...malformed, ...wrong], {
        count: malformed.length + wrong.length,
        isSample: false,
      });
    // Express parses the query each time it is read; from here on it is this object.
    const query = knownQuery(operation, received.query);
    Object.defineProperty(request, 'query', { value: query, writable: true, configurable: true });
    const validation = await specification.validator(path, request, response);
    const known = new Set(wrong.map((value) => `/${value.in}${value.pointer}`));
    const others = validation.brokenRules.filter((rule) => !known.has(rule.path));
    if (wrong.length + others.length > 0) {
      const schemaAt = createSchemaAt(specification.document, operation);
      const described = others
        .slice(0, MOST_ERRORS)
        .map((rule) => describeInvalidValue(rule, received, schemaAt));
      throw refusal([...wrong, ...described], {
        count: wrong.length + others.length,
        isSample: validation.isSample,
      });
    }
    exchange.validation = validation;
    next();
  },
);

/** The refusal of the values; there may be more, some of which were not counted if it was a sample. */
function refusal(
  values: readonly InvalidValue[],
  { count, isSample }: { readonly count: number; readonly isSample: boolean },
): ProblemError {
  const listed = values.slice(0, MOST_ERRORS);
  const sentences = listed.map(sentenceOf);
  const number = isSample ? `${Math.min(count, MOST_ERRORS)} or more` : count;
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
