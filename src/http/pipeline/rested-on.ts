import type { Response } from 'express';
import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { DecisionId, Decisions } from '../../decisions/ledger.js';
import { exchangeOf } from './exchange.js';

/** The header field that names the decisions an answer rested on. */
const DECISIONS_FIELD = 'Decisions';

/** The decisions, with a note of each that is read: it is read in one place, where it acts. */
export function noteReads(decisions: Decisions, read: Set<DecisionId>): Decisions {
  return new Proxy(decisions, {
    get(target, id) {
      if (Object.hasOwn(target, id)) read.add(id as DecisionId);
      return Reflect.get(target, id);
    },
  });
}

/** The decisions that act through the document alone: nothing reads them for a single answer. */
const IN_DOCUMENT: readonly DecisionId[] = [
  'limit-out-of-bounds',
  'empty-parameter',
  'unknown-query-parameters',
  'unknown-body-members',
];

/** Those of the decisions acting through the document that concern the operation. */
export function decisionsInDocument(operation: OpenAPIV3.OperationObject): DecisionId[] {
  const parts: readonly object[] = [operation, ...(operation.parameters ?? [])];
  const named = parts.flatMap((part) => ('x-decision' in part ? part['x-decision'] : []));
  return IN_DOCUMENT.filter((id) => named.includes(id));
}

/** Names in a header field the decisions that were read for this answer, if they were noted. */
export function nameDecisions(response: Response): void {
  const { account, restedOn } = exchangeOf(response);
  if (!account || !restedOn) return;
  const { inForce } = account.decisions;
  response.setHeader(DECISIONS_FIELD, [...restedOn].map((id) => `${id}=${inForce[id]}`).join(', '));
}
