import type { DecisionValue } from '../../decisions/ledger.js';
import { callsOf } from '../account-calls.js';
import { describeExchange } from '../evidence.js';
import { isSuccess } from '../exchange.js';
import { isMadeUpId, MADE_UP_NAME } from '../made-up.js';
import type { Observation, Observer, Seen } from '../observation.js';

const VALUE_OF: ReadonlyMap<number, DecisionValue<'unknown-identifier-status'>> = new Map([
  [404, 404],
  [400, 400],
]);

/** Reads the status of ids and names of customers that match nothing (section 7). */
export const unknownIdentifierStatus: Observer<'unknown-identifier-status'> = {
  wanted: 'an id that does not exist',
  observe: (seen) => {
    // A service that refuses everything may not have these paths at all.
    if (!seen.exchanges.some(isSuccess)) return [];
    return [...unknownCustomers(seen).map(observeUnknown), ...observeOthers(seen)];
  },
};

/** Calls for customers that cannot exist. */
export function unknownCustomers(seen: Pick<Seen, 'exchanges'>) {
  return customerCalls(seen).filter(
    ({ call: { path } }) =>
      path.name === MADE_UP_NAME || (path.customerId !== undefined && isMadeUpId(path.customerId)),
  );
}

function customerCalls(seen: Pick<Seen, 'exchanges'>) {
  return [...callsOf(seen, 'getCustomer'), ...callsOf(seen, 'getCustomerByName')];
}

type Observed = Observation<'unknown-identifier-status'>;

function observeUnknown(exchange: ReturnType<typeof unknownCustomers>[number]): Observed {
  const value = VALUE_OF.get(exchange.answer.status);
  const what = exchange.call.operationId === 'getCustomer' ? 'an id' : 'a name';
  return {
    explainedBy: value === undefined ? [] : [value],
    evidence: describeExchange(exchange, `asked for ${what} that does not exist`),
  };
}

/** Of others it is not known that they do not exist: a 400 may be about their form. */
function observeOthers(seen: Seen): Observed[] {
  const unknown = unknownCustomers(seen);
  return customerCalls(seen)
    .filter((exchange) => exchange.answer.status === 404 && !unknown.includes(exchange))
    .map((exchange) => ({ explainedBy: [404], evidence: describeExchange(exchange) }));
}
