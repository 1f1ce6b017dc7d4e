import type { RequestHandler } from 'express';
import { AppliedDecisions } from '../../decisions/applied-decisions.js';
import type { SpecificationFor } from '../../openapi/specification-in-force.js';
import { createStep } from './exchange.js';

/** From here on the request is answered by the specification under its account's decisions. */
export function adoptSpecification(specificationFor: SpecificationFor): RequestHandler {
  return createStep(['account', 'route'], (exchange, _request, _response, next) => {
    const { inForce } = exchange.account.decisions;
    exchange.decisions = new AppliedDecisions(inForce);
    exchange.specification = specificationFor(inForce);
    const { operationId } = exchange.route;
    const route = exchange.specification.routes.routeOf(operationId);
    if (!route) throw new Error(`The document in force lacks the operation '${operationId}'.`);
    exchange.route = route;
    next();
  });
}
