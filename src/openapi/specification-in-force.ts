import type { RequestHandler } from 'express';
import { OPERATIONS } from '../billing/operations/index.js';
import type { Decisions } from '../decisions/ledger.js';
import { effectiveDocument, validatorKey } from './effective-document.js';
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

const MOST_CONTRACTS = 200;

/**
 * Makes the effective document of decisions when it is first asked for, and keeps it. Validators
 * cost the most, and only a few decisions choose one: as many are kept as there are alternatives.
 */
export function createContracts(document: OpenApiDocument): Contracts {
  // A document that does not fit the code is refused before anything is made of it.
  createRouteTable(document, Object.keys(OPERATIONS));
  const contracts = new Map<string, Contract>();
  const contractsOf = new WeakMap<Decisions, Contract>();
  const validators = new Map<string, RequestHandler>();

  function create(decisions: Decisions): Contract {
    const effective = effectiveDocument(document, decisions);
    const key = validatorKey(decisions);
    const validator = validators.get(key) ?? createValidator(effective);
    validators.set(key, validator);
    const table = createRouteTable(effective, Object.keys(OPERATIONS));
    return { document: effective, table, validator };
  }

  function find(decisions: Decisions): Contract {
    const key = JSON.stringify(decisions);
    const contract = contracts.get(key) ?? create(decisions);
    contracts.set(key, contract);
    const [oldest = key] = contracts.keys();
    if (contracts.size > MOST_CONTRACTS) contracts.delete(oldest);
    return contract;
  }

  return (decisions) => {
    const contract = contractsOf.get(decisions) ?? find(decisions);
    contractsOf.set(decisions, contract);
    return contract;
  };
}
