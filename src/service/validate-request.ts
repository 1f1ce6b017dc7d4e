import type { DecisionId } from '../decisions/ledger.js';
import { MOST_ERRORS } from '../errors/invalid-input.js';
import { type InvalidValue, ProblemError } from '../errors/problem-error.js';
import { judgeRequest } from '../openapi/judge.js';
import { valuesOfPath } from '../openapi/path-template.js';
import { createSchemaAt } from '../openapi/references.js';
import { pointerTo } from '../values/json-value.js';
import { cut, shown } from '../values/received-value.js';
import { checkQuery, knownQuery } from './check-query.js';
import { describeInvalidValue, shorten } from './describe-invalid-value.js';
import { known, type Step } from './exchange.js';

/** Holds the request against the document, and refuses it with every invalid value at once. */
export const validateRequest: Step = (exchange) => {
  if (!exchange.route) return;
  const { route, specification, decisions } = known(
    exchange,
    'route',
    'specification',
    'decisions',
  );
  for (const id of route.decisionsInDocument) decisions.apply(id);
  const { template, operation } = route;
  const { path, malformed } = decodePath(valuesOfPath(template, exchange.path));
  const received = { path, query: queryOf(exchange.query), body: exchange.body };
  const wrong = [...malformed, ...checkQuery(operation, received.query)];
  if (malformed.length > 0) throw refusal(wrong, { count: wrong.length, isSample: false });
  const called = { template, method: exchange.method };
  const sent = { ...received, query: knownQuery(operation, received.query) };
  const { brokenRules, input, isSample } = judgeRequest(specification.judge, called, sent);
  const found = new Set(wrong.map((value) => `/${value.in}${value.pointer}`));
  const others = brokenRules.filter((rule) => !found.has(rule.path));
  if (wrong.length + others.length > 0) {
    const schemaAt = createSchemaAt(specification.document, operation);
    const described = others
      .slice(0, MOST_ERRORS)
      .map((rule) => describeInvalidValue(rule, received, schemaAt));
    throw refusal([...wrong, ...described], { count: wrong.length + others.length, isSample });
  }
  exchange.input = input;
};

/** The values of a query by name; of repeated ones a list. */
function queryOf(text: string): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = Object.create(null);
  if (text === '') return values;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values[name];
    values[name] = before === undefined ? value : [before, value].flat();
  }
  return values;
}

/** The decoded values of the path, and those that cannot be decoded. */
function decodePath(encoded: Readonly<Record<string, string>>) {
  const path: Record<string, string> = {};
  const malformed: InvalidValue[] = [];
  for (const [name, received] of Object.entries(encoded)) {
    try {
      path[name] = decodeURIComponent(received);
    } catch {
      malformed.push({
        in: 'path',
        pointer: pointerTo(name),
        expected: 'percent-encoded UTF-8',
        received,
        detail: 'Encode the value as encodeURIComponent does: a percent sign itself is %25.',
      });
    }
  }
  return { path, malformed };
}

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
