import type { DecisionValue } from '../decisions/ledger.js';
import { ProblemError } from '../errors/problem-error.js';
import type { Order, Position } from '../store/order.js';
import { cut } from '../values/received-value.js';
import { type CursorScope, readCursor, writeCursor } from './cursor-encoding.js';
import { parseDurationMs } from './duration.js';
import type { OperationContext } from './operation.js';
import type { Measurement } from './resources.js';

/** The cursor that continues the listing after this measurement (section 4.4). */
export function cursorAfter(
  context: OperationContext,
  order: Order<Measurement>,
  last: Measurement,
): string {
  const position = order.positionOf(last);
  const expires = lifetimeMs(context) < Number.POSITIVE_INFINITY;
  return writeCursor(
    scopeOf(context, order),
    expires ? { position, issuedAt: context.now.getTime() } : { position },
  );
}

/** The position that a cursor holds; refuses one of another listing and one that has expired. */
export function positionOfCursor(
  context: OperationContext,
  order: Order<Measurement>,
  cursor: string,
): Position | undefined {
  const content = readCursor(scopeOf(context, order), cursor);
  if (typeof content === 'string') {
    return INVALID_CURSOR[context.decisions.apply('invalid-cursor')](cursor, content);
  }
  const { position, issuedAt = Number.POSITIVE_INFINITY } = content;
  if (context.now.getTime() - issuedAt > lifetimeMs(context)) {
    throw new ProblemError(
      'invalid-cursor',
      `The cursor was issued at ${new Date(issuedAt).toISOString()} and has expired. Start again without a cursor.`,
      { decision: 'cursor-lifetime' },
    );
  }
  return position;
}

const EXPECTED = 'the nextCursor of the page before, unchanged';

const INVALID_CURSOR: Record<
  DecisionValue<'invalid-cursor'>,
  (cursor: string, why: string) => undefined
> = {
  'first-page': () => undefined,
  reject: (cursor, why) => {
    throw new ProblemError(
      'invalid-cursor',
      `Invalid cursor '${cut(cursor)}': ${why}. Expected ${EXPECTED}; start again without a cursor.`,
      {
        decision: 'invalid-cursor',
        errors: [
          {
            in: 'query',
            pointer: '/cursor',
            expected: EXPECTED,
            received: cut(cursor),
            detail: 'Start again without a cursor.',
          },
        ],
      },
    );
  },
};

function scopeOf({ account }: OperationContext, order: Order<Measurement>): CursorScope {
  return { dataset: account.store.datasetFingerprint, listing: `measurements by ${order.name}` };
}

function lifetimeMs({ decisions }: OperationContext): number {
  const lifetime = decisions.apply('cursor-lifetime');
  return lifetime === 'unlimited' ? Number.POSITIVE_INFINITY : parseDurationMs(lifetime);
}
