import type { RequestHandler } from 'express';
import type { Decisions } from '../billing/decisions.js';
import { OPERATIONS } from '../billing/operations/index.js';
import { documentKey, effectiveDocument } from './effective-document.js';
import { createRouteTable, type OpenApiDocument, type RouteTable } from './route-table.js';
import { createValidator } from './validator.js';

/** A document in force, and what is made from it. */
export interface Contract {
  readonly document: OpenApiDocument;
  readonly table: RouteTable;
  readonly validator: RequestHandler;
}

/** The document as each account's decisions have it. */
export type Contracts = (decisions: Decisions) => Contract;

/**
 * Makes the effective document of decisions when it is first asked for, with its validator, and
 * keeps it: there are no more than the alternatives that change a document.
 */
export function createContracts(document: OpenApiDocument): Contracts {
  const made = new Map<string, Contract>();
  return (decisions) => {
    const key = documentKey(decisions);
    const contract = made.get(key) ?? createContract(effectiveDocument(document, decisions));
    made.set(key, contract);
    return contract;
  };
}

function createContract(document: OpenApiDocument): Contract {
  const table = createRouteTable(document, Object.keys(OPERATIONS));
  return { document, table, validator: createValidator(document) };
}
