import type { DecisionValue } from '../../decisions/ledger.js';
import { describeExchange } from '../evidence.js';
import type { Observer } from '../observation.js';
import { pagesOf } from '../pages.js';

const VALUE_OF = new Map<unknown, DecisionValue<'final-cursor'>>([
  [undefined, 'absent'],
  ['', 'empty-string'],
]);

/** Reads `nextCursor` of pages after which nothing follows (section 4.4). */
export const finalCursor: Observer<'final-cursor'> = {
  wanted: 'the last page of a listing',
  observe: (seen) =>
    pagesOf(seen)
      .filter(({ hasMore }) => hasMore === false)
      .map(({ exchange, nextCursor }) => {
        const value = VALUE_OF.get(nextCursor);
        return {
          explainedBy: value === undefined ? [] : [value],
          evidence: describeExchange(
            exchange,
            `hasMore is false, nextCursor ${wordOf(nextCursor)}`,
          ),
        };
      }),
};

/** A cursor may encode a record, and is not shown. */
function wordOf(nextCursor: unknown): string {
  if (nextCursor === undefined) return 'is absent';
  return typeof nextCursor === 'string' && nextCursor !== ''
    ? 'is a cursor'
    : `is ${JSON.stringify(nextCursor)}`;
}
