import type { DecisionsBehindResponse } from '../../decisions/decisions-behind-response.js';
import type { DecisionValue } from '../../decisions/ledger.js';
import type { Collection } from '../../store/collection.js';
import type { Order, Position } from '../../store/order.js';
import { type CursorScope, invalidCursor, readCursor } from '../cursor.js';
import { issueCursor, refuseExpired } from '../cursor-lifetime.js';
import type { Operation, OperationBody, OperationContext } from '../operation.js';
import { inTimeOrder, type Measurement } from '../resources.js';

/** Returns one page of the account's measurements, and the cursor of the next (section 4.4). */
export const listMeasurements: Operation<'listMeasurements'> = {
  run(context, { query }) {
    const { decisions } = context;
    const all = context.account.store.measurements;
    const order = orderOfMeasurements(decisions);
    // The document in force refuses fractions, or they are rounded down.
    const limit = Math.floor(query.limit as number);
    const after =
      query.cursor === undefined ? undefined : positionOfCursor(context, order, query.cursor);

    const { records, isFollowed } = all.page(order, after, limit);
    // The types generated from the document have no read-only arrays.
    const measurements = records as Measurement[];
    const last = measurements.at(-1);
    const isFull = measurements.length === limit;
    const hasMore = isFollowed || (isFull && LAST_PAGE[decisions.apply('last-page')]);
    const total = TOTAL_COUNTS[decisions.apply('total-counts')](all, measurements, order, after);
    return {
      measurements,
      total,
      hasMore,
      ...(hasMore && last
        ? { nextCursor: issueCursor(context, scopeOf(context, order), order.positionOf(last)) }
        : FINAL_CURSOR[decisions.apply('final-cursor')]),
    };
  },
  refusals: () => ['invalid-cursor'],
};

const LAST_PAGE: Record<DecisionValue<'last-page'>, boolean> = {
  exact: false,
  'trailing-empty-page': true,
};

type Count = (
  all: Collection<Measurement>,
  page: readonly Measurement[],
  order: Order<Measurement>,
  after: Position | undefined,
) => number;

const TOTAL_COUNTS: Record<DecisionValue<'total-counts'>, Count> = {
  all: ({ size }) => size,
  remaining: (all, _page, order, after) => all.size - (after ? all.countUpTo(order, after) : 0),
  page: (_all, { length }) => length,
};

const FINAL_CURSOR: Record<
  DecisionValue<'final-cursor'>,
  Pick<OperationBody<'listMeasurements'>, 'nextCursor'>
> = {
  absent: {},
  'empty-string': { nextCursor: '' },
};

/** Section 4.4; measurements of equal rank are ordered by id. */
function orderOfMeasurements(decisions: DecisionsBehindResponse): Order<Measurement> {
  return MEASUREMENT_ORDERS[decisions.apply('measurement-order')];
}

const byUsageDate = ({ usageDate }: Measurement): number =>
  (usageDate?.year ?? 0) * 10_000 + (usageDate?.month ?? 0) * 100 + (usageDate?.day ?? 0);

const MEASUREMENT_ORDERS: Record<DecisionValue<'measurement-order'>, Order<Measurement>> = {
  'usage-date': orderBy('usage-date', byUsageDate),
  'newest-first': orderBy('newest-first', (measurement) => -byUsageDate(measurement)),
  'created-at': inTimeOrder('created-at', ({ createdAt }) => createdAt),
  id: orderBy('id', () => 0),
};

function orderBy(name: string, rank: (measurement: Measurement) => number): Order<Measurement> {
  return { name, positionOf: (measurement) => [finite(rank(measurement)), measurement.id] };
}

/** Clamps a rank to what a cursor can contain: JSON has neither NaN nor infinity. */
function finite(rank: number): number {
  return Number.isNaN(rank) ? 0 : Math.min(Math.max(rank, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/**
 * The position in a cursor. Refuses an expired cursor; for an invalid one, refuses or returns
 * undefined, which means the first page.
 */
function positionOfCursor(
  context: OperationContext,
  order: Order<Measurement>,
  cursor: string,
): Position | undefined {
  const content = readCursor(scopeOf(context, order), cursor);
  if (typeof content === 'string') {
    return INVALID_CURSOR[context.decisions.apply('invalid-cursor')](cursor, content);
  }
  refuseExpired(context, content);
  return content.position;
}

const INVALID_CURSOR: Record<
  DecisionValue<'invalid-cursor'>,
  (cursor: string, reason: string) => undefined
> = {
  'first-page': () => undefined,
  reject: (cursor, reason) => {
    throw invalidCursor(cursor, reason, { decision: 'invalid-cursor' });
  },
};

function scopeOf({ account }: OperationContext, order: Order<Measurement>): CursorScope {
  return { dataset: account.store.bases.fingerprint, listing: `measurements by ${order.name}` };
}
