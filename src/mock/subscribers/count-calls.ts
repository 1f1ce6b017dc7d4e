import { hexHash } from '../../core/store/hash.js';
import type { Account } from '../accounts/account.js';
import type { CoverageCounter } from '../coverage/coverage-counter.js';
import { type Call, faultRow } from '../coverage/rows.js';
import type { Exchange, Subscriber } from '../service/exchange.js';
import { isLost } from '../service/respond.js';
import { queryOf } from '../service/validate-request.js';

/** Counts the rows of the coverage that calls touch, whichever step sets the response. */
export function countCalls({ touchedBy, add }: CoverageCounter): Subscriber {
  const faulted = new WeakMap<Account, Faulted[]>();
  return {
    // Not at the end, so that the caller can read the count once it has the response.
    onResponse(exchange) {
      const { called, account, fault } = exchange;
      if (called.kind === 'control') return;
      const touched = touchedBy(callOf(exchange));
      const waiting = account && faulted.get(account);
      const again = waiting && takeSame(waiting, exchange);
      if (again !== undefined) touched.push(again);
      add(touched);
      if (!account || fault === undefined || !called.route) return;
      const row = faultRow(called.route.operationId, fault, true);
      faulted.set(
        account,
        [...(waiting ?? []), { row, ...requestOf(exchange) }].slice(-MAX_FAULTED),
      );
    },
  };
}

/** A request that met a fault, kept until the same request comes again. */
interface Faulted {
  /** What it touches then. */
  readonly row: string;
  readonly request: string;
  /** A hash of the body; undefined if none was read, as when the fault fired earlier. */
  readonly body: string | undefined;
}

/** If there are more, the earliest counts as not sent again. */
const MAX_FAULTED = 64;

/** Returns the row of the same request that met a fault before, and forgets that request. */
function takeSame(waiting: Faulted[], exchange: Exchange): string | undefined {
  if (waiting.length === 0) return undefined;
  const { request, body } = requestOf(exchange);
  const nth = waiting.findIndex(
    (one) =>
      one.request === request &&
      (one.body === undefined || body === undefined || one.body === body),
  );
  return nth < 0 ? undefined : waiting.splice(nth, 1)[0]?.row;
}

/** A request after a reset is another one. */
function requestOf({ request, target, generation, noted }: Exchange): Omit<Faulted, 'row'> {
  const text = typeof noted?.body === 'object' ? noted.body.hash : noted?.body;
  return {
    request: `${generation} ${request.method} ${target}`,
    body: text === undefined ? undefined : hexHash(16, text),
  };
}

/** How many calls of an account the ledger's example of a rate limit allows. */
const MANY_CALLS = 100;

function callOf(exchange: Exchange): Call {
  const { called, query, response, problem, decisions, fault, account } = exchange;
  const { route, sentQuery } = called;
  const applied = decisions?.applied ?? [];
  const named = problem?.ground.decision;
  const all = named === undefined || applied.includes(named) ? applied : [...applied, named];
  const isUnlimited = decisions?.inForce['rate-limit'] === 'unlimited';
  const isBelowEveryLimit = isUnlimited && (account?.journal.received ?? 0) <= MANY_CALLS;
  return {
    operationId: route?.operationId,
    // A fault may fire before the query is parsed.
    query: sentQuery ?? queryOf(query),
    body: exchange.bodyInShort,
    status: isLost(response?.delivery) ? undefined : response?.status,
    fault,
    inForce: decisions?.inForce,
    applied: isBelowEveryLimit ? all.filter((id) => id !== 'rate-limit') : all,
  };
}
