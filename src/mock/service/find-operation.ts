import { DecisionsBehindResponse } from '../../core/decisions/decisions-behind-response.js';
import type { RouteTable } from '../../core/openapi/route-table.js';
import type { SpecificationFor } from '../../core/openapi/specification-in-force.js';
import type { Step } from './exchange.js';
import {
  answerOptions,
  answerUnknownPath,
  type BesideDocument,
  explainUnknownMethod,
} from './unknown-path-or-method.js';

/** Finds the matching path of the document; `findOperation` refuses an unknown one later. */
export function matchPath(routes: RouteTable): Step {
  return (exchange) => {
    if (exchange.isBelow) exchange.endpoint = routes.match(exchange.path);
  };
}

/**
 * Also answers OPTIONS, redirects a browser from `/` to the page, and refuses unknown paths (404)
 * and methods (405).
 */
export function findOperation(routes: RouteTable, beside: BesideDocument): Step {
  return (exchange) => {
    if (exchange.stub || exchange.isForRoutes) return;
    const { endpoint, method } = exchange;
    if (!endpoint) return answerUnknownPath(exchange, routes, beside);
    if (method === 'OPTIONS') return answerOptions(exchange, endpoint.methods);
    exchange.route = endpoint.routes.get(method);
    if (!exchange.route) throw explainUnknownMethod(exchange, endpoint);
    // No document describes HEAD.
    if (method === 'HEAD') exchange.method = 'GET';
  };
}

/** Fixes the account's decisions for this request, and the specification that results from them. */
export function adoptSpecification(specificationFor: SpecificationFor): Step {
  return (exchange) => {
    if (!exchange.account) return;
    const { decisions, store } = exchange.account;
    const { inForce } = decisions;
    exchange.decisions = new DecisionsBehindResponse(inForce);
    if (!exchange.route) return;
    const { operationId } = exchange.route;
    exchange.specification = specificationFor(inForce, store.bases.keepsUndocumented);
    const route = exchange.specification.routes.routeOf(operationId);
    if (!route) throw new Error(`The document in force lacks the operation '${operationId}'.`);
    exchange.route = route;
  };
}
