import { ProblemError } from '../errors/problem-error.js';
import type { Position } from '../store/order.js';
import { parseDurationMs } from '../values/time.js';
import { type CursorContent, type CursorScope, writeCursor } from './cursor.js';
import type { OperationContext } from './operation.js';

type Lifetime = Pick<OperationContext, 'decisions' | 'now'>;

/** Writes a cursor with the account's time if `cursor-lifetime` makes it expire (section 4.4). */
export function issueCursor(context: Lifetime, scope: CursorScope, position: Position): string {
  const expires = lifetimeMs(context) < Number.POSITIVE_INFINITY;
  return writeCursor(scope, { position, ...(expires && { issuedAt: context.now.getTime() }) });
}

/** Refuses an expired cursor. One that was issued while cursors did not expire stays valid. */
export function refuseExpired(context: Lifetime, content: CursorContent): void {
  const { issuedAt = Number.POSITIVE_INFINITY } = content;
  if (context.now.getTime() - issuedAt <= lifetimeMs(context)) return;
  throw new ProblemError(
    'invalid-cursor',
    `The cursor was issued at ${new Date(issuedAt).toISOString()} and has expired. Start again without a cursor.`,
    { decision: 'cursor-lifetime' },
  );
}

function lifetimeMs({ decisions }: Lifetime): number {
  const lifetime = decisions.apply('cursor-lifetime');
  return lifetime === 'unlimited' ? Number.POSITIVE_INFINITY : parseDurationMs(lifetime);
}
