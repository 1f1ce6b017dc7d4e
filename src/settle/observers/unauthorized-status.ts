import type { DecisionValue } from '../../decisions/ledger.js';
import { describeExchange } from '../evidence.js';
import { type Exchange, isRefusal, isSuccess } from '../exchange.js';
import type { Observation, Observer } from '../observation.js';

const VALUE_OF: ReadonlyMap<number, DecisionValue<'unauthorized-status'>> = new Map([
  [401, 401],
  [403, 403],
]);

/** Reads the status of calls without a token or with a made-up one (section 7). */
export const unauthorizedStatus: Observer<'unauthorized-status'> = {
  wanted: 'a call without a token',
  observe: ({ exchanges }) =>
    exchanges.flatMap((exchange) => OBSERVE[exchange.call.token](exchange)),
};

type Observe = (exchange: Exchange) => Observation<'unauthorized-status'>[];

const OBSERVE: { readonly [Token in Exchange['call']['token']]: Observe } = {
  none: (exchange) => (isSuccess(exchange) ? [describe(exchange, [])] : observeRefusal(exchange)),
  'made-up': (exchange) => observeRefusal(exchange),
  // Which token a recorded call had is not known: a 403 may be about what it is permitted.
  unknown: (exchange) => (exchange.answer.status === 401 ? observeRefusal(exchange) : []),
  // The run ends when the given token is refused.
  given: () => [],
};

function observeRefusal(exchange: Exchange): Observation<'unauthorized-status'>[] {
  const value = VALUE_OF.get(exchange.answer.status);
  if (value !== undefined) return [describe(exchange, [value])];
  return isRefusal(exchange) ? [describe(exchange, [])] : [];
}

function describe(
  exchange: Exchange,
  explainedBy: readonly DecisionValue<'unauthorized-status'>[],
): Observation<'unauthorized-status'> {
  return { explainedBy, evidence: describeExchange(exchange) };
}
