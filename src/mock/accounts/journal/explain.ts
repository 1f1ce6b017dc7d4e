import { type DecisionId, LEDGER, type LedgerRow } from '../../../core/decisions/ledger.js';
import { count } from '../../../core/values/plural.js';
import type { JournalRequest } from './journal-request.js';

export function explain(request: JournalRequest): string[] {
  return [
    called(request),
    ...(request.fault === undefined ? [] : [`Fault ${request.fault} fired on this request.`]),
    answered(request),
    ...whatItDid(request),
    ...decided(request),
    ...(request.latencyMs === undefined
      ? []
      : [`Latency delayed the response by ${request.latencyMs} ms.`]),
    ...(request.outcome === 'aborted'
      ? ['The connection closed before the whole response was sent.']
      : []),
  ];
}

function called({ method, path, query, operationId, stub }: JournalRequest): string {
  const target = query === undefined ? path : `${path}?${query}`;
  if (stub) return `${method} ${target} called stub ${stub.id} of the ${stub.for}.`;
  return operationId
    ? `${method} ${target} called the operation ${operationId} in openapi.yaml.`
    : `${method} ${target} matches no operation in openapi.yaml.`;
}

function answered(request: JournalRequest): string {
  const { status, problem, detail, arranged, outcome } = request;
  if (status === undefined)
    return outcome ? 'The request got no response.' : 'The request has no response yet.';
  if (arranged) {
    const { isAllowed, detail: expected } = arranged;
    const words = isAllowed ? 'allows this response.' : `does not allow this response: ${expected}`;
    return `The request got the fault's ${status}; the document ${words}`;
  }
  if (problem !== undefined)
    return `The request was refused with ${status} (${problem}): ${detail}`;
  const isJudged = request.operationId !== undefined && request.fault === undefined;
  return `The request got a ${status}${isJudged ? ': it matches the document' : ''}.`;
}

/** What a response that was lost would have told. */
function whatItDid({ status, outcome, deleted }: JournalRequest): string[] {
  const isLost = status === undefined && outcome !== undefined;
  if (!isLost || deleted === undefined) return [];
  return [`Before that, it deleted ${count(deleted, 'record')}.`];
}

function decided({ decision, decisionValue = '' }: JournalRequest): string[] {
  if (decision === undefined) return [];
  // The document types this as a string, but the mock refuses only with ids of the ledger.
  const row: LedgerRow = LEDGER[decision as DecisionId];
  const meaning = row.values[decisionValue] ?? decisionValue;
  return [
    `Section ${row.section} of the specification leaves open: ${row.question}`,
    `Here the decision '${decision}' is '${decisionValue}': ${meaning}`,
  ];
}
