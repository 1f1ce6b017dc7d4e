import type { AppliedDecisions } from '../decisions/applied-decisions.js';
import type { DecisionValue } from '../decisions/ledger.js';
import type { Order } from '../store/order.js';
import type { Measurement } from './resources.js';

/** The order in which measurements are listed (section 4.4); equal ones are ordered by id. */
export function orderOfMeasurements(decisions: AppliedDecisions): Order<Measurement> {
  return MEASUREMENT_ORDERS[decisions.apply('measurement-order')];
}

const byUsageDate = ({ usageDate }: Measurement): number =>
  (usageDate?.year ?? 0) * 10_000 + (usageDate?.month ?? 0) * 100 + (usageDate?.day ?? 0);

/** The order that each value of the decision means. */
export const MEASUREMENT_ORDERS: Record<DecisionValue<'measurement-order'>, Order<Measurement>> = {
  'usage-date': orderBy('usage-date', byUsageDate),
  'newest-first': orderBy('newest-first', (measurement) => -byUsageDate(measurement)),
  'created-at': orderBy('created-at', ({ createdAt }) => Date.parse(createdAt)),
  id: orderBy('id', () => 0),
};

function orderBy(name: string, rank: (measurement: Measurement) => number): Order<Measurement> {
  return { name, positionOf: (measurement) => [finite(rank(measurement)), measurement.id] };
}

/** A number that a cursor can contain: JSON has no infinity. Records beyond it are ordered by id. */
function finite(rank: number): number {
  return Number.isNaN(rank) ? 0 : Math.min(Math.max(rank, -Number.MAX_VALUE), Number.MAX_VALUE);
}
