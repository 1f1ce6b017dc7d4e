import { AppliedDecisions } from '../decisions/applied-decisions.js';
import type { RouteTable } from '../openapi/route-table.js';
import type { SpecificationFor } from '../openapi/specification-in-force.js';
import type { Step } from './exchange.js';
import {
  answerOptions,
  answerUnknownPath,
  type BesideDocument,
  explainUnknownMethod,
} from './unknown-path-or-method.js';

/** Finds the path of the document that the request is for. Refuses nothing. */
export function matchPath(routes: RouteTable): Step {
  return (exchange) => {
    if (exchange.isBelow) exchange.endpoint = routes.match(exchange.path);
  };
}

/**
 * Finds the operation that the request calls. Answers OPTIONS, sends a browser from `/` to the page,
 * and refuses a path that the document does not have with 404, another method of its paths with 405.
 */
export function findOperation(routes: RouteTable, beside: BesideDocument): Step {
  return (exchange) => {
    if (exchange.stub || exchange.isForRoutes) return;
    const { endpoint, method } = exchange;
    if (!endpoint) return answerUnknownPath(exchange, routes, beside);
    if (method === 'OPTIONS') return answerOptions(exchange, endpoint.methods);
    exchange.route = endpoint.routes.get(method);
    if (!exchange.route) throw explainUnknownMethod(exchange, endpoint);
    // No document has HEAD.
    if (method === 'HEAD') exchange.method = 'GET';
  };
}

/** From here on the request is answered by the decisions of its account, and an operation by its specification. */
export function adoptSpecification(specificationFor: SpecificationFor): Step {
  return (exchange) => {
    if (!exchange.account) return;
    const { decisions, store } = exchange.account;
    const { inForce } = decisions;
    exchange.decisions = new AppliedDecisions(inForce);
    if (!exchange.route) return;
    const { operationId } = exchange.route;
    exchange.specification = specificationFor(inForce, store.bases.keepsUndocumented);
    const route = exchange.specification.routes.routeOf(operationId);
    if (!route) throw new Error(`The document in force lacks the operation '${operationId}'.`);
    exchange.route = route;
  };
}
