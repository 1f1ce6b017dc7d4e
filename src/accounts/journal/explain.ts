import { type DecisionId, LEDGER, type LedgerRow } from '../../decisions/ledger.js';
import type { components } from '../../generated/control.js';

type JournalRequest = components['schemas']['JournalRequest'];

/** Explains in sentences why a request got its answer. */
export function explain(request: JournalRequest): string[] {
  return [
    called(request),
    ...(request.fault === undefined ? [] : [`Fault ${request.fault} fired on it.`]),
    answered(request),
    ...decided(request),
    ...(request.latencyMs === undefined
      ? []
      : [`Its answer was held back for ${request.latencyMs} ms of latency.`]),
    ...(request.outcome === 'aborted'
      ? ['The connection closed before the whole answer was sent.']
      : []),
  ];
}

function called({ method, path, query, operationId, stub }: JournalRequest): string {
  const target = query === undefined ? path : `${path}?${query}`;
  if (stub) return `${method} ${target} called stub ${stub.id} of the ${stub.for}.`;
  return operationId
    ? `${method} ${target} called the operation ${operationId} of openapi.yaml.`
    : `${method} ${target} called no operation of openapi.yaml.`;
}

function answered({ status, problem, detail, stub }: JournalRequest): string {
  if (status === undefined) return 'It has no answer.';
  if (problem === undefined && stub) return `It was answered ${status}.`;
  if (problem === undefined) return `It was answered ${status}: the request matches the document.`;
  return `It was refused with ${status} (${problem}): ${detail}`;
}

function decided({ decision, decisionValue = '' }: JournalRequest): string[] {
  if (decision === undefined) return [];
  // Requests are refused with ids of the ledger only; the document has them as text.
  const row: LedgerRow = LEDGER[decision as DecisionId];
  const meaning = row.values[decisionValue] ?? decisionValue;
  return [
    `Section ${row.section} of the specification leaves open: ${row.question}`,
    `Here the decision '${decision}' is '${decisionValue}': ${meaning}`,
  ];
}
