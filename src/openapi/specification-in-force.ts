import { OPERATIONS } from '../billing/operations/index.js';
import type { Decisions } from '../decisions/ledger.js';
import { effectiveDocument, validatorKey } from './effective-document.js';
import { createRouteTable, type OpenApiDocument, type RouteTable } from './route-table.js';
import { createValidator, type Validator } from './validator.js';

/** A document in force, with the routes and the validator that are built from it. */
export interface Specification {
  readonly document: OpenApiDocument;
  readonly routes: RouteTable;
  readonly validator: Validator;
}

/** The specification in force under the decisions of an account. */
export type SpecificationFor = (decisions: Decisions) => Specification;

const MOST_SPECIFICATIONS = 200;

/**
 * Builds the specification of decisions when it is first needed, and keeps it. Validators cost the
 * most, and only a few decisions affect them: one is kept for each alternative.
 */
export function createSpecifications(document: OpenApiDocument): SpecificationFor {
  // A document that does not fit the code is refused before anything is built from it.
  createRouteTable(document, Object.keys(OPERATIONS));
  const byValues = new Map<string, Specification>();
  const byIdentity = new WeakMap<Decisions, Specification>();
  const validators = new Map<string, Validator>();

  function create(decisions: Decisions): Specification {
    const effective = effectiveDocument(document, decisions);
    const key = validatorKey(decisions);
    const validator = validators.get(key) ?? createValidator(effective);
    validators.set(key, validator);
    const routes = createRouteTable(effective, Object.keys(OPERATIONS));
    return { document: effective, routes, validator };
  }

  function find(decisions: Decisions): Specification {
    const key = JSON.stringify(decisions);
    const specification = byValues.get(key) ?? create(decisions);
    byValues.set(key, specification);
    const [oldest = key] = byValues.keys();
    if (byValues.size > MOST_SPECIFICATIONS) byValues.delete(oldest);
    return specification;
  }

  return (decisions) => {
    const specification = byIdentity.get(decisions) ?? find(decisions);
    byIdentity.set(decisions, specification);
    return specification;
  };
}
