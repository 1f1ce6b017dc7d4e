import type { DecisionValue } from '../../decisions/ledger.js';
import { ProblemError } from '../../errors/problem-error.js';
import type { Order, Position } from '../../store/order.js';
import { cursorAfter, positionOfCursor } from '../measurement-cursor.js';
import { orderOfMeasurements } from '../measurement-order.js';
import type { Operation, OperationContext, Refusals } from '../operation.js';
import type { Measurement } from '../resources.js';

type Page = ReturnType<Operation<'listMeasurements'>>;

/** Returns one page of the account's measurements and the way to the next (section 4.4). */
export const listMeasurements: Operation<'listMeasurements'> = (context, { query }) => {
  const { account, decisions } = context;
  const order = orderOfMeasurements(decisions);
  const limit = FRACTIONAL_LIMIT[decisions.apply('fractional-limit')](query.limit as number);
  const after =
    query.cursor === undefined ? undefined : positionOfCursor(context, order, query.cursor);

  const found = account.store.measurements.page(order, after, limit + 1);
  const measurements = found.slice(0, limit);
  const last = measurements.at(-1);
  const isFull = measurements.length === limit;
  const hasMore = LAST_PAGE[decisions.apply('last-page')](found.length > limit, isFull);
  const total = TOTAL_COUNTS[decisions.apply('total-counts')](context, order, after, measurements);
  return {
    measurements,
    total,
    hasMore,
    ...(hasMore && last
      ? { nextCursor: cursorAfter(context, order, last) }
      : FINAL_CURSOR[decisions.apply('final-cursor')]),
  };
};

const FRACTIONAL_LIMIT: Record<DecisionValue<'fractional-limit'>, (limit: number) => number> = {
  'round-down': Math.floor,
  reject: (limit) => {
    if (Number.isInteger(limit)) return limit;
    throw new ProblemError(
      'invalid-request',
      `The limit is ${limit}; expected a whole number, such as ${Math.floor(limit)}.`,
      {
        decision: 'fractional-limit',
        errors: [
          {
            in: 'query',
            pointer: '/limit',
            expected: 'a whole number',
            received: String(limit),
            detail: `Make it ${Math.floor(limit)}.`,
            decision: 'fractional-limit',
          },
        ],
      },
    );
  },
};

const LAST_PAGE: Record<
  DecisionValue<'last-page'>,
  (isFollowed: boolean, isFull: boolean) => boolean
> = {
  exact: (isFollowed) => isFollowed,
  'trailing-empty-page': (_, isFull) => isFull,
};

type Count = (
  context: OperationContext,
  order: Order<Measurement>,
  after: Position | undefined,
  page: readonly Measurement[],
) => number;

const TOTAL_COUNTS: Record<DecisionValue<'total-counts'>, Count> = {
  all: ({ account }) => account.store.measurements.size,
  remaining: (
    {
      account: {
        store: { measurements },
      },
    },
    order,
    after,
  ) => measurements.size - (after ? measurements.countUpTo(order, after) : 0),
  page: (_context, _order, _after, page) => page.length,
};

const FINAL_CURSOR: Record<DecisionValue<'final-cursor'>, Pick<Page, 'nextCursor'>> = {
  absent: {},
  'empty-string': { nextCursor: '' },
};

/** How `listMeasurements` refuses. */
export const listMeasurementsRefusals: Refusals = () => ['invalid-cursor'];
