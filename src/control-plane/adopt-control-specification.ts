import type { RequestHandler } from 'express';
import { AppliedDecisions } from '../decisions/applied-decisions.js';
import { DEFAULT_DECISIONS } from '../decisions/ledger.js';
import { exchangeOf } from '../http/pipeline/exchange.js';
import type { Specification } from '../openapi/specification-in-force.js';

/** From here on the request is answered by the document of the control plane, which no decision changes. */
export function adoptControlSpecification(specification: Specification): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    exchange.specification = specification;
    exchange.decisions = new AppliedDecisions(DEFAULT_DECISIONS);
    next();
  };
}
