import { OPERATIONS } from '../billing/operation-table.js';
import type { Decisions } from '../decisions/ledger.js';
import {
  allowingUndocumented,
  documentByDecisions,
  validatorKey,
} from './document-by-decisions.js';
import {
  type CreateJudge,
  type CreateSchemaCheck,
  createSchemaCheck,
  type Judge,
  type SchemaCheck,
} from './judge.js';
import { createRouteTable, type OpenApiDocument, type RouteTable } from './route-table.js';

/** A document in force, with the routes and the judge that are built from it. */
export interface Specification {
  readonly document: OpenApiDocument;
  readonly routes: RouteTable;
  readonly judge: Judge;
  /** Checks values against schemas of the document; only the service's specification has it. */
  readonly check?: SchemaCheck;
}

/** The specification in force under the decisions of an account. */
export type SpecificationFor = (decisions: Decisions, keepsUndocumented?: boolean) => Specification;

/** How many specifications, and how many judges, to keep in addition to those in use. */
const MAX_KEPT = 200;

interface Creators {
  readonly createJudge: CreateJudge;
  readonly createCheck: CreateSchemaCheck;
}

/** Builds specifications, each when it is first needed. */
export function createSpecifications(
  document: OpenApiDocument,
  createJudge: CreateJudge,
  createCheck: CreateSchemaCheck = createSchemaCheck,
): SpecificationFor {
  const create = { createJudge, createCheck };
  const listed = createEach(document, create);
  let open: typeof listed | undefined;
  return (decisions, keepsUndocumented = false) => {
    if (!keepsUndocumented) return listed(decisions);
    open ??= createEach(allowingUndocumented(document), create);
    return open(decisions);
  };
}

/**
 * Builds the specification for decisions when it is first needed, and keeps the latest ones. Judges
 * cost the most but depend on only a few decisions, so specifications share them.
 */
function createEach(
  document: OpenApiDocument,
  { createJudge, createCheck }: Creators,
): (decisions: Decisions) => Specification {
  // A document that does not fit the code is refused before anything is built from it.
  createRouteTable(document, Object.keys(OPERATIONS));
  const byValues = new Map<string, Specification>();
  const byIdentity = new WeakMap<Decisions, Specification>();
  const judges = new Map<string, Judge>();

  function create(decisions: Decisions): Specification {
    const effective = documentByDecisions(document, decisions);
    const key = validatorKey(decisions);
    const judge = keep(judges, key, judges.get(key) ?? createJudge(effective));
    const routes = createRouteTable(effective, Object.keys(OPERATIONS));
    const check = createCheck(effective.components ?? {});
    return { document: effective, routes, judge, check };
  }

  function find(decisions: Decisions): Specification {
    const key = JSON.stringify(decisions);
    return keep(byValues, key, byValues.get(key) ?? create(decisions));
  }

  return (decisions) => {
    const specification = byIdentity.get(decisions) ?? find(decisions);
    byIdentity.set(decisions, specification);
    return specification;
  };
}

/** Adds a value to those that are kept, and drops the oldest of too many. */
function keep<Value>(kept: Map<string, Value>, key: string, value: Value): Value {
  kept.set(key, value);
  const [oldest = key] = kept.keys();
  if (kept.size > MAX_KEPT) kept.delete(oldest);
  return value;
}
