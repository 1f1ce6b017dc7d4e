import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { DecisionId } from '../decisions/ledger.js';

/** The decisions that act through the document alone: nothing applies them to a single answer. */
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
