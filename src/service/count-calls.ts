import type { Accounts } from '../accounts/accounts.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import type { Decisions } from '../decisions/ledger.js';
import { isIssued, type Sign } from '../stubs/issued-tokens.js';
import { queryOf } from './check.js';
import type { Exchange, Step } from './exchange.js';
import { isLost } from './leave.js';

/** Has the coverage count the call when its response is known, whoever makes that. */
export function countCalls(coverage: CoverageCounter): Step {
  const count = (exchange: Exchange) => coverage.count(callOf(exchange), exchange.account?.counts);
  return (exchange) => {
    exchange.onResponse = count;
  };
}

function callOf(exchange: Exchange): Parameters<CoverageCounter['count']>[0] {
  const { route, request, query, sentQuery, response, result, problem, decisions, fault } =
    exchange;
  const applied = decisions?.applied ?? [];
  const named = problem?.ground.decision;
  return {
    operationId: route?.operationId,
    method: request.method,
    target: exchange.target,
    // A fault may fire before it is parsed.
    query: sentQuery ?? queryOf(query),
    body: route && exchange.body,
    status: isLost(response?.delivery) ? undefined : response?.status,
    result: result?.body,
    problem: problem?.problem,
    fault,
    inForce: decisions?.inForce,
    applied: named === undefined || applied.includes(named) ? applied : [...applied, named],
  };
}

/** Admits tokens as the accounts do, and counts those that `unknown-token` has let in. */
export function countingUnknown(
  accounts: Accounts,
  coverage: CoverageCounter,
  inForce: () => Decisions,
  sign: Sign,
): Pick<Accounts, 'admit'> {
  return {
    admit(token) {
      const isNew = accounts.find(token) === undefined;
      const account = accounts.admit(token);
      if (isNew && !isIssued(token, sign)) coverage.countDecision('unknown-token', inForce());
      return account;
    },
  };
}
