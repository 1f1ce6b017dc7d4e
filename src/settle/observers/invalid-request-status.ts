import type { DecisionValue } from '../../decisions/ledger.js';
import { isObject } from '../../messages/is-object.js';
import { describeExchange } from '../evidence.js';
import { type Exchange, isRefusal, isSuccess } from '../exchange.js';
import type { Observation, Observer, Seen } from '../observation.js';
import { isInvalid, oddListings } from '../odd-listings.js';

type Status = DecisionValue<'invalid-request-status'>;

const VALUE_OF = new Map<number, Status>([
  [400, 400],
  [422, 422],
]);

/**
 * Reads the status of refused requests that are certainly invalid (section 7). A success tells
 * only where no other decision allows it: a limit that is no number, a body without refs.
 */
export const invalidRequestStatus: Observer<'invalid-request-status'> = {
  wanted: 'a refused request that is certainly invalid',
  observe: (seen) => [...observeListings(seen), ...observeBodies(seen)],
};

function observeListings(seen: Seen): readonly Observation<'invalid-request-status'>[] {
  return oddListings(seen)
    .filter(isInvalid)
    .filter(
      ({ exchange, oddities }) => isRefusal(exchange) || oddities.includes('limit-not-a-number'),
    )
    .map(({ exchange }) => observeStatus(exchange));
}

function observeBodies({ exchanges }: Seen): readonly Observation<'invalid-request-status'>[] {
  return exchanges
    .filter(({ call }) => call.operationId === 'deleteEventsByRefs' && call.body !== undefined)
    .filter((exchange) => isSuccess(exchange) || isRefusal(exchange))
    .flatMap((exchange) => {
      if (lacksRefs(exchange)) return [observeStatus(exchange, 'no refs')];
      const isTelling = isRefusal(exchange) && hasMore(exchange) && areFound(exchange, exchanges);
      return isTelling ? [observeStatus(exchange, 'an unknown member')] : [];
    });
}

function observeStatus(exchange: Exchange, sent?: string): Observation<'invalid-request-status'> {
  const value = VALUE_OF.get(exchange.answer.status);
  const told = isSuccess(exchange) ? 'accepted' : 'refused';
  return {
    explainedBy: value === undefined ? [] : [value],
    evidence: describeExchange(exchange, sent === undefined ? told : `${told}: ${sent}`),
  };
}

function lacksRefs(exchange: Exchange): boolean {
  const refs = refsOf(exchange);
  return !Array.isArray(refs) || refs.length === 0;
}

function hasMore({ call: { body } }: Exchange): boolean {
  return isObject(body) && Object.keys(body).some((name) => name !== 'refs');
}

/** True if the same refs were accepted later: then it was not they that were refused. */
function areFound(exchange: Exchange, exchanges: readonly Exchange[]): boolean {
  const refs = JSON.stringify(refsOf(exchange));
  return exchanges
    .slice(exchanges.indexOf(exchange) + 1)
    .some((later) => isSuccess(later) && JSON.stringify(refsOf(later)) === refs);
}

function refsOf({ call: { body } }: Exchange): unknown {
  return isObject(body) ? body.refs : undefined;
}
