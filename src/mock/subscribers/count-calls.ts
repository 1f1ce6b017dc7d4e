import type { CoverageCounter } from '../coverage/coverage-counter.js';
import type { Exchange, Subscriber } from '../service/exchange.js';
import { isLost } from '../service/respond.js';
import { queryOf } from '../service/validate-request.js';

/** Counts calls in the coverage, whichever step sets the response. */
export function countCalls(coverage: CoverageCounter): Subscriber {
  return {
    // Not at the end, so that the caller can read the count once it has the response.
    onResponse(exchange) {
      if (exchange.called.kind !== 'control')
        coverage.count(callOf(exchange), exchange.account?.counts);
    },
  };
}

function callOf(exchange: Exchange): Parameters<CoverageCounter['count']>[0] {
  const { called, request, query, response, problem, decisions, fault, noted } = exchange;
  const { route, sentQuery, result } = called;
  const applied = decisions?.applied ?? [];
  const named = problem?.ground.decision;
  return {
    operationId: route?.operationId,
    method: request.method,
    target: exchange.target,
    // A fault may fire before the query is parsed.
    query: sentQuery ?? queryOf(query),
    body: exchange.bodyInShort,
    bodyHash: typeof noted?.body === 'object' ? noted.body.hash : noted?.body,
    status: isLost(response?.delivery) ? undefined : response?.status,
    result,
    problem: problem?.problem,
    fault,
    inForce: decisions?.inForce,
    applied: named === undefined || applied.includes(named) ? applied : [...applied, named],
  };
}
